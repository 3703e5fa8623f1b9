import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  eventHeight,
  layoutOf,
  MAX_CLOSED_HEIGHT,
  noteLines,
  paceOf,
  sideOf,
  strokeWidthOf,
  type Tone,
  toneOfGroup,
} from '../../../src/ui/pages/generator/pipeline/layout.js';
import type { PartKey } from '../../../src/ui/pages/generator/pipeline/parts.js';
import type { Box, EventBox, OutputBox } from '../../../src/ui/pages/generator/pipeline/picture.js';

const box = (key: PartKey, given: Partial<Box> = {}): Box => ({
  ...{ key, plugin: 'cron', detail: '', count: 0, rate: 0, troubles: [], notes: [] },
  ...given,
});
const inputs = (count: number, given: Partial<Box> = {}): readonly Box[] =>
  Array.from({ length: count }, (_, index) => box(`input ${index}`, given));
const outputs = (count: number, given: Partial<OutputBox> = {}): readonly OutputBox[] =>
  Array.from({ length: count }, (_, index) => ({
    ...box(`output ${index}`),
    ...{ plugin: 'file', formatter: 'json', bytes: 0 },
    ...given,
  }));
const bars = (count: number, others: number): EventBox => ({
  ...box('event', { plugin: 'template', rate: 30 }),
  templates: Array.from({ length: count }, (_, index) => ({
    name: `t${index}`,
    count: 1,
    share: 0.1,
    rate: 1,
  })),
  others: others === 0 ? null : { count: others, share: 0.1 },
});
const EVENT = bars(0, 0);
const calm = (): Tone => 'ok';
const layout = (left: number, right: number, event = EVENT, toneOf: (key: PartKey) => Tone = calm) =>
  layoutOf(
    { event },
    sideOf(inputs(left, { rate: 10 }), 'input', toneOf),
    sideOf(outputs(right, { rate: 10 }), 'output', toneOf),
    toneOf,
  );

describe('a side of the picture', () => {
  test('shows up to three nodes, and more as one with their sums', () => {
    expect(sideOf(inputs(3), 'input', calm).group).toBeNull();
    const many = outputs(4, { count: 5, rate: 2, bytes: 100 });
    expect(sideOf(many, 'output', calm).group).toEqual({
      title: '4 outputs',
      detail: 'file',
      count: 20,
      rate: 8,
      bytes: 400,
      troubles: [],
      failed: 0,
      slow: 0,
    });
  });

  test('names each plugin once, adds up trouble, and says how many failed or are slow', () => {
    const lost = [{ count: 2, what: 'lost', isLoss: true }];
    const many = [...inputs(3, { troubles: lost }), box('input 3', { plugin: 'rate', troubles: lost })];
    const toneOf = (key: PartKey): Tone => (key === 'input 1' ? 'failed' : 'slow');
    const { group } = sideOf(many, 'input', toneOf);
    expect(group).toMatchObject({
      detail: 'cron, rate',
      troubles: [{ count: 8, what: 'lost', isLoss: true }],
      failed: 1,
      slow: 3,
    });
    expect(group === null ? null : toneOfGroup(group)).toBe('failed');
  });
});

describe('the lines of the picture', () => {
  /** Start and end of a path as x and y. */
  const ends = (path: string): readonly (readonly number[])[] => {
    const numbers = path.split(/[MC ]/).filter(Boolean).map(Number);
    return [numbers.slice(0, 2), numbers.slice(-2)];
  };

  test('join each input with the event, and the queue behind it with each output', () => {
    const { height, curves } = layout(3, 2);
    const at = (key: string) => ends(curves.find((one) => one.key === key)?.path ?? '');
    const middle = height / 2;
    expect(at('input 0')[1]).toEqual([30, middle]);
    expect(at('input 2')[1]).toEqual([30, middle]);
    expect(at('event')).toEqual([
      [55, middle],
      [58, middle],
    ]);
    expect(at('output 0')[0]).toEqual([67, middle]);
    expect(at('output 1')[0]).toEqual([67, middle]);
    // The nodes are as far from each other as their height and gap, around the middle.
    expect([at('input 0'), at('input 1'), at('input 2')].map(([from]) => (from?.[1] ?? 0) - middle)).toEqual([
      -62, 0, 62,
    ]);
    expect([at('output 0'), at('output 1')].map(([, to]) => (to?.[1] ?? 0) - middle)).toEqual([-31, 31]);
  });

  test('stay inside a height that is never above the limit', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.nat(6), fc.nat(1), (left, right, templates, others) => {
        const event = bars(templates, others);
        const { height, curves } = layout(left, right, event);
        expect(height).toBeLessThanOrEqual(MAX_CLOSED_HEIGHT);
        expect(height).toBeGreaterThanOrEqual(eventHeight(event));
        for (const { path } of curves) {
          for (const [x = -1, y = -1] of ends(path)) {
            expect(x >= 0 && x <= 100 && y >= 0 && y <= height).toBe(true);
          }
        }
      }),
    );
  });

  test('have the color of their part; that of a group the worst of its parts', () => {
    const toneOf = (key: PartKey): Tone => (key === 'output 1' ? 'slow' : 'ok');
    const tones = (right: number) =>
      layout(1, right, EVENT, toneOf).curves.map(({ key, tone }) => `${key} ${tone}`);
    expect(tones(2)).toEqual(['input 0 ok', 'event ok', 'output 0 ok', 'output 1 slow']);
    expect(tones(5)).toEqual(['input 0 ok', 'event ok', 'output 0 slow']);
  });

  test('grow with the rate within bounds, and rest without one', () => {
    expect([0, 1_000_000].map(strokeWidthOf)).toEqual([1.5, 6]);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        (a, b) => {
          const [less, more] = [Math.min(a, b), Math.max(a, b)];
          expect(strokeWidthOf(less)).toBeLessThanOrEqual(strokeWidthOf(more));
          expect(paceOf(less)).toBeLessThanOrEqual(paceOf(more));
        },
      ),
    );
    expect([0, 0.01, 1, 50, 500, 5_000, 50_000, 1e7].map(paceOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 6]);
  });
});

describe('the lines below the picture', () => {
  const retries = { count: 2, what: 'retries' };
  const lost = { count: 1, what: 'lost', isLoss: true };
  const late = { count: 3, what: 'dead letters now', isLoss: false };
  const told = (count: number, isOpen: boolean, removed = 0) =>
    noteLines(
      { event: EVENT, removed },
      { ...sideOf(inputs(1), 'input', calm), isOpen: false },
      { ...sideOf(outputs(count, { troubles: [lost, late], notes: [retries] }), 'output', calm), isOpen },
    ).map(({ name, notes }) => [name, ...notes.map((one) => `${one.count} ${one.what}`)]);

  test('tell trouble and notes of a part in full', () => {
    expect(told(1, false)).toEqual([['output file', '1 lost', '3 dead letters now', '2 retries']]);
    expect(told(2, false)).toEqual([
      ['output 1 file', '1 lost', '3 dead letters now', '2 retries'],
      ['output 2 file', '1 lost', '3 dead letters now', '2 retries'],
    ]);
  });

  test('are one for parts that are shown as one, until they are opened', () => {
    expect(told(4, false)).toEqual([['4 outputs', '4 lost', '12 dead letters now', '8 retries']]);
    expect(told(4, true)).toHaveLength(4);
  });

  test('tell how many timestamps came from inputs that are gone', () => {
    expect(told(1, false, 345)[0]).toEqual(['inputs', '345 of former inputs']);
  });
});
