import { describe, expect, test } from '@jest/globals';
import {
  barsOf,
  boundText,
  difference,
  figuresOf,
  quantileOf,
  recentBuckets,
} from '../../../src/ui/pages/generator/recent.js';
import { historyOf, stats } from './support.js';

const buckets = (...counts: readonly (readonly [number, number])[]) =>
  counts.map(([le_ms, count]) => ({ le_ms, count }));

const withLateness = (...counts: readonly (readonly [number, number])[]) =>
  stats({ lateness_ms: { p50: 0, p99: 0, max: 0, buckets: buckets(...counts) } });

test('buckets of the last minute are those that came since its first look', () => {
  const history = historyOf(withLateness([1, 5], [2, 1]), withLateness([1, 5]), withLateness([1, 8], [4, 2]));
  expect(recentBuckets(history, 'lateness_ms')).toEqual(buckets([1, 3], [4, 2]));
  expect(recentBuckets(history.slice(0, 1), 'lateness_ms')).toEqual([]);
});

test('a difference has no empty buckets', () => {
  expect(difference(buckets([1, 2], [3, 4]), buckets([1, 2]))).toEqual(buckets([3, 4]));
});

describe('a quantile', () => {
  test('is the bound of the bucket that has it', () => {
    const given = buckets([1, 98], [10, 1], [100, 1]);
    expect(quantileOf(given, 0.5)).toBe(1);
    expect(quantileOf(given, 0.99)).toBe(10);
    expect(quantileOf(given, 1)).toBe(100);
  });

  test('of nothing is 0', () => {
    expect(quantileOf([], 0.99)).toBe(0);
  });
});

describe('bars', () => {
  test('double, without gaps, and lose no event', () => {
    const bars = barsOf(buckets([1.023, 2], [0.895, 1], [8.191, 4]));
    expect(bars).toEqual([
      { below_us: 1_024, count: 3 },
      { below_us: 2_048, count: 0 },
      { below_us: 4_096, count: 0 },
      { below_us: 8_192, count: 4 },
    ]);
  });

  test('begin at 128 µs', () => {
    expect(barsOf(buckets([0, 5], [0.003, 1], [0.127, 1]))).toEqual([{ below_us: 128, count: 7 }]);
  });

  test('are labelled with a bound that no event reaches, and none is within 0', () => {
    const given = buckets([163.839, 9]);
    expect(barsOf(given).map(({ below_us }) => boundText(below_us))).toEqual(['< 262 ms']);
    expect(figuresOf(given)).toBe('half within 164 ms, 99 % within 164 ms');
    expect(figuresOf(buckets([0, 9], [1, 1]))).toBe('half within 1 µs, 99 % within 1.0 ms');
    expect(figuresOf([])).toBe('–');
  });

  test('are none without events', () => {
    expect(barsOf([])).toEqual([]);
  });
});
