import { describe, expect, test } from '@jest/globals';
import { drawKey, hashedDraw, seededRandom } from '../../../src/domain/random.js';

const KEY = drawKey(seededRandom('a seed'));
const draws = (count: number, purpose = 0, key = KEY, from = 0): number[] =>
  Array.from({ length: count }, (_, index) => hashedDraw(key, from + index, purpose));

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe('draws by number', () => {
  test.each([0, 2 ** 32 - 50_000, 2 ** 40])('are spread evenly from %i on', (from) => {
    const values = draws(100_000, 0, KEY, from);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (const value of values) tenths[Math.floor(value * 10)] = (tenths[Math.floor(value * 10)] ?? 0) + 1;
    // Chi-squared with 9 degrees of freedom: above 27.9 in one of a thousand.
    const chi = tenths.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chi).toBeLessThan(27.9);
    expect(Math.abs(mean(values) - 0.5)).toBeLessThan(0.004);
  });

  test('of neighbours, purposes and keys have nothing in common', () => {
    const first = draws(50_000);
    const others = [
      first.slice(1),
      draws(50_000, 1),
      draws(50_000, 0, drawKey(seededRandom('another'))),
      draws(50_000, 0, KEY, 2 ** 32),
    ];
    for (const other of others) {
      const products = other.map((value, index) => (value - 0.5) * ((first[index] as number) - 0.5));
      // The correlation, 12 times the covariance, has a standard deviation of 1 / sqrt(50,000).
      expect(Math.abs(12 * mean(products))).toBeLessThan(0.018);
    }
  });
});
