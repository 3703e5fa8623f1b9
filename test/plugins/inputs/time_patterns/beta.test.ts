import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { betaDistribution, logGamma } from '../../../../src/plugins/inputs/time_patterns/beta.js';

/** Share up to `x` for whole parameters: a sum of binomial probabilities. */
const byBinomial = (a: number, b: number, x: number): number => {
  const n = a + b - 1;
  let sum = 0;
  for (let j = a; j <= n; j++) {
    let ways = 1;
    for (let i = 1; i <= j; i++) ways *= (n - j + i) / i;
    sum += ways * x ** j * (1 - x) ** (n - j);
  }
  return sum;
};

describe('the beta distribution', () => {
  test('logGamma is the logarithm of factorials and of the root of pi', () => {
    let factorial = 1;
    for (let n = 1; n < 20; n++) {
      expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 10);
      factorial *= n;
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
  });

  test('equals binomial sums for whole parameters, and the arc sine for halves', () => {
    for (const x of [0.001, 0.2, 0.5, 0.77, 0.999]) {
      for (const [a, b] of [
        [1, 1],
        [2, 2],
        [3, 9],
        [14, 5],
      ] as const) {
        expect(betaDistribution(a, b).cdf(x)).toBeCloseTo(byBinomial(a, b, x), 12);
      }
      expect(betaDistribution(0.5, 0.5).cdf(x)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(x)), 12);
    }
  });

  test('quantiles invert it and ascend', () => {
    const parameter = fc.oneof(
      fc.double({ min: 0.3, max: 5, noNaN: true }),
      fc.double({ min: 1, max: 10_000, noNaN: true }),
    );
    fc.assert(
      fc.property(parameter, parameter, (a, b) => {
        const { cdf, quantile } = betaDistribution(a, b);
        let before = 0;
        for (let share = 0.02; share < 1; share += 0.07) {
          const x = quantile(share);
          expect(x).toBeGreaterThanOrEqual(before);
          expect(x).toBeLessThanOrEqual(1);
          // Next to an end, neighbors of x are far apart in share.
          const [low, high] = [cdf(x * (1 - 1e-9)), cdf(Math.min(1, x + (1 - x) * 1e-9 + 1e-15))];
          expect(share).toBeGreaterThan(low - 1e-6);
          expect(share).toBeLessThan(high + 1e-6);
          before = x;
        }
      }),
      { numRuns: 60 },
    );
  });
});
