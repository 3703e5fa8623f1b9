import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bucketsOf,
  cumulative,
  HISTOGRAM_SLOTS,
  quantile,
  recordDuration,
} from '../../../src/domain/stats/histogram.js';

const slots = (): Float64Array => new Float64Array(HISTOGRAM_SLOTS);
const of = (durations: readonly number[]): Float64Array => {
  const filled = slots();
  for (const micros of durations) recordDuration(filled, micros, 1);
  return filled;
};
/** The quantile by its definition. */
const exact = (durations: readonly number[], share: number): number => {
  const sorted = [...durations].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
};

describe('a histogram of durations', () => {
  test('without durations has quantile 0', () => {
    expect(quantile(slots(), 0.99)).toBe(0);
  });

  test('small whole durations are exact', () => {
    for (const micros of [0, 1, 2, 3, 4, 5, 6, 7]) expect(quantile(of([micros]), 0.5)).toBe(micros);
  });

  test('is never too low and at most a quarter too high', () => {
    const micros = fc.oneof(fc.nat({ max: 1_000 }), fc.double({ min: 0, max: 2 ** 36, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(micros, { minLength: 1, maxLength: 50 }),
        fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1),
        (all, share) => {
          const wanted = exact(all, share);
          const found = quantile(of(all), share);
          expect(found).toBeGreaterThanOrEqual(wanted);
          expect(found).toBeLessThanOrEqual(Math.max(Math.ceil(wanted), Math.ceil(wanted) * 1.25));
        },
      ),
    );
  });

  test('counts the same duration many times in one step', () => {
    const filled = slots();
    recordDuration(filled, 10, 999);
    recordDuration(filled, 1_000_000, 1);
    expect(quantile(filled, 0.999)).toBeLessThan(20);
    expect(quantile(filled, 1)).toBeGreaterThanOrEqual(1_000_000);
  });

  test('a negative duration counts as 0, and a day as the longest', () => {
    expect(quantile(of([-5_000]), 1)).toBe(0);
    const day = 24 * 3_600_000_000;
    expect(quantile(of([day]), 1)).toBeGreaterThanOrEqual(day);
    expect(quantile(of([day * 1_000]), 1)).toBe(2 ** 37 - 1);
  });
});

describe('cumulative counts', () => {
  test('are exact at their bounds, for any durations', () => {
    const micros = fc.integer({ min: 0, max: 2 ** 31 });
    const bounds = cumulative(new Float64Array(HISTOGRAM_SLOTS)).steps.map((step) => step.micros);
    const near = fc.constantFrom(...bounds.flatMap((bound) => [bound, bound + 0.5, bound + 1]));
    fc.assert(
      fc.property(fc.array(fc.oneof(micros, near), { maxLength: 50 }), (durations) => {
        const slots = new Float64Array(HISTOGRAM_SLOTS);
        for (const duration of durations) recordDuration(slots, duration, 2);
        const { steps, total } = cumulative(slots);
        expect(total).toBe(2 * durations.length);
        for (const { micros: bound, count } of steps) {
          // Durations count in whole microseconds, rounded up.
          expect(count).toBe(2 * durations.filter((duration) => Math.ceil(duration) <= bound).length);
        }
      }),
    );
  });
});

describe('buckets', () => {
  test('are those with durations, ascending, in milliseconds', () => {
    expect(bucketsOf(of([3, 3, 5_000_000]))).toEqual([
      { le_ms: 0.003, count: 2 },
      { le_ms: 5_242.879, count: 1 },
    ]);
  });
});
