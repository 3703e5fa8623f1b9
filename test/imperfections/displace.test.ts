import { describe, expect, test } from '@jest/globals';
import type { DelayDistribution, LateChoices } from '../../src/domain/imperfections.js';
import { drawKey, hashedDraw, seededRandom } from '../../src/domain/random.js';
import { delayOf } from '../../src/imperfections/times.js';

const COUNT = 100_000;
const KEY = drawKey(seededRandom('a seed'));

const delays = (distribution: DelayDistribution, more: Partial<LateChoices> = {}): number[] => {
  const choices = { share: 1, distribution, mean: 10, deviation: 2, max: 3_600, ...more };
  return Array.from({ length: COUNT }, (_, i) =>
    delayOf(choices, hashedDraw(KEY, i, 3), hashedDraw(KEY, i, 4)),
  );
};
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

describe('delays', () => {
  test.each([
    ['exponential', 10],
    ['uniform', 20 / Math.sqrt(12)],
    ['normal', 2],
    ['lognormal', 2],
  ] as const)('of the distribution %s have its mean and deviation', (distribution, expected) => {
    const drawn = delays(distribution);
    // Five standard deviations of the mean, and 3 % for the deviation.
    expect(Math.abs(mean(drawn) - 10)).toBeLessThan((5 * expected) / Math.sqrt(COUNT));
    expect(Math.abs(deviation(drawn) / expected - 1)).toBeLessThan(0.03);
  });

  test('are neither negative nor longer than the maximum', () => {
    const drawn = delays('normal', { deviation: 20, max: 15 });
    expect(Math.min(...drawn.slice(0, 10_000))).toBe(0);
    expect(Math.max(...drawn.slice(0, 10_000))).toBe(15);
  });
});
