/** Lanczos coefficients (g = 7, n = 9). */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Natural logarithm of the gamma function, for x > 0. */
export const logGamma = (x: number): number => {
  // Reflection, where the series is inexact.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const t = x + 6.5;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += (LANCZOS[i] as number) / (x + i - 1);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
};

const TINY = 1e-300;
const EXACT = 1e-15;
const MAX_TERMS = 2_000;

/** Continued fraction of the incomplete beta function, by the method of Lentz. */
const fraction = (a: number, b: number, x: number): number => {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m < MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    result *= step;
    if (Math.abs(step - 1) < EXACT) break;
  }
  return result;
};

/** The beta distribution. */
interface Beta {
  /** Share of values up to `x`. */
  readonly cdf: (x: number) => number;
  /** The value that a share of all lie below. */
  readonly quantile: (share: number) => number;
}

const MAX_STEPS = 100;
/** Newton steps this small leave an error of about its square. */
const CLOSE = 1e-9;
/** Quantiles known in advance: searches begin between two of them. */
const KNOTS = 256;

export const betaDistribution = (a: number, b: number): Beta => {
  const logScale = logGamma(a + b) - logGamma(a) - logGamma(b);
  const cdf = (x: number): number => {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const front = Math.exp(logScale + a * Math.log(x) + b * Math.log1p(-x));
    // The side where the fraction converges fast.
    return x < (a + 1) / (a + b + 2)
      ? (front * fraction(a, b, x)) / a
      : 1 - (front * fraction(b, a, 1 - x)) / b;
  };

  /** Newton steps between two bounds, halved where they leave these. */
  const solve = (share: number, from: number, to: number, first: number): number => {
    let [low, high, x] = [from, to, first];
    for (let step = 0; step < MAX_STEPS; step++) {
      const error = cdf(x) - share;
      if (error > 0) high = x;
      else low = x;
      const density = Math.exp(logScale + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
      const newton = x - error / density;
      const next = newton > low && newton < high ? newton : (low + high) / 2;
      if (Math.abs(next - x) <= CLOSE * x || next === low || next === high) return next;
      x = next;
    }
    return x;
  };

  const knots = new Float64Array(KNOTS + 1).fill(1);
  knots[0] = 0;
  for (let i = 1; i < KNOTS; i++) {
    const low = knots[i - 1] as number;
    knots[i] = solve(i / KNOTS, low, 1, Math.max(low, a / (a + b)));
  }

  return {
    cdf,
    quantile: (share) => {
      if (share <= 0) return 0;
      if (share >= 1) return 1;
      const index = Math.floor(share * KNOTS);
      const [low, high] = [knots[index] as number, knots[index + 1] as number];
      const near = low + (high - low) * (share * KNOTS - index);
      return near <= low || near >= high ? low : solve(share, low, high, near);
    },
  };
};
