import { betaDistribution } from './beta.js';
import type { Pattern } from './pattern.js';

/** Position in a period, from 0 to 1, that a share of all lie below. Ascends with the share. */
export type Quantile = (share: number) => number;

const triangularQuantile = (left: number, mode: number, right: number): Quantile => {
  const width = right - left;
  const atMode = (mode - left) / width;
  return (share) =>
    share < atMode
      ? left + Math.sqrt(share * width * (mode - left))
      : right - Math.sqrt((1 - share) * width * (right - mode));
};

export const quantileOf = (spreader: Pattern['spreader']): Quantile => {
  switch (spreader.kind) {
    case 'uniform': {
      const { low, high } = spreader.params.parameters;
      return (share) => low + share * (high - low);
    }
    case 'triangular': {
      const { left, mode, right } = spreader.params.parameters;
      return triangularQuantile(left, mode, right);
    }
    case 'beta': {
      const { a, b } = spreader.params.parameters;
      return betaDistribution(a, b).quantile;
    }
  }
};
