import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { incidentsLogic } from '../../../actors/incidents/incidents.js';
import { readIncident } from '../../../src/config/incidents/read.js';
import type { Result } from '../../../src/domain/errors.js';
import type { IncidentDetails, IncidentRequests } from '../../../src/messages/incidents.js';
import type { Request } from '../../../src/messages/request.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { right } from '../../support/either.js';
import { memoryLog } from '../../support/logs.js';

const TEXT = `duration: 20m
members: {web: {path: web}}
phases: [{name: knock, at: 8m, for: 1m, members: {web: {events: 3}}}]
`;

const told = async () => {
  const file = { text: TEXT };
  const clock = fakeClock();
  const done = async () => E.right(null);
  const actor = createActor(incidentsLogic, {
    input: {
      files: {
        names: async () => E.right(['knock']),
        text: async () => E.right(file.text),
        read: (name, text) => readIncident(text, { file: `/s/${name}.yml`, name }),
        draw: async () => E.right({}),
        write: async () => E.right(undefined),
        remove: done,
      },
      generators: {
        list: async () => E.right([]),
        shownPath: (path) => path,
        create: done,
        start: async () => E.right(true as const),
        tell: done,
        stop: done,
        remove: done,
      },
      clock,
      drawSeed: () => 'drawn',
      log: memoryLog().log,
      refusal: null,
    },
  }).start();
  const ask = <A>(type: keyof IncidentRequests, payload: object = {}): Promise<A> =>
    new Promise((resolve) =>
      actor.send({
        type,
        payload: { name: 'knock', ...payload },
        reply: (answer: Result<unknown>) => resolve(right(answer) as A),
      } as Request<IncidentRequests>),
    );
  await ask('incidents.start', { seed: null, rounds: 1 });
  return { file, clock, ask, read: () => ask<IncidentDetails>('incidents.read', { seed: null }) };
};

test('a paused incident stands where a jump has led, forward too, and stays there', async () => {
  const { clock, ask, read } = await told();
  await clock.advanceMs(5_000);
  await ask('incidents.pause');
  await clock.advanceMs(60_000);
  expect(await read()).toMatchObject({ state: 'paused', position: 5 });
  await ask('incidents.jump', { to: 'knock' });
  await clock.advanceMs(1_000);
  expect(await read()).toMatchObject({ state: 'paused', position: 480 });
  await clock.advanceMs(600_000);
  expect(await read()).toMatchObject({ state: 'paused', position: 480 });
  await ask('incidents.resume');
  await clock.advanceMs(3_000);
  expect(await read()).toMatchObject({ state: 'running', position: 482 });
});

test('an incident under way shows what it tells, whatever has become of its file', async () => {
  const { file, ask, read } = await told();
  file.text = TEXT.replace('20m', '40m')
    .replace('web: {path: web}', 'other: {path: other}')
    .replace('web:', 'other:');
  expect(await read()).toMatchObject({ problem: null, duration: 1_200, members: [{ name: 'web' }] });
  file.text = 'duration: soon\n';
  expect(await read()).toMatchObject({
    duration: 1_200,
    members: [{ name: 'web' }],
    timeline: [{ phase: 'knock' }],
  });
  expect((await read()).problem).toContain('must be a duration');
  await ask('incidents.stop');
  expect(await read()).toMatchObject({
    duration: null,
    members: [],
    timeline: [],
    last: { outcome: 'stopped' },
  });
});
