import { describe, expect, test } from '@jest/globals';
import type { Activity, ActivityKind } from '../../src/world/activity/kinds.js';
import { routersOf } from '../../src/world/activity/routers/flows.js';
import { FLOOD_RECIPES } from '../../src/world/attack/edge.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';

const minuteOf = (text: string): number => Date.parse(text) / 60_000;
/** A Tuesday, and the night after it. */
const MORNING = minuteOf('2026-11-24T09:00:00Z');
const NIGHT = minuteOf('2026-11-25T02:00:00Z');
const RECORDS = ['flow_record', 'meter_flow', 'keep_network'] as const;

const seenIn = (kinds: readonly ActivityKind[], from: number, minutes: number): readonly Activity[] => {
  const look = makeWorld(DEFAULT_WORLD).lookAt({ kinds });
  return Array.from({ length: minutes }, (_, index) => look(from + index)).flat();
};
const number = ({ facts }: Activity, name: string): number => facts[name] as number;
const isBack = ({ facts }: Activity): boolean => facts['is_back'] === true;
/** When the last packet came. */
const endOf = (record: Activity): number =>
  number(record, 'began_at') + number(record, 'milliseconds') * 1_000;
const of =
  (kind: ActivityKind) =>
  (activity: Activity): boolean =>
    activity.kind === kind;

const world = makeWorld(DEFAULT_WORLD);
const all = seenIn([...RECORDS, 'connection'], MORNING, 20);
const records = all.filter(({ kind }) => kind !== 'connection');
const night = seenIn(RECORDS, NIGHT, 20);

/** Both records of each flow that began and ended in one record. */
const pairsOf = (given: readonly Activity[]): readonly (readonly [Activity, Activity])[] => {
  const there = new Map<number, Activity>();
  const found: (readonly [Activity, Activity])[] = [];
  for (const record of given) {
    const id = number(record, 'connection');
    if (!isBack(record)) there.set(id, record);
    const first = there.get(id);
    if (isBack(record) && first !== undefined && number(first, 'part') === number(record, 'part'))
      found.push([first, record]);
  }
  return found;
};

/** Those for which something is not so: one check for thousands of records. */
const wrongOf = (given: readonly Activity[], isRight: (record: Activity) => boolean): readonly Activity[] =>
  given.filter((record) => !isRight(record));

describe('the routers of a world', () => {
  test('tell of connections that are there, with their ends and sizes', () => {
    const connections = new Map(all.filter(of('connection')).map((one) => [one.id, one]));
    const known = records.filter(
      (one) => one.kind === 'flow_record' && connections.has(number(one, 'connection')),
    );
    expect(known.length).toBeGreaterThan(2_000);
    const names = ['ip', 'port', 'to_ip', 'to_port', 'protocol', 'edge'];
    const isRight = (record: Activity): boolean => {
      const connection = connections.get(number(record, 'connection')) as Activity;
      const way = isBack(record) ? 'in' : 'out';
      return (
        record.cause === connection.id &&
        record.at > connection.at &&
        names.every((name) => record.facts[name] === connection.facts[name]) &&
        number(record, 'bytes') >= number(connection, `bytes_${way}`) &&
        number(record, 'packets') === number(connection, `packets_${way}`)
      );
    };
    expect(wrongOf(known, isRight)).toEqual([]);
  });

  test('tell of both directions, and of no way back of what is refused', () => {
    const pairs = pairsOf(records);
    expect(pairs.length).toBeGreaterThan(3_000);
    const same = ['ip', 'port', 'router', 'began_at', 'milliseconds', 'service_class'];
    const unlike = pairs.filter(
      ([there, back]) => back.at <= there.at || same.some((name) => back.facts[name] !== there.facts[name]),
    );
    expect(unlike).toEqual([]);
    const refused = records.filter(({ facts }) => facts['action'] === 'deny');
    expect(refused.length).toBeGreaterThan(500);
    expect(refused.filter(isBack)).toEqual([]);
  });

  test('count packets that hold the bytes, in the time that a flow has lasted', () => {
    const isRight = (record: Activity): boolean => {
      const size = number(record, 'bytes') / number(record, 'packets');
      const ended = endOf(record) <= record.at;
      const isWhole = record.facts['end'] !== 'active' || number(record, 'milliseconds') === 60_000;
      return size >= 40 && size <= 1_500 && ended && isWhole;
    };
    expect(wrongOf([...records, ...night], isRight)).toEqual([]);
  });

  test('wait for fifteen seconds before they tell of what has no end', () => {
    const idle = records.filter(({ facts }) => facts['protocol'] !== 'tcp' && facts['edge'] === 'none');
    expect(idle.length).toBeGreaterThan(500);
    const isRight = (record: Activity): boolean =>
      record.facts['end'] === 'idle' && (record.at - endOf(record)) / 1_000_000 > 14.9;
    expect(wrongOf(idle, isRight)).toEqual([]);
  });

  test('are the firewall for IPv4 at the edge, and the routers there for ICMP and IPv6', () => {
    const routers = new Set([
      ...routersOf(DEFAULT_WORLD.organization.sites).map(({ router }) => router),
      'fw-01',
    ]);
    expect(new Set(records.map(({ facts }) => facts['router']))).toEqual(routers);
    const isRight = ({ facts, kind }: Activity): boolean => {
      const isBorder = String(facts['router']).startsWith('rt-border');
      const isEdge = facts['edge'] !== 'none';
      const isV6 = String(facts['ip']).includes(':');
      return (
        isBorder === (kind === 'keep_network' && isEdge) &&
        String(facts['to_ip']).includes(':') === isV6 &&
        (isBorder || !(isV6 || (facts['protocol'] === 'icmp' && isEdge))) &&
        (facts['as_number'] === null) === !isEdge
      );
    };
    expect(wrongOf(records, isRight)).toEqual([]);
    for (const protocol of ['tcp', 'udp', 'icmp', 'ipv6-icmp'])
      expect(records.filter(({ facts }) => facts['protocol'] === protocol).length).toBeGreaterThan(30);
  });

  test('tell of a connection that lasts once a minute, under one number', () => {
    const lasting = new Map<number, Activity[]>();
    for (const record of [...records].filter((one) => !isBack(one) && number(one, 'milliseconds') === 60_000))
      lasting.set(number(record, 'connection'), [
        ...(lasting.get(number(record, 'connection')) ?? []),
        record,
      ]);
    const long = [...lasting.values()].filter(({ length }) => length >= 15);
    expect(long.length).toBeGreaterThanOrEqual(8);
    for (const one of long)
      one.slice(1).forEach((record, index) => {
        const before = one[index] as Activity;
        expect(number(record, 'part')).toBe(number(before, 'part') + 1);
        expect(number(record, 'began_at') - number(before, 'began_at')).toBe(60_000_000);
      });
  });

  test('tell of less by night, when devices and servers go on and people do not', () => {
    expect(night.length).toBeLessThan(records.length * 0.75);
    expect(night.length).toBeGreaterThan(records.length * 0.2);
    const devices = ({ facts }: Activity): boolean => String(facts['ip']).startsWith('10.200.');
    expect(night.filter(devices).length).toBeGreaterThan(500);
    const pages = ({ facts }: Activity): boolean => facts['edge'] === 'out' && facts['zone'] === 'office';
    expect(night.filter(pages).length).toBeLessThan(records.filter(pages).length * 0.1);
  });

  test('are the same whatever else is looked at, and from whichever minute', () => {
    const later = seenIn(RECORDS, MORNING + 7, 1);
    const known = records.filter(
      ({ at }) => at >= (MORNING + 7) * 60_000_000 && at < (MORNING + 8) * 60_000_000,
    );
    expect(later.map(({ id, at, facts }) => ({ id, at, facts }))).toEqual(
      known.map(({ id, at, facts }) => ({ id, at, facts })),
    );
  });

  test('count a flood in the shares of everyday life, a part of it aimed at three addresses', () => {
    expect(FLOOD_RECIPES.ddos.acts).toContain('keep_network');
    for (const from of [MORNING, NIGHT]) {
      const acts = world
        .campaign('ddos', Math.floor(from / 20))
        .filter(({ kind }) => kind === 'keep_network');
      expect(acts.length).toBeGreaterThan(300);
      const there = acts.filter(({ facts }) => facts['is_back'] === false);
      const share = (protocol: string): number =>
        there.filter(({ facts }) => facts['protocol'] === protocol).length / there.length;
      expect(share('icmp')).toBeGreaterThan(0.15);
      expect(share('tcp')).toBeGreaterThan(0.3);
      const counts = new Map<unknown, number>();
      for (const { facts } of there.filter((act) => act.facts['edge'] === 'in'))
        counts.set(facts['to_ip'], (counts.get(facts['to_ip']) ?? 0) + 1);
      const most = [...counts.values()].sort((a, b) => b - a);
      expect(most[2]).toBeGreaterThan(8);
      expect(most[3]).toBeLessThan(8);
    }
  });
});
