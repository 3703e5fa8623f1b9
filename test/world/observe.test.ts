import { describe, expect, test } from '@jest/globals';
import { MICROS_PER_MINUTE, MICROS_PER_SECOND } from '../../src/domain/time/micros.js';
import { observed, type Selection } from '../../src/world/observe.js';
import { rememberLast } from '../../src/world/remember.js';
import type { World } from '../../src/world/world.js';
import { activityAt, attack, FIRST_MINUTE, hostAt, WORLD_START, worldWith } from '../support/worlds.js';

const ALL: Selection = {
  kinds: ['logon'],
  os: null,
  roles: null,
  sites: null,
  seen: 1,
  delay_seconds: 0,
  clock_error_seconds: 0,
};

const MINUTES = 20;
/** One every 0.7 s, at microseconds that minutes do not divide. */
const steady = worldWith(
  Array.from({ length: (MINUTES * 60) / 0.7 }, (_, index) => activityAt(index * 700_001, index)),
);

/** Ids with their observed times after the start, minute by minute. */
const seenIn = (world: World, more: Partial<Selection>, minutes = MINUTES) => {
  const { minute } = observed(world, { ...ALL, ...more });
  return Array.from({ length: minutes + 2 }, (_, index) => minute(FIRST_MINUTE - 1 + index)).flatMap(
    ({ at, activities }) =>
      activities.map(({ id }, index) => [id, (at[index] as number) - WORLD_START] as const),
  );
};
const idsIn = (...given: Parameters<typeof seenIn>): readonly number[] => seenIn(...given).map(([id]) => id);

describe('a source', () => {
  test('sees the activities of its kinds, in order', () => {
    const world = worldWith([activityAt(5, 1), activityAt(3, 2, { kind: 'logoff' }), activityAt(1, 3)]);
    expect(seenIn(world, {})).toEqual([
      [3, 1],
      [1, 5],
    ]);
  });

  test('moves attacks to microseconds that are free, and nothing else for them', () => {
    const end = MICROS_PER_MINUTE - 1;
    const normal = [activityAt(1, 11), activityAt(2, 12), activityAt(4, 13), activityAt(end, 14)];
    const truth = attack('spray');
    const world = worldWith([
      ...normal,
      activityAt(1, 1, { truth }),
      activityAt(1, 2, { truth }),
      activityAt(end, 3, { truth }),
    ]);
    const seen = seenIn(world, {});
    expect(seen).toEqual([
      [11, 1],
      [12, 2],
      [1, 3],
      [13, 4],
      [2, 5],
      [3, end - 1],
      [14, end],
    ]);
    expect(seen.filter(([id]) => id > 10)).toEqual(seenIn(worldWith(normal), {}));
  });

  test('sees only those attacks that it looks at', () => {
    const world = worldWith([
      activityAt(1, 1),
      activityAt(2, 2, { truth: attack('spray') }),
      activityAt(3, 3, { truth: attack('theft') }),
    ]);
    const idsWith = (...attacks: readonly string[]): readonly number[] =>
      observed(world, ALL, null, new Set(attacks))
        .minute(FIRST_MINUTE)
        .activities.map(({ id }) => id);
    expect(idsWith('none')).toEqual([1]);
    expect(idsWith('theft')).toEqual([1, 3]);
    expect(idsIn(world, {})).toEqual([1, 2, 3]);
  });

  test('sees the hosts with its operating systems, roles and sites', () => {
    const world = worldWith([
      activityAt(1, 1, { host: hostAt('DC01', 'domain_controller', 'windows') }),
      activityAt(2, 2, { host: hostAt('proxy', 'proxy', 'linux', 'zurich') }),
      activityAt(3, 3, { host: null }),
    ]);
    expect(idsIn(world, {})).toEqual([1, 2, 3]);
    expect(idsIn(world, { os: 'windows' })).toEqual([1]);
    expect(idsIn(world, { roles: ['proxy', 'firewall'] })).toEqual([2]);
    expect(idsIn(world, { sites: ['zurich'] })).toEqual([2]);
    expect(idsIn(world, { os: 'windows', sites: ['zurich'] })).toEqual([]);
  });

  test('sees, of connections, only those over the VPN to a server when it looks at no others', () => {
    const connection = (id: number, zone: string, to_zone: string) =>
      activityAt(id, id, { kind: 'connection', facts: { zone, to_zone } });
    const world = worldWith([
      activityAt(1, 1),
      connection(2, 'vpn', 'servers'),
      connection(3, 'vpn', 'outside'),
      connection(4, 'office', 'servers'),
    ]);
    const kinds = ['logon', 'connection'] as const;
    expect(idsIn(world, { kinds })).toEqual([1, 2, 3, 4]);
    expect(idsIn(world, { kinds, over_vpn: true })).toEqual([1, 2]);
  });

  test('misses the share that it does not see, the same one each time', () => {
    const all = idsIn(steady, {}).length;
    const some = idsIn(steady, { seen: 0.25 });
    expect(Math.abs(some.length / all - 0.25)).toBeLessThan(0.05);
    expect(idsIn(steady, { seen: 0.25 })).toEqual(some);
    expect(idsIn(steady, { seen: 0.25, kinds: ['logon', 'logoff'] })).not.toEqual(some);
    expect(new Set(idsIn(steady, { seen: 0.5 }))).toEqual(
      new Set([...idsIn(steady, { seen: 0.5 }), ...some]),
    );
    expect(idsIn(steady, { seen: 0 })).toEqual([]);
  });

  test('tells of each activity once, whatever the delay and the error of its clock', () => {
    const all = idsIn(steady, {});
    for (const more of [
      { delay_seconds: 20 },
      { clock_error_seconds: -59.5 },
      { delay_seconds: 60, clock_error_seconds: 60 },
    ])
      expect([...idsIn(steady, more, MINUTES + 3)].sort((a, b) => a - b)).toEqual(all);
  });

  test('delays by an exponential with the mean, and by a minute at most', () => {
    const delays = seenIn(steady, { delay_seconds: 5 }, MINUTES + 3).map(
      ([id, at]) => (at - id * 700_001) / MICROS_PER_SECOND,
    );
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(61);
    expect(Math.abs(delays.reduce((sum, one) => sum + one, 0) / delays.length - 5)).toBeLessThan(0.5);
  });

  test('has a minute that does not depend on the minutes before', () => {
    const more = { ...ALL, seen: 0.9, delay_seconds: 7, clock_error_seconds: 12.25 };
    const inOrder = observed(steady, more);
    const run = Array.from({ length: MINUTES }, (_, index) => inOrder.minute(FIRST_MINUTE + index));
    for (const index of [17, 3, 11, 0, 8])
      expect(observed(steady, more).minute(FIRST_MINUTE + index)).toEqual(run[index]);
  });

  test('moves activities of one microsecond apart, within their minute', () => {
    const last = MICROS_PER_MINUTE - 1;
    const world = worldWith([
      ...[3, 1, 2].map((id) => activityAt(0, id)),
      ...[7, 5, 6].map((id) => activityAt(last, id)),
      activityAt(last + 1, 9),
    ]);
    expect(seenIn(world, {})).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [5, last - 2],
      [6, last - 1],
      [7, last],
      [9, last + 1],
    ]);
  });
});

test('minutes are kept for those who look at the same ones, the last of them', () => {
  const asked: number[] = [];
  const { of: minute, forget } = rememberLast(
    (number) => asked.push(number),
    () => 1,
  );
  for (const number of [1, 2, 1, 2, 3]) minute(number);
  expect(asked).toEqual([1, 2, 3]);
  for (let number = 10; number < 60; number++) minute(number);
  minute(1);
  expect(asked.at(-1)).toBe(1);
  forget();
  minute(59);
  expect(asked.at(-1)).toBe(59);
});
