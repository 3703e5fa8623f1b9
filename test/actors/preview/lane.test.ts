import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor, SimulatedClock } from 'xstate';
import { IDLE_MS, laneMachine, type PreviewWork } from '../../../actors/preview/lanes.js';
import { failure, type Result } from '../../../src/domain/errors.js';

import { settle } from '../../support/pipelines/scriptedHost.js';

const makeLane = () => {
  const clock = new SimulatedClock();
  const answers: Result<unknown>[] = [];
  const state = { isOver: false, nowMs: 0 };
  const actor = createActor(laneMachine, {
    clock,
    input: { isOver: () => state.isOver, monotonicMs: () => state.nowMs },
  }).start();
  const reply = (answer: Result<unknown>): void => void answers.push(answer);
  const send = (run: () => Promise<void>, what = 'preview.produce'): void => {
    const work: PreviewWork = { type: 'work', what, run, reply, arrivedMs: state.nowMs };
    actor.send(work);
  };
  return { actor, clock, answers, state, send, isEnded: () => actor.getSnapshot().status === 'done' };
};

/** Work that lasts until it is let go. */
const gate = () => {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

describe('the previews of one thread', () => {
  test('are run one at a time, in the order they came', async () => {
    const { send } = makeLane();
    const steps: string[] = [];
    const first = gate();
    send(async () => {
      steps.push('first begins');
      await first.opened;
      steps.push('first ends');
    });
    send(async () => void steps.push('second'));
    await settle();
    expect(steps).toEqual(['first begins']);
    first.open();
    await settle();
    expect(steps).toEqual(['first begins', 'first ends', 'second']);
  });

  test('one that throws is answered as a bug, and the next one is run', async () => {
    const { send, answers, isEnded } = makeLane();
    let ran = 0;
    send(() => Promise.reject(new Error('no such luck')));
    send(async () => void ran++);
    await settle();
    expect(answers).toEqual([E.left({ code: 'bug', message: 'preview.produce: no such luck' })]);
    expect([ran, isEnded()]).toEqual([1, false]);
  });

  test('a hundred may wait, the next one is refused at once', async () => {
    const { send, answers } = makeLane();
    const { opened, open } = gate();
    send(() => opened);
    for (let n = 0; n < 100; n++) send(async () => {});
    expect(answers).toEqual([]);
    send(async () => {}, 'preview.format');
    expect(answers).toMatchObject([
      { left: { code: 'too_many_requests', message: 'preview.format: 100 previews are already waiting' } },
    ]);
    open();
    await settle(50);
  });

  test('one that waited past its deadline is refused instead of run', async () => {
    const { send, answers, state } = makeLane();
    const { opened, open } = gate();
    let ran = 0;
    send(() => opened);
    send(async () => void ran++);
    state.nowMs = 45_001;
    open();
    await settle();
    expect(answers).toMatchObject([{ left: { code: 'too_many_requests' } }]);
    send(async () => void ran++);
    await settle();
    expect(ran).toBe(1);
  });

  test('it ends after fifteen minutes without a request', async () => {
    const { send, clock, isEnded } = makeLane();
    clock.increment(IDLE_MS - 1);
    expect(isEnded()).toBe(false);
    send(async () => {});
    await settle();
    clock.increment(IDLE_MS - 1);
    expect(isEnded()).toBe(false);
    clock.increment(1);
    expect(isEnded()).toBe(true);
    expect(IDLE_MS).toBe(900_000);
  });

  test('a long preview is no idle time', async () => {
    const { send, clock, isEnded } = makeLane();
    const { opened, open } = gate();
    send(() => opened);
    clock.increment(IDLE_MS * 2);
    expect(isEnded()).toBe(false);
    open();
    await settle();
    expect(isEnded()).toBe(false);
  });

  test('it ends when it is over and nothing waits any more', async () => {
    const { send, answers, state, isEnded } = makeLane();
    const { opened, open } = gate();
    let ran = 0;
    send(() => opened);
    send(async () => void ran++);
    state.isOver = true;
    open();
    await settle();
    expect(isEnded()).toBe(true);
    expect(ran).toBe(1);
    expect(answers).toEqual([]);
  });

  test('it ends at once when it is told to', async () => {
    const { send, actor, answers, isEnded } = makeLane();
    send(() => gate().opened);
    send(async () => {});
    const why = failure('unavailable', 'the service is stopping');
    actor.send({ type: 'end', why });
    expect(isEnded()).toBe(true);
    expect(answers).toEqual([E.left(why)]);
  });
});
