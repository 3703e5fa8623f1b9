import { describe, expect, test } from '@jest/globals';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { MICROS_PER_SECOND, type Micros } from '../../src/domain/time/micros.js';
import { withActivities } from '../../src/plugins/activities.js';
import type { EventProducer, Input, Produced, ProduceRequest } from '../../src/plugins/kit.js';
import type { Activity } from '../../src/world/activity/kinds.js';
import { activityAt, attack, WORLD_START } from '../support/worlds.js';

/** Activities of one second each; those with these numbers belong to an attack. */
const activities = (count: number, attacks: readonly number[]): readonly Activity[] =>
  Array.from({ length: count }, (_, id) =>
    activityAt(id * MICROS_PER_SECOND, id, { truth: attacks.includes(id) ? attack('spray') : null }),
  );

const inputOf = (given: readonly Activity[]): Input => ({
  fill: () => 0,
  snapshot: () => null,
  restore: () => {},
  activities: {
    kinds: ['logon'],
    anomaly: 'none',
    at: (micros: Micros) => given.find(({ at }) => at === micros) ?? null,
  },
});

interface Call {
  readonly ids: readonly (number | undefined)[];
  readonly tags: readonly string[];
}

/** Makes an event of each timestamp, up to `most` a call, and notes what it is called with. */
const noting = (
  most: number,
  isAsync: boolean,
): { readonly inner: EventProducer; readonly calls: Call[] } => {
  const calls: Call[] = [];
  const produce = ({ from, to, activityOf, tagsOf }: ProduceRequest): Produced => {
    const indexes = Array.from({ length: Math.min(most, to - from) }, (_, index) => from + index);
    const ids = indexes.map((index) => activityOf?.(index)?.id);
    calls.push({ ids, tags: indexes.flatMap(tagsOf) });
    const events = textBatch(ids.map(String));
    return { consumed: ids.length, events, failed: 0, dropped: 0, exhausted: false };
  };
  const inner = {
    produce: (request: ProduceRequest) => (isAsync ? Promise.resolve(produce(request)) : produce(request)),
    close: async () => {},
  };
  return { inner, calls };
};

const requestOf = (given: readonly Activity[], from = 0): ProduceRequest => ({
  micros: Float64Array.from(given, ({ at }) => at),
  from,
  to: given.length,
  tagsOf: (index) => [`t${index}`],
  inputOf: () => 0,
  isSpent: () => false,
});

const secondsOf = (used: Float64Array | undefined): readonly number[] =>
  [...(used ?? [])].map((at) => (at - WORLD_START) / MICROS_PER_SECOND);

describe('activities of attacks that are not shown', () => {
  for (const isAsync of [false, true])
    test(`are left out between the others, which are made in one call (${isAsync ? 'later' : 'at once'})`, async () => {
      const given = activities(7, [0, 2, 3, 6]);
      const { inner, calls } = noting(100, isAsync);
      const producer = withActivities(inner, { get: () => null });
      producer.observe?.([inputOf(given)]);
      const made = await producer.produce(requestOf(given));
      expect(calls).toEqual([{ ids: [1, 4, 5], tags: ['t1', 't4', 't5'] }]);
      expect(made).toMatchObject({ consumed: 7, failed: 0, dropped: 4 });
      expect(secondsOf(made.used)).toEqual([1, 4, 5]);
    });

  test('are consumed up to the next timestamp that the producer left over', async () => {
    const given = activities(6, [0, 2, 3]);
    const { inner } = noting(1, false);
    const producer = withActivities(inner, { get: () => null });
    producer.observe?.([inputOf(given)]);
    const first = await producer.produce(requestOf(given));
    expect(first).toMatchObject({ consumed: 4, dropped: 3 });
    expect(secondsOf(first.used)).toEqual([1]);
    const second = await producer.produce(requestOf(given, 4));
    expect(second).toMatchObject({ consumed: 1, dropped: 0 });
    expect(secondsOf(second.used)).toEqual([4]);
  });

  test('of an input that adds an attack are shown whatever the global names', async () => {
    const given = activities(3, [1]);
    const { inner, calls } = noting(100, false);
    const producer = withActivities(inner, { get: () => 'another' });
    const input = inputOf(given);
    const fixed = { ...input.activities, anomaly: 'spray', isFixed: true } as NonNullable<
      Input['activities']
    >;
    producer.observe?.([{ ...input, activities: fixed }]);
    expect(await producer.produce(requestOf(given))).toMatchObject({ consumed: 3, dropped: 0 });
    expect(calls.map(({ ids }) => ids)).toEqual([[0, 1, 2]]);
  });

  test('make no call when there is nothing else', async () => {
    const given = activities(3, [0, 1, 2]);
    const { inner, calls } = noting(100, false);
    const producer = withActivities(inner, { get: () => null });
    producer.observe?.([inputOf(given)]);
    expect(await producer.produce(requestOf(given))).toMatchObject({ consumed: 3, dropped: 3 });
    expect(calls).toEqual([]);
  });
});
