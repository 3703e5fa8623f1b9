import { describe, expect, test } from '@jest/globals';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import type { Json } from '../../src/domain/json.js';
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

describe('a part of a crowd', () => {
  const CROWDS = ['people', 'outside'] as const;
  /** Ten activities of each crowd, shown from a tenth of it on, from two tenths and so on; then one of nobody. */
  const given = [
    ...Array.from({ length: 20 }, (_, id) => {
      const crowd = CROWDS[Math.floor(id / 10)] ?? 'people';
      return activityAt(id * MICROS_PER_SECOND, id, { shown_from: { crowd, share: ((id % 10) + 1) / 10 } });
    }),
    activityAt(20 * MICROS_PER_SECOND, 20),
  ];

  const shownWith = async (
    globals: Readonly<Record<string, Json>>,
  ): Promise<readonly (number | undefined)[]> => {
    const { inner, calls } = noting(100, false);
    const producer = withActivities(inner, { get: (key) => globals[key] ?? null });
    producer.observe?.([inputOf(given)]);
    const made = await producer.produce(requestOf(given));
    const ids = calls.flatMap((call) => call.ids);
    expect(made).toMatchObject({ consumed: 21, dropped: 21 - ids.length });
    return ids;
  };
  const idsOf = (crowd: (typeof CROWDS)[number], count: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => CROWDS.indexOf(crowd) * 10 + index);

  test.each([0, 0.1, 0.35, 0.9, 1])('is what its global says: %p', async (part) => {
    const count = Math.floor(part * 10);
    const all = { people: idsOf('people', 10), outside: idsOf('outside', 10) };
    expect(await shownWith({ people_factor: part })).toEqual([...idsOf('people', count), ...all.outside, 20]);
    expect(await shownWith({ outside_factor: part })).toEqual([
      ...all.people,
      ...idsOf('outside', count),
      20,
    ]);
    const both = { people_factor: part, outside_factor: 0 };
    expect(await shownWith(both)).toEqual([...idsOf('people', count), 20]);
  });

  test.each([undefined, null, 'none', true, 7, -1])('is all when the global is %p', async (value) => {
    const globals = value === undefined ? {} : { people_factor: value, outside_factor: value };
    expect(await shownWith(globals)).toEqual(given.map(({ id }) => id));
  });

  test('changes between two calls', async () => {
    const { inner, calls } = noting(5, false);
    let part = 0.2;
    const producer = withActivities(inner, { get: (key) => (key === 'people_factor' ? part : null) });
    producer.observe?.([inputOf(given)]);
    const first = await producer.produce({ ...requestOf(given), to: 4 });
    part = 0.8;
    await producer.produce({ ...requestOf(given, first.consumed), to: 10 });
    expect(calls.map(({ ids }) => ids)).toEqual([
      [0, 1],
      [4, 5, 6, 7],
    ]);
  });
});
