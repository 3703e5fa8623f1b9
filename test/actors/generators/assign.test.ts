import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { PatchOptions } from '../../../actors/generators/patching.js';
import { failure } from '../../../src/domain/errors.js';
import type { Assignment } from '../../../src/messages/incidents.js';
import { definitionOf, settle } from '../../support/pipelines/scriptedHost.js';
import { makeSupervisor } from './supervisorParts.js';

const INCIDENT = {
  name: 'theft',
  duration: 100,
  entities: {},
  phases: [],
  marks: null,
  ground_truth: null,
};

const assignmentFrom = (from: number): Assignment => ({
  member: 'door',
  run: { incident: INCIDENT, start: 0, drawn: {}, range: { from, to: 100 }, isAlone: false },
});

/** Definitions say what they are in their config. */
const PATCHING: PatchOptions = {
  define: async (definition, sections) => E.right({ ...definition, config: sections }),
  persist: async () => E.right(null),
  assign: async (definition, { run }) =>
    run.range.from < 0
      ? E.left(failure('invalid', 'it cannot be a member'))
      : E.right({ ...definition, config: { of: definition.config, from: run.range.from } }),
};

const running = async () => {
  let loads = 0;
  const made = makeSupervisor({
    patching: PATCHING,
    load: async (params) => E.right({ ...definitionOf(params.id), config: { load: ++loads } }),
  });
  const ask = async (type: 'start' | 'stop' | 'assign' | 'patch', payload: object = {}) => {
    const answers = made.send(`generators.${type}`, { id: 'door', ...payload });
    await settle();
    return answers[0];
  };
  const assign = (assignment: Assignment | null) => ask('assign', { assignment });
  made.add('door');
  const flow = async () => {
    made.host.last().tell({ type: 'running' });
    await settle();
  };
  const start = async () => {
    void ask('start');
    await settle();
    await flow();
  };
  const configNow = () => made.host.last().order.definition.config;
  await start();
  return { ...made, ask, assign, start, flow, configNow };
};

const PATCH = { sections: { a: 1 }, persist: false };

describe('a generator in an incident', () => {
  test('gets its assignment while it runs, and cannot be patched until it goes on as before', async () => {
    const door = await running();
    expect(await door.assign(assignmentFrom(0))).toEqual(E.right(null));
    expect(door.host.last().commands).toEqual(['patch']);
    expect(await door.ask('patch', PATCH)).toMatchObject({
      left: { code: 'wrong_state', message: expect.stringContaining('incident "theft"') },
    });
    expect(await door.assign(null)).toEqual(E.right(null));
    expect(door.host.last().commands).toEqual(['patch', 'patch']);
    expect(await door.ask('patch', PATCH)).toEqual(E.right(null));
    // Nothing to take back.
    expect(await door.assign(null)).toEqual(E.right(null));
    expect(door.host.last().commands).toHaveLength(3);
  });

  test('stays as it is if it cannot be a member', async () => {
    const door = await running();
    expect(await door.assign(assignmentFrom(-1))).toMatchObject({ left: { code: 'invalid' } });
    expect(door.host.last().commands).toEqual([]);
    expect(await door.ask('patch', PATCH)).toEqual(E.right(null));
  });

  test('has its last assignment again after an automatic restart and after a start by hand', async () => {
    const door = await running();
    await door.assign(assignmentFrom(0));
    await door.assign(assignmentFrom(30));
    door.host.last().tell({ type: 'failed', error: failure('host_crashed', 'gone'), isDisplaced: true });
    await settle();
    await door.start();
    expect(door.configNow()).toEqual({ of: { load: 1 }, from: 30 });
    void door.ask('stop');
    await settle();
    door.host.last().tell({ type: 'drained' });
    await settle();
    await door.start();
    expect(door.configNow()).toEqual({ of: { load: 2 }, from: 30 });
    await door.assign(null);
    expect(await door.ask('patch', PATCH)).toEqual(E.right(null));
  });

  test('at rest, gets its assignment with its next start, or not if the incident is over by then', async () => {
    const door = await running();
    const stop = async () => {
      void door.ask('stop');
      await settle();
      door.host.last().tell({ type: 'drained' });
      await settle();
    };
    await stop();
    expect(await door.assign(assignmentFrom(0))).toEqual(E.right(null));
    await door.start();
    expect(door.configNow()).toEqual({ of: { load: 2 }, from: 0 });
    await stop();
    expect(await door.assign(null)).toEqual(E.right(null));
    await door.start();
    expect(door.configNow()).toEqual({ load: 3 });
  });
});

test('a member of an incident keeps its id until it has left', async () => {
  const { add, send } = makeSupervisor({ patching: PATCHING });
  const ask = async (type: 'assign' | 'rename', payload: object) => {
    const answers = send(`generators.${type}`, { id: 'door', ...payload });
    await settle();
    return answers[0];
  };
  const rename = () => ask('rename', { to: 'gate' });
  add('door');
  await ask('assign', { assignment: assignmentFrom(1) });
  expect(await rename()).toMatchObject({
    left: { code: 'wrong_state', message: expect.stringContaining('incident "theft"') },
  });
  await ask('assign', { assignment: null });
  expect(await rename()).toEqual(E.right(null));
});
