import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../../../../src/domain/random.js';
import { below } from '../../../../../../src/plugins/events/template/context/rand/numbers.js';
import { floatOf, PyFloat, Undefined, type Value } from '../../../../../../src/template/index.js';
import {
  deviation,
  doubles,
  even,
  faultOf,
  many,
  mean,
  quantile,
  randOf,
  scripted,
  seeded,
  surprise,
} from './support.js';

const COUNT = 40_000;

const draws = (path: string, ...args: Value[]): number[] => {
  const rand = seeded();
  return doubles(many(COUNT, () => rand(path, args)));
};

describe('number.integer', () => {
  test('is uniform from a to b, both included', () => {
    const rand = seeded();
    const all = Array.from({ length: 13 }, (_, i) => i - 6);
    expect(
      surprise(
        many(65_000, () => rand('number.integer', [-6, 6])),
        even(all),
      ),
    ).toBeLessThan(5);
  });

  test('covers large ranges evenly', () => {
    const rand = seeded();
    for (const [low, high] of [
      [0, 5_000_000],
      [1, 2 ** 40],
      [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ] as const) {
      const parts = many(20_000, () => {
        const drawn = Number(rand('number.integer', [low, high]));
        expect(Number.isSafeInteger(drawn) && drawn >= low && drawn <= high).toBe(true);
        return Math.min(9, Math.floor((drawn / 2 - low / 2) / ((high / 2 - low / 2) / 10)));
      });
      expect(surprise(parts, even([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).toBeLessThan(5);
    }
  });

  test('takes bools as ints, arguments by name and equal ends', () => {
    const rand = seeded();
    expect(rand('number.integer', [true, true])).toBe(1);
    expect(rand('number.integer', [], { b: 7, a: 7 })).toBe(7);
  });

  test.each<[Value, Value, RegExp]>([
    [3, 2, /^ValueError: rand\.number\.integer: a \(3\) is greater than b \(2\): give the smaller first$/],
    [1, floatOf(2), /^TypeError: .*b must be an integer \(use the filter 'int'\), not float \(2\.0\)$/],
    [1.5, 2, /^TypeError: .*a must be an integer .*not float \(1\.5\)$/],
    ['1', 2, /^TypeError: .*a must be an integer, not str \('1'\)$/],
    [1, null, /^TypeError: .*b must be an integer, not NoneType$/],
    [0, 2n ** 53n, /^ValueError: .*b is 9007199254740992, but integers range/],
    [0, [1], /^TypeError: .*b must be an integer, not list$/],
    [0, new Undefined(() => "'top' is undefined"), /^UndefinedError: 'top' is undefined$/],
  ])('refuses %p and %p', (a, b, message) => {
    expect(faultOf(() => seeded()('number.integer', [a, b]))).toMatch(message);
  });
});

describe('a number below a range', () => {
  test('is the upper half of the product with 32 random bits', () => {
    expect(below(scripted([0x8000_0001]), 10)).toBe(5);
    expect(below(scripted([0xffff_ffff]), 10)).toBe(9);
    expect(below(scripted([0]), 1)).toBe(0);
  });

  test('repeats the draws that would favour some numbers', () => {
    // 2 ** 32 leaves 6 when divided by 10, so lower halves 0 to 5 are one too many; 0 * 10 has the lower half 0.
    expect(below(scripted([0, 0x2000_0000]), 10)).toBe(1);
    expect(below(scripted([0]), 8)).toBe(0);
  });

  test('is uniform for a range that is far from a power of two', () => {
    const random = seededRandom(3);
    const range = 1_500_000;
    const thirds = many(60_000, () => Math.floor((below(random, range) * 30) / range));
    expect(surprise(thirds, even(Array.from({ length: 30 }, (_, i) => i)))).toBeLessThan(5);
  });
});

describe('number.floating', () => {
  test('is uniform', () => {
    const values = draws('number.floating', -2, 6);
    expect(mean(values)).toBeCloseTo(2, 1);
    expect(deviation(values)).toBeCloseTo(8 / Math.sqrt(12), 1);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(-2);
    expect(Math.max(...values)).toBeLessThanOrEqual(6);
    expect(quantile(values, 0.1)).toBeCloseTo(-1.2, 1);
  });

  test('gives a float even where it is whole, and takes the ends in either order', () => {
    const rand = seeded();
    expect(rand('number.floating', [3, 3])).toEqual(new PyFloat(3));
    expect(randOf(scripted([0x4000_0000]))('number.floating', [8, 4])).toEqual(new PyFloat(7));
  });

  test('refuses non-finite values', () => {
    const rand = seeded();
    expect(faultOf(() => rand('number.floating', [0, Number.POSITIVE_INFINITY]))).toBe(
      'ValueError: rand.number.floating: b must be finite, not inf',
    );
    expect(faultOf(() => rand('number.floating', [10n ** 400n, 1]))).toMatch(
      /^OverflowError: .*a is too large/,
    );
    expect(faultOf(() => rand('number.floating', [-1.7e308, 1.7e308]))).toMatch(/^OverflowError: .*result/);
    expect(faultOf(() => rand('number.floating', ['a', 1]))).toMatch(
      /^TypeError: .*a must be a number, not str/,
    );
  });
});

describe('distributions', () => {
  test('gauss has its mean, deviation and quantiles', () => {
    const values = draws('number.gauss', 10, 2);
    expect(mean(values)).toBeCloseTo(10, 1);
    expect(Math.abs(deviation(values) - 2)).toBeLessThan(0.03);
    expect(Math.abs(quantile(values, 0.975) - 13.92)).toBeLessThan(0.08);
    expect(Math.abs(quantile(values, 0.16) - 8.011)).toBeLessThan(0.08);
  });

  test('lognormal is the exponential of a normal one', () => {
    const values = draws('number.lognormal', 1, 0.5);
    expect(Math.abs(quantile(values, 0.5) - Math.E)).toBeLessThan(0.04);
    expect(Math.abs(mean(values) - Math.exp(1.125))).toBeLessThan(0.05);
    expect(Math.min(...values)).toBeGreaterThan(0);
  });

  test('exponential has the mean 1 / rate', () => {
    const values = draws('number.exponential', 4);
    expect(Math.abs(mean(values) - 0.25)).toBeLessThan(0.006);
    expect(Math.abs(quantile(values, 0.9) - Math.log(10) / 4)).toBeLessThan(0.02);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  });

  test('pareto begins at xmin and has its tail', () => {
    const values = draws('number.pareto', 3, 2);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(2);
    expect(Math.abs(quantile(values, 0.5) - 2 * 2 ** (1 / 3))).toBeLessThan(0.02);
    expect(Math.abs(mean(values) - 3)).toBeLessThan(0.05);
  });

  test('pareto has xmin = 1 where it is not given', () => {
    const rand = seeded();
    const values = doubles(many(5_000, () => rand('number.pareto', [2])));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(1);
    expect(Math.min(...values)).toBeLessThan(1.01);
    const named = rand('number.pareto', [], { xmin: 100, alpha: 5 });
    expect(Number(doubles([named])[0])).toBeGreaterThanOrEqual(100);
  });

  test('triangular has its mode where the third argument says', () => {
    const values = draws('number.triangular', 0, 10, 2);
    expect(Math.abs(mean(values) - 4)).toBeLessThan(0.05);
    // Below the mode lies (mode - low) / (high - low) of all.
    expect(Math.abs(quantile(values, 0.2) - 2)).toBeLessThan(0.06);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThanOrEqual(10);
  });

  test('triangular takes the mode at an end, ends in either order, and no width', () => {
    expect(mean(draws('number.triangular', 0, 3, 0))).toBeCloseTo(1, 1);
    expect(mean(draws('number.triangular', 0, 3, 3))).toBeCloseTo(2, 1);
    expect(mean(draws('number.triangular', 3, 0, 0))).toBeCloseTo(1, 1);
    // As Python's random.triangular(4, 4, 4): 4, not 4.0.
    expect(seeded()('number.triangular', [4, 4, 4])).toBe(4);
    expect(seeded()('number.triangular', [new PyFloat(4), 4, 4])).toEqual(new PyFloat(4));
  });

  test.each<[string, readonly Value[], RegExp]>([
    ['exponential', [0], /^ValueError: rand\.number\.exponential: rate must be greater than 0, not 0$/],
    ['exponential', [-1], /^ValueError: .*rate must be greater than 0, not -1$/],
    ['pareto', [0], /^ValueError: .*alpha must be greater than 0/],
    ['pareto', [1, 0], /^ValueError: .*xmin must be greater than 0/],
    ['triangular', [0, 1, 2], /^ValueError: .*mode \(2\) is not between low \(0\) and high \(1\): the order/],
    ['triangular', [0, 5], /^TypeError: rand\.number\.triangular\(\) takes exactly 3 arguments \(2 given\)/],
    ['gauss', [0, 'x'], /^TypeError: .*sigma must be a number, not str/],
    ['gauss', [Number.NaN, 1], /^ValueError: .*mu is nan/],
    ['lognormal', [1000, 0], /^OverflowError: .*result is too large/],
    ['gauss', [null, 1], /^TypeError: .*mu must be a number, not NoneType$/],
  ])('%s refuses %p', (name, args, message) => {
    expect(faultOf(() => seeded()(`number.${name}`, args))).toMatch(message);
  });

  test('pareto says when its tail is beyond all floats', () => {
    const top = randOf({ ...scripted([]), next: () => 1 - 2 ** -53 });
    expect(faultOf(() => top('number.pareto', [0.01]))).toMatch(/^OverflowError: .*result is too large/);
    expect(doubles([top('number.exponential', [1])])[0]).toBeCloseTo(36.7368, 3);
  });
});

describe('number.clamp', () => {
  test.each<[Value, Value, Value, Value]>([
    [5, 0, 10, 5],
    [-5, 0, 10, 0],
    [15, 0, 10, 10],
    [15, 0, floatOf(10), floatOf(10)],
    [2.5, 0, 10, 2.5],
    [floatOf(3), 0, 10, floatOf(3)],
    [2n ** 60n, 0, 10, 10],
    [7, 0, 2n ** 60n, 7],
    [7, 0, Number.POSITIVE_INFINITY, 7],
    [true, 2, 3, 2],
  ])('of %p between %p and %p is %p', (value, min, max, expected) => {
    expect(seeded()('number.clamp', [value, min, max])).toEqual(expected);
    expect(seeded()('number.clamp', [], { max, min, value })).toEqual(expected);
  });

  test.each<[readonly Value[], RegExp]>([
    [[1, 5, 2], /^ValueError: rand\.number\.clamp: min \(5\) is greater than max \(2\)/],
    [['1', 0, 2], /^TypeError: .*value must be a number, not str/],
    [[1, null, 2], /^TypeError: .*min must be a number, not NoneType/],
    [[Number.NaN, 0, 2], /^ValueError: .*value is nan/],
    [[1, 2], /^TypeError: .*takes exactly 3 arguments/],
  ])('refuses %p', (args, message) => {
    expect(faultOf(() => seeded()('number.clamp', args))).toMatch(message);
  });
});
