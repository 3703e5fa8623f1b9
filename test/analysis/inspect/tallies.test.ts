import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { distinctEstimate, hashOf } from '../../../src/analysis/inspect/tally/distinct.js';
import { rangeTally, sizeTally } from '../../../src/analysis/inspect/tally/sizes.js';
import { MAX_TIME_BINS, timeBins, widened } from '../../../src/analysis/inspect/tally/timeBins.js';
import { valueCounts } from '../../../src/analysis/inspect/tally/valueCounts.js';
import { DAY, scheduleOf, sequence } from './support.js';

const countsOf = (keys: readonly string[], max_values = 1_000, left = 1_000_000) => {
  const budget = { left };
  const counts = valueCounts(max_values, budget);
  for (const key of keys) counts.add(key);
  return { counts, budget };
};

describe('distinct values', () => {
  test.each([0, 1, 10, 1_000, 10_000, 300_000])('an estimate of %d is at most 5 %% off', (size) => {
    const estimate = distinctEstimate();
    for (let round = 0; round < 2; round++)
      for (let index = 0; index < size; index++) estimate.add(hashOf(`value-${index}`));
    expect(Math.abs(estimate.count() - size)).toBeLessThanOrEqual(size * 0.05);
  });

  test('are exact up to the limit, then an estimate', () => {
    const exact = countsOf(sequence(1_000, String)).counts;
    expect(exact.distinct()).toEqual({ count: 1_000, is_exact: true });
    const { count, is_exact } = countsOf(sequence(5_000, String)).counts.distinct();
    expect(is_exact).toBe(false);
    expect(Math.abs(count - 5_000)).toBeLessThan(250);
  });
});

describe('frequent values', () => {
  test('are counted exactly where all fit, most frequent first', () => {
    const { counts } = countsOf(['b', 'a', 'c', 'b', 'a', 'b']);
    expect(counts.top(2)).toEqual([
      { key: 'b', count: 3, is_exact: true },
      { key: 'a', count: 2, is_exact: true },
    ]);
  });

  test('stay known among many rare ones', () => {
    const keys = sequence(30_000, (index) => (index % 3 === 0 ? 'often' : `rare-${index}`));
    expect(countsOf(keys, 100).counts.top(1)).toEqual([{ key: 'often', count: 10_000, is_exact: true }]);
  });

  test('that come late have a count that may be too low, and say so', () => {
    const keys = [...sequence(5_000, (index) => `rare-${index}`), ...sequence(500, () => 'late')];
    expect(countsOf(keys, 100).counts.top(1)).toEqual([{ key: 'late', count: 500, is_exact: false }]);
  });

  test('take no more characters than allowed, whatever the values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 400 }), (keys) => {
        const { counts, budget } = countsOf(keys, 50, 2_000);
        expect(budget.left).toBeGreaterThanOrEqual(0);
        expect(counts.top(1_000).length).toBeLessThanOrEqual(50);
        const sum = counts.top(1_000).reduce((all, { key }) => all + key.length, 0);
        expect(sum).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});

describe('entropy', () => {
  test.each([
    [['a'], 0],
    [['a', 'b'], 1],
    [['a', 'b', 'c', 'd'], 2],
    [['a', 'a', 'a', 'b'], 0.8112781],
    [[], 0],
  ])('of %j is %d bits', (keys, bits) => {
    expect(countsOf(keys).counts.entropyBits()).toBeCloseTo(bits, 6);
  });

  test('of uniform values beyond the limit is estimated', () => {
    const { counts } = countsOf(
      sequence(65_536, (index) => `v${index}`),
      100,
    );
    expect(Math.abs(counts.entropyBits() - 16)).toBeLessThan(0.2);
  });
});

describe('numbers', () => {
  test('have a range, also near the limits of a double', () => {
    const tally = rangeTally();
    for (const value of [1.7e308, 1.7e308, -1.7e308]) tally.add(value);
    expect(tally.range()?.mean).toBeGreaterThan(0);
    expect(tally.range()).toMatchObject({ min: -1.7e308, max: 1.7e308 });
    expect(rangeTally().range()).toBeNull();
  });
});

describe('sizes', () => {
  const of = (sizes: readonly number[], max?: number) => {
    const tally = sizeTally(max);
    for (const size of sizes) tally.add(size);
    return tally.sizes(4);
  };

  test('have exact quantiles and bins that cover all', () => {
    const sizes = of(sequence(100, (index) => index + 1));
    expect(sizes).toMatchObject({
      min: 1,
      median: 50,
      p95: 95,
      max: 100,
      mean: 50.5,
      total: 5_050,
      is_exact: true,
    });
    expect(sizes?.bins).toEqual([
      { from: 1, to: 25, count: 25 },
      { from: 26, to: 50, count: 25 },
      { from: 51, to: 75, count: 25 },
      { from: 76, to: 100, count: 25 },
    ]);
  });

  test('of one size make one bin; of none, nothing', () => {
    expect(of([0, 0])?.bins).toEqual([{ from: 0, to: 0, count: 2 }]);
    expect(of([])).toBeNull();
  });

  test('beyond the limit of distinct sizes are at most 0.8 % too low', () => {
    const sizes = of(
      sequence(20_000, (index) => 1_000 + index),
      10,
    );
    expect(sizes?.is_exact).toBe(false);
    expect(sizes?.median).toBeLessThanOrEqual(11_000);
    expect(sizes?.median).toBeGreaterThan(11_000 * 0.99);
    expect(sizes?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
  });
});

describe('times', () => {
  const of = (instants: readonly number[]) => {
    const bins = timeBins();
    for (const at of instants) bins.add(at);
    return bins.result();
  };

  test('of any spread and order are all counted, in a bounded number of bins without gaps', () => {
    const instants = fc.array(fc.integer({ min: -1e15, max: 9e15 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(instants, fc.integer({ min: 8, max: 60 }), (all, max) => {
        const times = of(all);
        for (const { bins, width_seconds } of [times, widened(times, max)]) {
          expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
          expect(bins.length).toBeLessThanOrEqual(MAX_TIME_BINS);
          const [first = 0, last = 0] = [bins[0]?.start, bins.at(-1)?.start];
          expect(first).toBeLessThanOrEqual(Math.min(...all));
          expect(last + width_seconds * 1e6).toBeGreaterThan(Math.max(...all));
        }
        expect(widened(times, max).bins.length).toBeLessThanOrEqual(max);
      }),
    );
  });

  test('start on whole hours, minutes or seconds', () => {
    const { width_seconds, bins } = of(sequence(100, (index) => DAY + 61_000_000 * index));
    expect(width_seconds).toBe(60);
    expect(bins[0]).toEqual({ start: DAY, count: 1 });
  });

  test('of nothing have no bins', () => {
    expect(of([]).bins).toEqual([]);
    expect(widened(of([]), 10).bins).toEqual([]);
  });
});

describe('a schedule', () => {
  const HOUR = 3_600_000_000;

  test('counts timestamps by hour and ends after 24', () => {
    const schedule = scheduleOf([DAY, DAY + HOUR - 1, DAY + HOUR, DAY + 24 * HOUR]);
    expect(schedule).toMatchObject({ timestamps: 3, seconds: 86_400, is_complete: true });
    expect(schedule.hours).toHaveLength(24);
    expect(schedule.hours.slice(0, 3)).toEqual([
      { start: DAY, timestamps: 2 },
      { start: DAY + HOUR, timestamps: 1 },
      { start: DAY + 2 * HOUR, timestamps: 0 },
    ]);
  });

  test('beyond the limit of timestamps covers the time up to the last one', () => {
    const schedule = scheduleOf(
      sequence(100, (index) => DAY + index * 600_000_000),
      13,
    );
    expect(schedule).toMatchObject({ timestamps: 13, seconds: 7_200, is_complete: false });
    expect(schedule.hours.map(({ timestamps }) => timestamps)).toEqual([6, 6, 1]);
  });
});
