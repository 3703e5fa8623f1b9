import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { MICROS_PER_MINUTE, MICROS_PER_SECOND } from '../../src/domain/time/micros.js';
import { withActivities } from '../../src/plugins/activities.js';
import { worldInput } from '../../src/plugins/inputs/world/worldInput.js';
import type { EventProducer } from '../../src/plugins/kit.js';
import { type SavedRunGiven, savedRun } from '../support/pipelines/savedRun.js';
import { activityAt, attack, WORLD_START, worldWith } from '../support/worlds.js';

/** One every 7 s for 20 minutes, then nothing for a day, then one more. Every fifth is an attack. */
const COUNT = 170;
const world = worldWith([
  ...Array.from({ length: COUNT }, (_, id) =>
    activityAt(id * 7 * MICROS_PER_SECOND, id, { truth: id % 5 === 4 ? attack('spray') : null }),
  ),
  activityAt(24 * 60 * MICROS_PER_MINUTE, COUNT),
]);

const inputOf = () =>
  worldInput({
    world,
    selection: {
      kinds: ['logon'],
      os: null,
      roles: null,
      sites: null,
      seen: 0.8,
      delay_seconds: 9,
      clock_error_seconds: 1,
    },
    anomaly: 'none',
    from: WORLD_START,
    end: WORLD_START + 25 * 60 * MICROS_PER_MINUTE,
  });

/** Prints the number of the activity with its time. */
const producerOf = (): EventProducer => ({
  produce: ({ micros, from, to, activityOf }) => ({
    consumed: to - from,
    events: textBatch(
      Array.from({ length: to - from }, (_, index) => {
        const at = micros[from + index] as number;
        return `${(at - WORLD_START) / MICROS_PER_SECOND} ${activityOf?.(from + index)?.id ?? 'none'}`;
      }),
    ),
    failed: 0,
    dropped: 0,
    exhausted: false,
  }),
  close: async () => {},
});

const run = (given: Pick<SavedRunGiven, 'partition' | 'from' | 'stopAfter'> = {}) =>
  savedRun({
    input: async () => inputOf(),
    producer: async () => withActivities(producerOf(), { get: () => null }),
    now: WORLD_START,
    turns: 2_000,
    ...given,
  });

describe('a run over a world', () => {
  test('pairs every timestamp with its activity, and leaves attacks out', async () => {
    const { ended, events } = await run();
    expect(ended).toEqual(E.right('completed'));
    const ids = events.map((event) => Number(event.split(' ')[1]));
    expect(ids.length).toBeGreaterThan(COUNT * 0.5);
    expect(ids.every((id) => id % 5 !== 4)).toBe(true);
    expect(ids.at(-1)).toBe(COUNT);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('goes on in the middle from a checkpoint', async () => {
    const all = (await run()).events;
    const first = await run({ stopAfter: 20 });
    expect(first.saved.length).toBeGreaterThan(1);
    for (const { position, arrived } of first.saved) {
      const { events } = await run({ from: position });
      expect([...first.events.slice(0, arrived), ...events]).toEqual(all);
    }
  });

  test('in partitions makes all events once', async () => {
    const all = (await run()).events;
    const parts = await Promise.all([0, 1, 2].map((index) => run({ partition: { index, count: 3 } })));
    const joined = parts.flatMap(({ events }) => events);
    expect(parts.every(({ events }) => events.length > 0)).toBe(true);
    expect([...joined].sort()).toEqual([...all].sort());
  });

  test('in a partition goes on from its checkpoint', async () => {
    const partition = { index: 1, count: 3 };
    const all = (await run({ partition })).events;
    const first = await run({ partition, stopAfter: 10 });
    const last = first.saved.at(-1);
    const { events } = await run({ partition, from: last?.position ?? null });
    expect([...first.events.slice(0, last?.arrived), ...events]).toEqual(all);
  });
});
