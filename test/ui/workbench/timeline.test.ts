import { describe, expect, test } from '@jest/globals';
import {
  inputWords,
  mergedTimestamps,
  nextSize,
  PERIODS,
  stacked,
  steadyTimestamps,
  thinned,
  timelineOf,
} from '../../../src/ui/pages/workbench/preview/timeline.js';

const at = (minute: number): string => new Date(Date.UTC(2027, 0, 1) + minute * 60_000).toISOString();

describe('a timeline', () => {
  const preview = {
    span_edges: [at(0), at(30)],
    span_counts: { '1': [1, 2], '2': [0, 1] },
    total: 4,
    first_timestamps: [at(0)],
    timestamps: [at(0), at(30), at(31), at(32)],
  };

  test('has the counts of each input', () => {
    const timeline = timelineOf(preview, [1, 1, 1]);
    expect(timeline.edges).toEqual([Date.parse(at(0)) / 1_000, Date.parse(at(30)) / 1_000]);
    expect(timeline.totals).toEqual([3, 1, 0]);
    expect(timeline.total).toBe(4);
  });

  test('counts what each timestamp stands for', () => {
    expect(timelineOf(preview, [5, 1]).counts).toEqual([
      [5, 10],
      [0, 1],
    ]);
  });

  test('is empty without timestamps', () => {
    expect(timelineOf(null, [1])).toEqual({ edges: [], counts: [[]], totals: [0], total: 0 });
  });
});

test('inputs that tick are asked for one timestamp a tick', () => {
  const cron = { expression: '* * * * *', count: 5, tags: ['a'] };
  expect(thinned([{ cron }, { linspace: { count: 9 } }])).toEqual({
    inputs: [{ cron: { ...cron, count: 1 } }, { linspace: { count: 9 } }],
    weights: [5, 1],
  });
});

describe('the number of timestamps to ask for', () => {
  const hour = { fromMs: Date.parse(at(0)), period: 'hour' } as const;
  const every = (minutes: number, count: number) => ({
    timestamps: Array.from({ length: count }, (_, index) => at(index * minutes)),
  });

  test('is that of the period once the answer goes beyond it', () => {
    expect(nextSize(every(10, 1_000), 1_000, hour)).toEqual({ size: 6, isFinal: true, isCut: false });
  });

  test('is that of the answer if there are no more', () => {
    expect(nextSize(every(1, 3), 1_000, hour)).toEqual({ size: 3, isFinal: true, isCut: false });
    expect(nextSize({ timestamps: [] }, 1_000, hour)).toEqual({ size: 0, isFinal: true, isCut: false });
  });

  test('grows with what the answer lacks', () => {
    const { size, isFinal } = nextSize(every(0.01, 1_000), 1_000, hour);
    expect(isFinal).toBe(false);
    expect(size).toBeGreaterThanOrEqual(6_000);
    expect(size).toBeLessThan(8_000);
  });

  test('has an end', () => {
    const { most } = PERIODS.hour;
    expect(nextSize(every(0.0001, most), most, hour)).toEqual({ size: most, isFinal: true, isCut: true });
    expect(nextSize(every(0, 1_000), 1_000, hour).size).toBe(most);
  });
});

test('inputs are stacked in their order', () => {
  expect(
    stacked([
      [1, 2],
      [3, 0],
      [1, 1],
    ]),
  ).toEqual([
    [1, 2],
    [4, 2],
    [5, 3],
  ]);
});

test('timestamps of several inputs come in time order with their tags', () => {
  const merged = mergedTimestamps([
    { times: [at(1), at(3)], tags: ['a'] },
    { times: [at(2)], tags: ['b'] },
  ]);
  expect(merged.map(({ tags }) => tags[0])).toEqual(['a', 'b', 'a']);
});

test('steady timestamps are a second apart', () => {
  expect(steadyTimestamps(0, 2).map(({ timestamp }) => timestamp)).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:01.000Z',
  ]);
});

describe('an input in words', () => {
  test('cron says when and how many', () => {
    expect(inputWords({ cron: { expression: '0 9 * * *', count: 3 } })).toEqual({
      kind: 'cron',
      words: 'At 09:00, every day, 3 timestamps each',
    });
  });

  test('others show their values', () => {
    expect(inputWords({ timer: { seconds: 5, count: 1, tags: ['x'] } })).toEqual({
      kind: 'timer',
      words: 'seconds 5, count 1',
    });
  });
});
