import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { anomaliesOf, membersOf, unsetKeys, usageOf } from '../../../src/ui/pages/scenarios/membership.js';
import {
  chartOf,
  looked,
  meanRate,
  movingKeys,
  TRACK_LENGTH,
  type Tracks,
} from '../../../src/ui/pages/scenarios/moving.js';
import {
  knobsOf,
  numberOfText,
  valueOfText,
  valueSummaryOf,
} from '../../../src/ui/pages/scenarios/values.js';

const tracksAfter = (looks: readonly JsonObject[]): Tracks =>
  looks.reduce<Tracks>((tracks, globals, n) => looked(tracks, globals, 1_000 * n), new Map());

describe('numbers that change by themselves', () => {
  test('are those that changed twice and that the page did not change', () => {
    const tracks = tracksAfter([
      { orders: 1, sale: 20, own: 1 },
      { orders: 2, sale: 25, own: 2 },
      { orders: 3, sale: 25, own: 3 },
    ]);
    expect([...movingKeys(tracks, new Set(['own']))]).toEqual(['orders']);
  });

  test('are forgotten when they are gone', () => {
    expect([...tracksAfter([{ a: 1 }, { a: 2 }, {}, { a: 3 }]).values()]).toEqual([
      { changes: 0, looks: [{ at_ms: 3_000, value: 3 }] },
    ]);
  });

  test('keep the last looks only', () => {
    const looks = Array.from({ length: 2 * TRACK_LENGTH }, (_, n) => ({ n }));
    expect(tracksAfter(looks).get('n')?.looks).toHaveLength(TRACK_LENGTH);
  });

  test('show their growth, or their values if they also fall', () => {
    const looks = (...values: number[]) => values.map((value, n) => ({ at_ms: 500 * n, value }));
    expect(chartOf(looks(10, 12, 12, 17))).toEqual([4, 0, 10]);
    expect(chartOf(looks(3, -1, 2))).toEqual([4, 0, 3]);
    expect(meanRate(looks(10, 12, 16))).toBe(6);
    expect(meanRate(looks(10))).toBe(0);
  });
});

test('knobs are the numbers and booleans among the chosen keys, by name', () => {
  const globals = { sale: 1, note: 'x', is_open: true, orders: 5, none: null };
  expect(knobsOf(globals, (key) => key !== 'orders')).toEqual([
    ['is_open', true],
    ['sale', 1],
  ]);
});

test('a typed value is JSON, or text', () => {
  expect(['5', 'true', 'null', '[1]', 'hello', '', '"5"'].map(valueOfText)).toEqual([
    5,
    true,
    null,
    [1],
    'hello',
    '',
    '5',
  ]);
  expect([' 1.5 ', '-2e3', '', 'x', '1e999', '12345678901234567890'].map(numberOfText)).toEqual([
    1.5,
    -2000,
    null,
    null,
    null,
    null,
  ]);
  expect([valueSummaryOf([1]), valueSummaryOf({ a: 1, b: 2 })]).toEqual(['1 item', '2 keys']);
});

test('anomalies are those of members with the folder of a library generator', () => {
  const library = [
    { name: 'web-nginx', anomalies: [{ name: 'scan', help: 'A scan.' }] },
    {
      name: 'vpn-gateway',
      anomalies: [
        { name: 'scan', help: 'Other.' },
        { name: 'brute_force', help: 'x' },
      ],
    },
    { name: 'mail-gateway', anomalies: [{ name: 'spam', help: 'x' }] },
  ];
  const entries = [
    { id: 'web', path: 'web-nginx/generator.yml' },
    { id: 'vpn', path: '/abs/vpn-gateway/generator.yml' },
    { id: 'mail', path: 'mail-gateway/generator.yml' },
    { id: 'own', path: 'own/generator.yml' },
  ];
  expect(anomaliesOf(['web', 'vpn', 'own'], entries, library)).toEqual([
    { name: 'brute_force', help: 'x', members: ['vpn'] },
    { name: 'scan', help: 'A scan.', members: ['web', 'vpn'] },
  ]);
});

test('each key knows the templates that write and read it', () => {
  const usage = usageOf([
    {
      member: 'a',
      report: {
        writes: [{ key: 'n', template: 'x.j2:1' }],
        reads: [{ key: 'sale', template: 'x.j2:2' }],
        warnings: [{ type: 'dynamic_key', template: 'x.j2:3' }],
        knobs: [],
      },
    },
    {
      member: 'b',
      report: { writes: [], reads: [{ key: 'n', template: 'y.j2:9' }], warnings: [], knobs: [] },
    },
  ]);
  expect(usage.keys.get('n')).toEqual({
    writes: [{ member: 'a', template: 'x.j2:1' }],
    reads: [{ member: 'b', template: 'y.j2:9' }],
  });
  expect(usage.unclear).toEqual([{ member: 'a', template: 'x.j2:3' }]);
  expect(unsetKeys(usage, (key) => key === 'n')).toEqual(['sale']);
});

test('a member that runs says what its next start changes', () => {
  const entries = [
    { id: 'new', scenarios: ['shop'] },
    { id: 'old', scenarios: [] },
    { id: 'idle', scenarios: ['other', 'shop'] },
  ];
  const generators = [
    { id: 'new', scenarios: [] },
    { id: 'old', scenarios: ['shop'] },
    { id: 'idle', scenarios: [] },
  ];
  const isUp = (id: string): boolean => id !== 'idle';
  expect(membersOf('shop', ['new', 'old', 'idle'], { entries, generators, isUp })).toEqual([
    { id: 'new', isListed: true, atNextStart: 'joins', isHome: true },
    { id: 'old', isListed: false, atNextStart: 'leaves', isHome: true },
    { id: 'idle', isListed: true, atNextStart: null, isHome: false },
  ]);
});
