import { afterEach, expect, test } from '@jest/globals';
import { createActor, setup } from 'xstate';
import { type Ping, type WatchdogInput, watchdogLogic } from '../../actors/watchdog.js';
import { fakeClock } from '../support/clocks/fakeClock.js';

const started: { readonly stop: () => void }[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

/** A root that keeps the pings it gets and answers none by itself. */
const guarded = (every_ms: number | null, more: Partial<WatchdogInput> = {}) => {
  const clock = fakeClock();
  const pings: Ping[] = [];
  const counts = { beats: 0 };
  const input = { every_ms, clock, beat: async () => void counts.beats++, ...more };
  const root = createActor(
    setup({
      types: { events: {} as Ping },
      actors: { watchdog: watchdogLogic },
      actions: { keep: ({ event }) => void pings.push(event) },
    }).createMachine({
      on: { ping: { actions: 'keep' } },
      invoke: { src: 'watchdog', input, onError: { actions: [] } },
    }),
  );
  started.push(root.start());
  return { root, clock, pings, counts };
};

test('each sign of life is asked of the root first', async () => {
  const { clock, pings, counts } = guarded(1_000);
  await clock.settle();
  expect([pings.length, counts.beats]).toEqual([1, 0]);
  pings[0]?.reply();
  await clock.settle();
  expect([pings.length, counts.beats]).toEqual([1, 1]);
  await clock.advanceMs(999);
  expect(pings).toHaveLength(1);
  await clock.advanceMs(1);
  expect([pings.length, counts.beats]).toEqual([2, 1]);
});

test('a root that does not answer gets no further sign of life sent, however long', async () => {
  const { clock, pings, counts } = guarded(1_000);
  await clock.settle();
  pings[0]?.reply();
  await clock.advanceMs(1_000);
  await clock.advanceMs(3_600_000);
  expect([pings.length, counts.beats]).toEqual([2, 1]);
});

test('a sign of life that takes long does not pile up others', async () => {
  let sent: () => void = () => {};
  const counts = { beats: 0 };
  const { clock, pings } = guarded(1_000, {
    beat: () => {
      counts.beats++;
      return new Promise((resolve) => {
        sent = resolve;
      });
    },
  });
  await clock.settle();
  pings[0]?.reply();
  await clock.advanceMs(60_000);
  expect([pings.length, counts.beats]).toEqual([1, 1]);
  sent();
  await clock.advanceMs(1_000);
  expect(pings).toHaveLength(2);
});

test('without an interval the root is never asked', async () => {
  const { clock, pings } = guarded(null);
  await clock.advanceMs(3_600_000);
  expect(pings).toHaveLength(0);
});

test('a root that ended while it was asked gets no sign of life sent', async () => {
  const { root, clock, pings, counts } = guarded(1_000);
  await clock.settle();
  root.stop();
  pings[0]?.reply();
  await clock.advanceMs(10_000);
  expect(counts.beats).toBe(0);
});
