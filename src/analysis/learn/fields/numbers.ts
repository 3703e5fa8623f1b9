import type { Bins, Fit, NumberStyle } from '../model.js';

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;
/** Values that a distribution is fitted to. */
const MAX_FITTED = 2_000;
const BINS = 40;
/** Kolmogorov-Smirnov distance up to which a distribution is used: the 5 % point, or what no one sees. */
const MIN_DISTANCE = 0.03;
/** Fewer values fit anything. */
const MIN_VALUES = 30;

/** How all the values are written as numbers; null: some are not. */
export const styleOf = (values: readonly string[]): NumberStyle | null => {
  if (!values.every((value) => NUMBER.test(value))) return null;
  const decimals = new Set(
    values.map((value) => (value.includes('.') ? value.length - value.indexOf('.') - 1 : 0)),
  );
  const isPadded = values.some((value) => /^-?0\d/.test(value));
  const lengths = new Set(values.map(({ length }) => length));
  if (isPadded && (lengths.size > 1 || decimals.size > 1)) return null;
  return {
    decimals: Math.max(...decimals),
    is_whole: values.every((value) => /^[^.]*(?:\.0*)?$/.test(value)),
    width: isPadded ? Math.max(...lengths) : 0,
  };
};

/** The Kolmogorov-Smirnov distance that `count` values exceed by chance in one of twenty samples. */
export const chanceOf = (count: number): number => 1.36 / Math.sqrt(Math.max(1, count));

const erf = (x: number): number => {
  // Abramowitz and Stegun, 7.1.26: error below 1.5e-7.
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - poly * Math.exp(-x * x));
};

const normalShare = (x: number, mu: number, sigma: number): number =>
  0.5 * (1 + erf((x - mu) / (sigma * Math.SQRT2)));

/** Share of the distribution up to x. */
const shareUpTo = (fit: Fit, x: number): number => {
  if (x < fit.min) return 0;
  if (x >= fit.max) return 1;
  switch (fit.kind) {
    case 'uniform':
      return (x - fit.min) / (fit.max - fit.min);
    case 'normal':
      return normalShare(x, fit.mu, fit.sigma);
    case 'lognormal':
      return x <= 0 ? 0 : normalShare(Math.log(x), fit.mu, fit.sigma);
    case 'exponential':
      return 1 - Math.exp(-Math.max(0, x) / fit.mean);
    case 'quantiles':
      return (
        fit.bins.reduce((sum, [low, high]) => {
          if (x >= high) return sum + 1;
          return x <= low ? sum : sum + (x - low) / (high - low);
        }, 0) / fit.bins.length
      );
  }
};

/** Kolmogorov-Smirnov distance of sorted values to a distribution; `half`: half the step between values. */
const distance = (sorted: readonly number[], fit: Fit, half: number): number => {
  let most = 0;
  for (let at = 0; at < sorted.length; ) {
    const value = sorted[at] ?? 0;
    let next = at;
    while (next < sorted.length && sorted[next] === value) next += 1;
    const [below, above] = [shareUpTo(fit, value - half), shareUpTo(fit, value + half)];
    most = Math.max(most, Math.abs(below - at / sorted.length), Math.abs(above - next / sorted.length));
    at = next;
  }
  return most;
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const deviationOf = (values: readonly number[], mean: number): number =>
  Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));

/** Ranges of equal probability of sorted values. */
export const binsOf = (sorted: readonly number[], count = BINS): Bins => {
  const used = Math.min(count, sorted.length);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return Array.from({ length: used }, (_, bin) => [at(bin / used), at((bin + 1) / used)] as const);
};

/** Evenly spread items of sorted values. */
const thinned = (sorted: readonly number[]): readonly number[] =>
  sorted.length <= MAX_FITTED
    ? sorted
    : Array.from(
        { length: MAX_FITTED },
        (_, at) => sorted[Math.floor((at * sorted.length) / MAX_FITTED)] ?? 0,
      );

/** The simplest distribution that the values follow; else their quantiles. */
export const fitOf = (values: readonly number[], { decimals, is_whole }: NumberStyle): Fit => {
  const sorted = values.toSorted((a, b) => a - b);
  const looked = thinned(sorted);
  const [min, max] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const quantiles: Fit = { kind: 'quantiles', min, max, bins: binsOf(sorted) };
  if (values.length < MIN_VALUES || max <= min) return quantiles;
  const half = is_whole ? 0.5 : 0.5 * 10 ** -decimals;
  const mean = meanOf(looked);
  const candidates: Fit[] = [
    { kind: 'uniform', min, max },
    { kind: 'normal', min, max, mu: mean, sigma: deviationOf(looked, mean) },
  ];
  if (min > 0) {
    const logs = looked.map(Math.log);
    const mu = meanOf(logs);
    candidates.push({ kind: 'lognormal', min, max, mu, sigma: deviationOf(logs, mu) });
  }
  if (min >= 0) candidates.push({ kind: 'exponential', min, max, mean });
  const limit = Math.max(MIN_DISTANCE, Math.min(0.05, chanceOf(looked.length)));
  const [best] = candidates
    .map((fit) => ({ fit, apart: distance(looked, fit, half) }))
    .toSorted((a, b) => a.apart - b.apart);
  return best !== undefined && best.apart <= limit ? best.fit : quantiles;
};
