import { describe, expect, test } from '@jest/globals';
import {
  filteredFlow,
  flowOf,
  flowPicture,
  MAX_SHOWN_KEYS,
} from '../../../src/ui/pages/scenarios/flow/flow.js';
import { usageOf } from '../../../src/ui/pages/scenarios/membership.js';

const uses = (template: string, ...keys: string[]) => keys.map((key) => ({ key, template }));

const USAGE = usageOf([
  {
    member: 'orders',
    report: {
      writes: uses('orders.ts', 'open', 'orders'),
      reads: [...uses('generator.yml', 'sale'), ...uses('orders.ts', 'open')],
      warnings: [],
      knobs: [],
    },
  },
  { member: 'mail', report: { writes: [], reads: uses('mail.jinja', 'open'), warnings: [], knobs: [] } },
  { member: 'clock', report: { writes: uses('c.py', 'now'), reads: [], warnings: [], knobs: [] } },
  { member: 'quiet', report: { writes: [], reads: [], warnings: [], knobs: [] } },
]);
const IDS = ['orders', 'mail', 'clock', 'quiet'];
const FLOW = flowOf(USAGE, IDS, ['open', 'stray']);

describe('the flow of data', () => {
  test('has each key with its writers and readers, and says in words who is missing', () => {
    expect(FLOW.keys).toEqual([
      { key: 'now', writers: ['clock'], readers: [], note: 'nobody reads it' },
      { key: 'open', writers: ['orders'], readers: ['mail', 'orders'], note: null },
      { key: 'orders', writers: ['orders'], readers: [], note: 'nobody reads it' },
      { key: 'sale', writers: [], readers: ['orders'], note: 'not set; only people set it' },
      { key: 'stray', writers: [], readers: [], note: 'no file names it' },
    ]);
    const own = { writes: uses('a.ts', 'n'), reads: uses('a.ts', 'n'), warnings: [], knobs: [] };
    expect(flowOf(usageOf([{ member: 'a', report: own }]), ['a'], []).keys[0]?.note).toBe('only a uses it');
    expect(flowOf(USAGE, IDS, ['sale']).keys.find(({ key }) => key === 'sale')?.note).toBe(
      'only people set it',
    );
  });

  test('has the files of each member, and names members without a use', () => {
    expect(FLOW.members.map(({ id, files }) => [id, files])).toEqual([
      ['orders', ['generator.yml', 'orders.ts']],
      ['mail', ['mail.jinja']],
      ['clock', ['c.py']],
    ]);
    expect(FLOW.unused).toEqual(['quiet']);
  });

  test('shows as many keys as there is room for, those that the filter finds, and who uses them', () => {
    const many = flowOf(
      USAGE,
      IDS,
      Array.from({ length: 100 }, (_, index) => `key ${index}`),
    );
    expect(filteredFlow(many, '').keys).toHaveLength(MAX_SHOWN_KEYS);
    const found = filteredFlow(FLOW, ' SAL ');
    expect(found.keys.map(({ key }) => key)).toEqual(['sale']);
    expect(found.members.map(({ id }) => id)).toEqual(['orders']);
  });
});

describe('the picture', () => {
  const boxes = (width: number) => {
    const { members, keys } = flowPicture(FLOW, width);
    return [...members, ...keys];
  };

  test.each([1_600, 900, 358])('of %i pixels has every node inside, and none on another', (width) => {
    const { height } = flowPicture(FLOW, width);
    const all = boxes(width);
    for (const box of all) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
    }
    const overlaps = all.flatMap((a, at) =>
      all
        .slice(at + 1)
        .filter(
          (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
        ),
    );
    expect(overlaps).toEqual([]);
  });

  test('has writers on the left, readers on the right, and those that do both where there is room', () => {
    const { members, keys } = flowPicture(FLOW, 1_200);
    const middle = keys[0]?.x ?? 0;
    const left = members.filter(({ x }) => x < middle).map(({ of }) => of.id);
    const right = members.filter(({ x }) => x > middle).map(({ of }) => of.id);
    expect([left.toSorted(), right]).toEqual([['clock', 'orders'], ['mail']]);
  });

  test('has an arrow for each use, with two heads for a key that a member writes and reads', () => {
    const { edges } = flowPicture(FLOW, 1_200);
    expect(
      edges
        .map(
          ({ member, key, isWrite, isRead }) => `${member} ${isRead ? '<' : ''}-${isWrite ? '>' : ''} ${key}`,
        )
        .toSorted(),
    ).toEqual(['clock -> now', 'mail <- open', 'orders -> orders', 'orders <- sale', 'orders <-> open']);
    for (const { path } of edges) expect(path).toMatch(/^M[\d.]+ [\d.]+ C/);
  });

  test('of nothing is empty', () => {
    expect(flowPicture(flowOf(usageOf([]), [], []), 800)).toMatchObject({ height: 0, edges: [] });
  });
});
