import type { Random } from '../../../../../domain/random.js';
import { floatOf, HostModule, raise, type Value } from '../../../../../template/index.js';
import { binary, needFinite, needInteger, needReal, shown, ternary, unary } from './calls.js';

/** OverflowError if not finite, as in Python. */
const result = (value: number, fn: string): Value =>
  Number.isFinite(value)
    ? floatOf(value)
    : raise('OverflowError', `${fn}: the result is too large for a float: give smaller parameters`);

const positive = (value: number, fn: string, name: string): number =>
  value > 0 ? value : raise('ValueError', `${fn}: ${name} must be greater than 0, not ${value}`);

const integer = (random: Random, a: Value, b: Value): number => {
  const low = needInteger(a, 'rand.number.integer', 'a');
  const high = needInteger(b, 'rand.number.integer', 'b');
  if (low > high)
    return raise(
      'ValueError',
      `rand.number.integer: a (${low}) is greater than b (${high}): give the smaller first`,
    );
  const range = high - low + 1;
  // Ranges beyond a double need another draw.
  return Number.isSafeInteger(range) ? low + below(random, range) : random.integer(low, high);
};

/** As in Python: a + (b - a) u, either order; rounding may return b. */
const floating = (random: Random, a: Value, b: Value): Value => {
  const start = needFinite(a, 'rand.number.floating', 'a');
  const end = needFinite(b, 'rand.number.floating', 'b');
  return result(start + (end - start) * random.next(), 'rand.number.floating');
};

/**
 * Box and Muller, 1958: sqrt(-2 ln(1 - u)) cos(2 pi v). The sine twin is not cached: snapshots do not hold
 * it.
 */
const normal = (random: Random, mu: Value, sigma: Value, fn: string): number => {
  const mean = needFinite(mu, fn, 'mu');
  const deviation = needFinite(sigma, fn, 'sigma');
  const standard = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return mean + deviation * standard;
};

/** By inversion: -ln(1 - u) / rate (L. Devroye, 1986, II.2). */
const exponential = (random: Random, rate: Value): Value => {
  const fn = 'rand.number.exponential';
  const perUnit = positive(needFinite(rate, fn, 'rate'), fn, 'rate');
  // `+ 0` turns -0 into 0.
  return result(-Math.log(1 - random.next()) / perUnit + 0, fn);
};

/** By inversion: xmin (1 - u)^(-1 / alpha) (L. Devroye, 1986, II.2). */
const pareto = (random: Random, alpha: Value, xmin: Value): Value => {
  const fn = 'rand.number.pareto';
  const shape = positive(needFinite(alpha, fn, 'alpha'), fn, 'alpha');
  const least = positive(needFinite(xmin, fn, 'xmin'), fn, 'xmin');
  return result(least * (1 - random.next()) ** (-1 / shape), fn);
};

/**
 * By inversion, c = (mode - low) / (high - low): low + (high - low) sqrt(u c) for u up to c, else high -
 * (high - low) sqrt((1 - u) (1 - c)) (S. Kotz, J. R. van Dorp, Beyond Beta, 2004, 1.3). `low` and `high` may
 * be swapped, as in Python.
 */
const triangular = (random: Random, low: Value, high: Value, mode: Value): Value => {
  const fn = 'rand.number.triangular';
  const start = needFinite(low, fn, 'low');
  const end = needFinite(high, fn, 'high');
  const peak = needFinite(mode, fn, 'mode');
  if (peak < Math.min(start, end) || peak > Math.max(start, end)) {
    const order = 'the order of the arguments is low, high, mode';
    return raise(
      'ValueError',
      `${fn}: mode (${shown(mode)}) is not between low (${shown(low)}) and high (${shown(high)}): ${order}`,
    );
  }
  const u = random.next();
  // As in Python: an int stays one.
  if (start === end) return low;
  const width = end - start;
  const share = (peak - start) / width;
  return result(
    u <= share ? start + width * Math.sqrt(u * share) : end - width * Math.sqrt((1 - u) * (1 - share)),
    fn,
  );
};

/** Ints stay ints. */
const clamp = (value: Value, min: Value, max: Value): Value => {
  const fn = 'rand.number.clamp';
  const number = needReal(value, fn, 'value');
  const low = needReal(min, fn, 'min');
  const high = needReal(max, fn, 'max');
  if (low > high)
    return raise(
      'ValueError',
      `${fn}: min (${shown(min)}) is greater than max (${shown(max)}): give the smaller first`,
    );
  if (number < low) return min;
  return number > high ? max : value;
};

/** All but `integer` and `clamp` return floats. */
export const numberModule = (random: Random): HostModule =>
  new HostModule('rand.number', {
    integer: binary('rand.number.integer(a, b)', (a, b) => integer(random, a, b)),
    floating: binary('rand.number.floating(a, b)', (a, b) => floating(random, a, b)),
    gauss: binary('rand.number.gauss(mu, sigma)', (mu, sigma) =>
      result(normal(random, mu, sigma, 'rand.number.gauss'), 'rand.number.gauss'),
    ),
    lognormal: binary('rand.number.lognormal(mu, sigma)', (mu, sigma) =>
      result(Math.exp(normal(random, mu, sigma, 'rand.number.lognormal')), 'rand.number.lognormal'),
    ),
    exponential: unary('rand.number.exponential(rate)', (rate) => exponential(random, rate)),
    pareto: binary('rand.number.pareto(alpha, xmin=1)', (alpha, xmin) => pareto(random, alpha, xmin)),
    triangular: ternary('rand.number.triangular(low, high, mode)', (low, high, mode) =>
      triangular(random, low, high, mode),
    ),
    clamp: ternary('rand.number.clamp(value, min, max)', clamp),
  });

/** Up to this range, the product with 32 random bits is exact in a double. */
const SMALL_RANGE = 0x20_0000;
const WORDS = 0x1_0000_0000;

/**
 * A uniform integer in [0, range). Small ranges need one draw and no division: D. Lemire, Fast Random
 * Integer Generation in an Interval, 2019.
 */
export const below = (random: Random, range: number): number => {
  if (range > SMALL_RANGE) return random.integer(0, range - 1);
  let product = random.uint32() * range;
  let upper = Math.floor(product / WORDS);
  let lower = product - upper * WORDS;
  if (lower < range) {
    const unfair = WORDS % range;
    while (lower < unfair) {
      product = random.uint32() * range;
      upper = Math.floor(product / WORDS);
      lower = product - upper * WORDS;
    }
  }
  return upper;
};
