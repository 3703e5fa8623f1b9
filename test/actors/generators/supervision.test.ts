import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_POLICY, hasBudget, recentRestarts } from '../../../actors/generators/supervision.js';
import { backoffMs } from '../../../src/domain/waiting.js';

describe('backoff', () => {
  test('doubles from half a second to half a minute, half of it fixed', () => {
    const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 1_000];
    expect(attempts.map((attempt) => backoffMs(DEFAULT_POLICY, attempt, 0))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
    expect(backoffMs(DEFAULT_POLICY, 1_000, 0.999_999)).toBe(30_000);
  });

  test('lies between half of the full wait and the full wait, and never over the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const wait = backoffMs(DEFAULT_POLICY, attempt, random);
          const full = backoffMs(DEFAULT_POLICY, attempt, 1);
          expect(wait).toBeGreaterThanOrEqual(full / 2);
          expect(wait).toBeLessThanOrEqual(Math.min(full, DEFAULT_POLICY.cap_ms));
        },
      ),
    );
  });
});

describe('budget', () => {
  test('holds for five restarts within two minutes', () => {
    const restarts = [0, 1, 2, 3, 4];
    expect(hasBudget(DEFAULT_POLICY, restarts.slice(1), 5)).toBe(true);
    expect(hasBudget(DEFAULT_POLICY, restarts, 5)).toBe(false);
    expect(hasBudget(DEFAULT_POLICY, restarts, 119_999)).toBe(false);
    expect(hasBudget(DEFAULT_POLICY, restarts, 120_000)).toBe(true);
    expect(recentRestarts(DEFAULT_POLICY, restarts, 120_002)).toEqual([3, 4]);
  });
});
