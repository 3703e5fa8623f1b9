import { describe, expect, test } from '@jest/globals';
import { eventTable } from '../../../../src/analysis/inspect/tells/table.js';
import { findTells } from '../../../../src/analysis/inspect/tells/tells.js';
import { seededRandom } from '../../../../src/domain/random.js';

const START = 1_772_442_000_000_000;
const LABEL = '/labels/anomaly';
const EVENTS = 4_000;

interface Made {
  readonly user: string;
  readonly bytes: number;
  readonly time: string;
  readonly isAttack: boolean;
  readonly [more: string]: unknown;
}

/** Events of which one of ten belongs to an attack; `change` makes it different from the others. */
const reportOf = (
  change: (event: Made, next: () => number) => object,
  indicators: readonly string[] = [],
) => {
  const random = seededRandom(7);
  const table = eventTable();
  for (let number = 0; number < EVENTS; number++) {
    const isAttack = random.next() < 0.1;
    const plain = {
      user: `user${random.integer(0, 40)}`,
      bytes: random.integer(100, 5_000),
      time: `2026-03-02T09:${String(random.integer(10, 59))}:00.${random.integer(100, 999)}Z`,
    };
    const event = change({ ...plain, isAttack }, random.next);
    const { isAttack: _, ...shown } = event as Made;
    const labels = { anomaly: isAttack ? 'theft' : 'none' };
    table.add(START + number * 250_123, JSON.stringify({ ...shown, labels }));
  }
  const [attack] = findTells(table.table(), { label: LABEL, indicators }).attacks;
  if (attack === undefined) throw new Error('there is no attack');
  return attack;
};

const told = (...given: Parameters<typeof reportOf>) => reportOf(...given).tells.map(({ text }) => text);

describe('an attack is given away by', () => {
  test.each<[string, Parameters<typeof reportOf>[0], string]>([
    ['a value', (event) => (event.isAttack ? { ...event, user: 'mallory' } : event), '/user is "mallory"'],
    [
      'a value of a part of it',
      (event, next) => (event.isAttack && next() < 0.3 ? { ...event, user: 'mallory' } : event),
      '/user is "mallory"',
    ],
    ['a field', (event) => (event.isAttack ? { ...event, tool: event.bytes } : event), '/tool is there'],
    [
      'a length',
      (event) => (event.isAttack ? { ...event, user: `${event.user}-${10_000 + event.bytes}` } : event),
      '/user has ',
    ],
    [
      'the fraction of a second',
      (event) => (event.isAttack ? event : { ...event, time: event.time.replace(/\..*Z/, 'Z') }),
      '/time has ',
    ],
    ['a type', (event) => (event.isAttack ? { ...event, flag: '1' } : { ...event, flag: 1 }), '/flag is "1"'],
  ])('%s that no normal event has', (_, change, mark) => {
    const report = reportOf(change);
    expect(report.tells.map(({ text }) => text)).toContainEqual(expect.stringContaining(mark));
    expect(report.is_within).toBe(false);
  });

  test('two fields together, which a tree of two questions finds on events that it has not seen', () => {
    const { tells, tree, is_within } = reportOf((event, next) => {
      const [first, second] = [next() < 0.5, next() < 0.5];
      return { ...event, first, second: event.isAttack ? first : second };
    });
    expect(tells).toEqual([]);
    // A half of the normal events has equal fields, too.
    expect(tree?.accuracy).toBeGreaterThan(0.7);
    expect(tree?.accuracy).toBeLessThan(0.8);
    expect(tree?.shuffled).toBeLessThan(0.56);
    expect(is_within).toBe(false);
  });
});

describe('an attack is not given away', () => {
  test('when its events are like the others', () => {
    const report = reportOf((event) => event);
    expect(report).toMatchObject({ attack: 'theft', tells: [], is_within: true });
    expect(report.tree?.accuracy).toBeLessThan(0.56);
  });

  test('by a value that normal events have, too, or that few of its events have', () => {
    expect(
      told((event, next) => (next() < (event.isAttack ? 0.9 : 0.001) ? { ...event, user: 'eve' } : event)),
    ).toEqual([]);
    expect(
      told((event, next) => (event.isAttack && next() < 0.1 ? { ...event, user: 'eve' } : event)),
    ).toEqual([]);
  });

  test('by a declared indicator, or one below it', () => {
    const change = (event: Made) => ({
      ...event,
      source: { ip: event.isAttack ? '203.0.113.9' : '10.0.0.1' },
    });
    expect(told(change)).toEqual(['/source/ip is "203.0.113.9"']);
    expect(reportOf(change, ['/source/ip']).is_within).toBe(true);
    expect(reportOf(change, ['/source']).is_within).toBe(true);
    expect(told(change, ['/sour'])).toHaveLength(1);
  });

  test('by a number that grows with the time: it tells when the attack was, as the time does', () => {
    const accuracyWith = (numberOf: (event: number) => number): number | undefined => {
      const random = seededRandom(7);
      const table = eventTable();
      for (let event = 0; event < EVENTS; event++) {
        const labels = { anomaly: event >= 1_000 && event < 1_400 ? 'theft' : 'none' };
        const shown = { user: `user${random.integer(0, 40)}`, number: numberOf(event), labels };
        table.add(START + event * 250_123, JSON.stringify(shown));
      }
      return findTells(table.table(), { label: LABEL, indicators: [] }).attacks[0]?.tree?.accuracy;
    };
    expect(accuracyWith((event) => 7_000 + event * 3)).toBeLessThan(0.6);
    // Connections take numbers one after the other, and stay open for a while.
    expect(accuracyWith((event) => event - ((event * 7_919) % 100))).toBeLessThan(0.6);
    // Some stay open for long: every fifth event is of one that began up to 800 events before.
    expect(
      accuracyWith((event) => (event % 5 > 0 ? event : Math.max(0, event - ((event * 7_919) % 800)))),
    ).toBeLessThan(0.6);
    expect(accuracyWith((event) => event % 2_000)).toBeGreaterThan(0.7);
    expect(accuracyWith((event) => (event < 1_500 ? 1 : 2))).toBeGreaterThan(0.7);
  });

  test('by its label or what stands beside it', () => {
    expect(told((event) => event)).toEqual([]);
  });
});

describe('labelled events', () => {
  const tableOf = (labels: readonly unknown[]) => {
    const table = eventTable();
    for (const [number, anomaly] of labels.entries())
      table.add(START + number, JSON.stringify({ n: number % 3, labels: { anomaly } }));
    return table.table();
  };

  test('belong to the attack that their label names; none, normal, benign, false and null name no attack', () => {
    const report = findTells(tableOf(['none', 'normal', 'benign', false, null, '', 'a', 'b', 'b']), {
      label: LABEL,
      indicators: [],
    });
    expect(report).toMatchObject({ events: 9, normal_events: 6 });
    expect(report.attacks.map(({ attack, events, tree }) => [attack, events, tree])).toEqual([
      ['a', 1, null],
      ['b', 2, null],
    ]);
  });

  test('without any attack make an empty report', () => {
    expect(findTells(tableOf(['none']), { label: LABEL, indicators: [] }).attacks).toEqual([]);
  });

  test('may be texts with pairs', () => {
    const table = eventTable();
    for (let number = 0; number < 200; number++) {
      const isAttack = number % 2 === 0;
      table.add(
        START + number,
        `n=${number % 3} tool=${isAttack ? 'nmap' : 'curl'} anomaly=${isAttack ? 'scan' : 'none'}`,
      );
    }
    const [scan] = findTells(table.table(), { label: 'anomaly', indicators: [] }).attacks;
    expect(scan?.tells.map(({ text }) => text)).toEqual(['tool is "nmap"']);
  });

  test('are told apart by type, length and place, whatever they hold', () => {
    const table = eventTable();
    const long = 'x'.repeat(200);
    const values = ['5', 5, `${long}1`, `${long}2`, `${long}22`, ['a', 'b'], { '[*]': 'a,b' }, ['a', ['b']]];
    for (const [number, value] of [...values, ...values].entries())
      table.add(START + number, JSON.stringify({ [`own${number}`]: 1, value, last: 1 }));
    const columns = table.table().columns.filter(({ path }) => !path.startsWith('/own'));
    const codes = (path: string) => [...(columns.find((column) => column.path === path)?.codes ?? [])];
    // The members of a deeper array are a place of their own.
    expect(columns.map(({ path }) => path)).toEqual([
      '/value',
      '/last',
      '/value[*]',
      '/value/[*]',
      '/value[*][*]',
    ]);
    expect(codes('/value')).toEqual([...Array<number[]>(2)].flatMap(() => [1, 2, 3, 3, 4, 0, 0, 0]));
    expect(codes('/value[*]')).toEqual([...Array<number[]>(2)].flatMap(() => [0, 0, 0, 0, 0, 1, 0, 2]));
    expect(codes('/last')).toEqual(Array(16).fill(1));
  });

  test('may have names of their own in every event: the first thousand are compared, and those known before', () => {
    const table = eventTable();
    const EVENTS_WITH_NAMES = 12_000;
    for (let number = 0; number < EVENTS_WITH_NAMES; number++)
      table.add(
        START + number,
        `{"n":${number % 2},"by":{"id${number}":1},"deep":${'['.repeat(50)}1${']'.repeat(50)}}`,
      );
    const { columns } = table.table();
    expect(columns).toHaveLength(1_000);
    expect(columns.slice(0, 2).map(({ path }) => path)).toEqual(['/n', '/by/id0']);
    expect([...(columns[0]?.codes ?? [])].slice(-2)).toEqual([1, 2]);
  });
});
