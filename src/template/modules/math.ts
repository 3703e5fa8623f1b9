import { raise } from '../errors.js';
import { chargeInt, checkBits, spend } from '../limits.js';
import { asDouble, truncate } from '../text/numbers.js';
import { native } from '../values/methods.js';
import { multiply } from '../values/operations/arithmetic.js';
import { iterate } from '../values/operations/iterate.js';
import { needIndex } from '../values/operations/subscript.js';
import { PyTuple } from '../values/types/sequences.js';
import { type Callable, floatOf, intOf, isInt, typeName, type Value } from '../values/value.js';
import { HostModule } from './hostModule.js';

const need = (value: Value | undefined): number =>
  asDouble(value ?? null) ?? raise('TypeError', `must be real number, not ${typeName(value ?? null)}`);

const domain = (): never => raise('ValueError', 'math domain error');

/** NaN without NaN arguments: domain error. Infinity from finite arguments: overflow. */
const real = (name: string, run: (...values: number[]) => number, count = 1): Callable =>
  native(`${name}(${['x', 'y'].slice(0, count).join(', ')}, /)`, (...values) => {
    const numbers = values.map(need);
    const result = run(...numbers);
    if (Number.isNaN(result) && !numbers.some(Number.isNaN)) return domain();
    if (!Number.isFinite(result) && numbers.every(Number.isFinite)) {
      return name.startsWith('log') || name === 'atanh'
        ? domain()
        : raise('OverflowError', 'math range error');
    }
    return floatOf(result);
  });

const bigOf = (value: Value | undefined): bigint => {
  if (typeof value === 'bigint') return value;
  return BigInt(needIndex(value ?? null));
};

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** Larger ints cost more per word. */
const WORD = 2n ** 64n;
const STEPS_PER_DIVISION = 4;

const gcd = (a: bigint, b: bigint): bigint => {
  let [x, y] = [abs(a), abs(b)];
  while (y !== 0n) {
    if (x > WORD) spend(STEPS_PER_DIVISION);
    [x, y] = [y, x % y];
  }
  return x;
};

const factorial = (value: Value | undefined): Value => {
  const count = needIndex(value ?? null);
  if (count < 0) return raise('ValueError', 'factorial() not defined for negative values');
  checkBits(count * Math.log2(Math.max(2, count)) - count);
  let result = 1n;
  for (let i = 2n; i <= BigInt(count); i++) {
    spend(STEPS_PER_DIVISION);
    result *= i;
  }
  return intOf(result);
};

const binomial = (n: bigint, k: bigint): bigint => {
  if (n < 0n || k < 0n) return raise('ValueError', 'n must be a non-negative integer');
  if (k > n) return 0n;
  const steps = k > n - k ? n - k : k;
  checkBits(Number(steps) * n.toString(2).length);
  let result = 1n;
  spend(Number(steps) * STEPS_PER_DIVISION);
  for (let i = 0n; i < steps; i++) result = (result * (n - i)) / (i + 1n);
  return result;
};

const permutations = (n: bigint, k: bigint): bigint => {
  if (n < 0n || k < 0n) return raise('ValueError', 'n must be a non-negative integer');
  if (k > n) return 0n;
  checkBits(Number(k) * n.toString(2).length);
  let result = 1n;
  spend(Number(k) * STEPS_PER_DIVISION);
  for (let i = 0n; i < k; i++) result *= n - i;
  return result;
};

const isqrt = (value: bigint): bigint => {
  if (value < 0n) return raise('ValueError', 'isqrt() argument must be nonnegative');
  if (value < 2n) return value;
  let root = BigInt(Math.floor(Math.sqrt(Number(value))));
  if (value > 2n ** 1000n) root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    chargeInt(value);
    const next = (root + value / root) >> 1n;
    if (abs(next - root) <= 1n) {
      let result = next > root ? next : root;
      while (result * result > value) result--;
      return result;
    }
    root = next;
  }
};

/** Logarithm, also of ints beyond the doubles. */
const logOf = (value: Value | undefined): number => {
  if (typeof value !== 'bigint') {
    const number = need(value);
    return number <= 0 ? domain() : Math.log(number);
  }
  if (value <= 0n) return domain();
  const bits = value.toString(2).length;
  const shift = Math.max(0, bits - 60);
  return Math.log(Number(value >> BigInt(shift))) + shift * Math.LN2;
};

const rounded =
  (round: (value: number) => number) =>
  (value: Value | undefined): Value => {
    if (value !== undefined && isInt(value)) return value;
    return truncate(round(need(value)));
  };

const remainder = (x: number, y: number): number => {
  if (!Number.isFinite(x) || y === 0) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  const size = Math.abs(y);
  const rest = Math.abs(x) % size;
  const other = size - rest;
  const isOdd = ((Math.abs(x) - rest) / size) % 2 === 1;
  const result = rest < other || (rest === other && !isOdd) ? rest : -other;
  return x < 0 ? -result : result;
};

/** Sum with carried rounding errors (Shewchuk). */
const exactSum = (values: Iterable<Value>): number => {
  const partials: number[] = [];
  for (const value of values) {
    let x = need(value);
    let kept = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    partials.push(x);
  }
  return partials.reduceRight((sum, each) => sum + each, 0);
};

/** Length of a vector; in chunks, as a call takes limited arguments. */
const length = (coordinates: readonly number[]): number => {
  const most = 1_000;
  if (coordinates.length <= most) return Math.hypot(...coordinates);
  const lengths: number[] = [];
  for (let at = 0; at < coordinates.length; at += most)
    lengths.push(Math.hypot(...coordinates.slice(at, at + most)));
  return length(lengths);
};

const isClose = (a: number, b: number, relative: number, absolute: number): boolean => {
  if (relative < 0 || absolute < 0) return raise('ValueError', 'tolerances must be non-negative');
  if (a === b) return true;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= Math.max(relative * Math.max(Math.abs(a), Math.abs(b)), absolute);
};

const product = (values: Value, start: Value): Value => {
  let result = start;
  for (const value of iterate(values)) result = multiply(result, value);
  return result;
};

const REALS: Readonly<Record<string, (x: number) => number>> = {
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  cos: Math.cos,
  cosh: Math.cosh,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  fabs: Math.abs,
  log1p: Math.log1p,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  degrees: (x) => (x * 180) / Math.PI,
  radians: (x) => (x * Math.PI) / 180,
};

const check = (test: (x: number) => boolean, name: string): Callable =>
  native(`${name}(x, /)`, (x) => test(need(x)));

export const mathModule = (): HostModule =>
  new HostModule('math', {
    ...Object.fromEntries(Object.entries(REALS).map(([name, run]) => [name, real(name, (x = 0) => run(x))])),
    pi: Math.PI,
    e: Math.E,
    tau: Math.PI * 2,
    inf: Number.POSITIVE_INFINITY,
    nan: Number.NaN,
    ceil: native('ceil(x, /)', rounded(Math.ceil)),
    floor: native('floor(x, /)', rounded(Math.floor)),
    trunc: native('trunc(x, /)', rounded(Math.trunc)),
    log: native('log(x, base=None, /)', (x, base = null) => {
      if (base === null) return floatOf(logOf(x));
      const below = logOf(base);
      return below === 0 ? raise('ZeroDivisionError', 'float division by zero') : floatOf(logOf(x) / below);
    }),
    log2: native('log2(x, /)', (x) =>
      floatOf(typeof x === 'bigint' ? logOf(x) / Math.LN2 : positive(x, Math.log2)),
    ),
    log10: native('log10(x, /)', (x) =>
      floatOf(typeof x === 'bigint' ? logOf(x) / Math.LN10 : positive(x, Math.log10)),
    ),
    pow: real('pow', (x = 0, y = 0) => (x === 1 || y === 0 ? 1 : x === 0 && y < 0 ? Number.NaN : x ** y), 2),
    atan2: real('atan2', (y = 0, x = 0) => Math.atan2(y, x), 2),
    fmod: real('fmod', (x = 0, y = 0) => x % y, 2),
    remainder: real('remainder', (x = 0, y = 0) => remainder(x, y), 2),
    copysign: real('copysign', (x = 0, y = 0) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)), 2),
    hypot: (args) => floatOf(length(args.map(need))),
    factorial: native('factorial(x, /)', factorial),
    gcd: (args) => intOf(args.reduce((result: bigint, value) => gcd(result, bigOf(value)), 0n)),
    lcm: (args) =>
      intOf(
        args.reduce((result: bigint, value) => {
          const next = bigOf(value);
          return result === 0n || next === 0n ? 0n : abs(result * next) / gcd(result, next);
        }, 1n),
      ),
    comb: native('comb(n, k, /)', (n, k) => intOf(binomial(bigOf(n), bigOf(k)))),
    perm: native('perm(n, k=None, /)', (n, k = null) =>
      intOf(permutations(bigOf(n), k === null ? bigOf(n) : bigOf(k))),
    ),
    isqrt: native('isqrt(n, /)', (n) => intOf(isqrt(bigOf(n)))),
    fsum: native('fsum(seq, /)', (values) => floatOf(exactSum(iterate(values ?? null)))),
    prod: native('prod(iterable, /, *, start=1)', (values, start) => product(values ?? null, start ?? 1)),
    dist: native('dist(p, q, /)', (p, q) => {
      const [a, b] = [[...iterate(p ?? null)].map(need), [...iterate(q ?? null)].map(need)];
      if (a.length !== b.length)
        return raise('ValueError', 'both points must have the same number of dimensions');
      return floatOf(length(a.map((each, index) => each - (b[index] ?? 0))));
    }),
    isclose: native('isclose(a, b, *, rel_tol=None, abs_tol=0)', (a, b, relative = null, absolute = 0) =>
      isClose(need(a), need(b), relative === null ? 1e-9 : need(relative), need(absolute)),
    ),
    isnan: check(Number.isNaN, 'isnan'),
    isinf: check((x) => Math.abs(x) === Number.POSITIVE_INFINITY, 'isinf'),
    isfinite: check(Number.isFinite, 'isfinite'),
    modf: native('modf(x, /)', (x) => {
      const number = need(x);
      if (!Number.isFinite(number))
        return new PyTuple([floatOf(Number.isNaN(number) ? number : 0), floatOf(number)]);
      return new PyTuple([floatOf(number % 1), floatOf(Math.trunc(number))]);
    }),
    ldexp: native('ldexp(x, i, /)', (x, i) => {
      const result = need(x) * 2 ** needIndex(i ?? null);
      return Number.isFinite(result) ? floatOf(result) : raise('OverflowError', 'math range error');
    }),
  });

const positive = (value: Value | undefined, run: (x: number) => number): number => {
  const number = need(value);
  return number <= 0 ? domain() : run(number);
};
