import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../../../../src/domain/random.js';
import { sampleOf } from '../../../../../../src/plugins/events/template/context/samples/sample.js';
import {
  floatOf,
  PyDict,
  PyTuple,
  TemplateObject,
  Undefined,
  type Value,
} from '../../../../../../src/template/index.js';
import { even, faultOf, many, seeded, surprise } from './support.js';

/** A sequence that records reads. */
class Counted extends TemplateObject {
  readonly asked: Value[] = [];
  get typeName(): string {
    return 'Counted';
  }
  override size(): number {
    return 1_000_000;
  }
  override item(key: Value): Value {
    this.asked.push(key);
    return `item ${String(key)}`;
  }
  override iterator(): Iterator<Value> {
    return {
      next: () => {
        throw new Error('gone through');
      },
    };
  }
}

describe('choice', () => {
  test('draws items of a list uniformly', () => {
    const rand = seeded();
    const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(
      surprise(
        many(70_000, () => rand('choice', [items])),
        even(items),
      ),
    ).toBeLessThan(5);
  });

  test('works on tuples, texts, keys of an object and ranges', () => {
    const rand = seeded();
    const drawn = (value: Value): Set<Value> => new Set(many(200, () => rand('choice', [value])));
    expect(drawn(new PyTuple([1, 2, 3]))).toEqual(new Set([1, 2, 3]));
    expect(drawn('abc')).toEqual(new Set(['a', 'b', 'c']));
    expect(drawn('é𝄞😀')).toEqual(new Set(['é', '𝄞', '😀']));
    expect(drawn(new PyDict().set(0, 'x').set('k', 'y'))).toEqual(new Set([0, 'k']));
    expect(drawn([null, false])).toEqual(new Set([null, false]));
  });

  test('takes one item of a large sequence without iterating', () => {
    const rand = seeded();
    const items = new Counted();
    expect(rand('choice', [items])).toMatch(/^item \d+$/);
    expect(items.asked.length).toBeLessThanOrEqual(2);
    expect(rand('choices', [items, 3])).toHaveLength(3);
  });

  test("returns the sample's row objects", () => {
    const rand = seeded();
    const table = { names: ['n'], areNamed: true, rows: [[1], [2], [3]] };
    const sample = sampleOf('s', table, seededRandom(1));
    const drawn = new Set(many(100, () => rand('choice', [sample])));
    expect(drawn).toEqual(new Set(sample.rows));
  });

  test('accepts keyword arguments', () => {
    expect(seeded()('choice', [], { items: ['only'] })).toBe('only');
  });

  test.each<[string, Value]>([
    ['a list', []],
    ['a text', ''],
    ['an object', new PyDict()],
    ['a tuple', new PyTuple([])],
    ['a sample', sampleOf('s', { names: [], areNamed: false, rows: [] }, seededRandom(1))],
  ])('says that %s is empty', (_, items) => {
    expect(faultOf(() => seeded()('choice', [items]))).toMatch(/^ValueError: rand\.choice: items is empty/);
  });

  test('refuses values without items', () => {
    const rand = seeded();
    expect(faultOf(() => rand('choice', [5]))).toBe(
      'TypeError: rand.choice: items must be a list, tuple, string, object or sample, not int (5)',
    );
    expect(faultOf(() => rand('choice', [null]))).toMatch(/^TypeError: .* not NoneType$/);
    expect(faultOf(() => rand('choice', [() => 1]))).toMatch(/^TypeError: .* not function$/);
    expect(faultOf(() => rand('choice', [new Undefined(() => "'hosts' is undefined")]))).toBe(
      "UndefinedError: 'hosts' is undefined",
    );
  });

  test('reports the number of arguments', () => {
    const rand = seeded();
    expect(faultOf(() => rand('choice'))).toMatch(/^TypeError: rand\.choice\(\) takes exactly 1 argument/);
    expect(faultOf(() => rand('choice', ['a', 'b']))).toMatch(/takes exactly 1 argument/);
    expect(faultOf(() => rand('choice', [], { things: [] }))).toMatch(/TypeError: .*'things'/);
  });
});

describe('choices', () => {
  test('draws with replacement into a new list', () => {
    const rand = seeded();
    const items = ['a', 'b', 'c'];
    const drawn = rand('choices', [items, 30_000]);
    if (!Array.isArray(drawn)) throw new Error('no list');
    expect(drawn).toHaveLength(30_000);
    expect(surprise(drawn, even(items))).toBeLessThan(5);
    expect(rand('choices', [], { n: 2, items: 'x' })).toEqual(['x', 'x']);
  });

  test('returns an empty list for n = 0, also from an empty list', () => {
    expect(seeded()('choices', [['a'], 0])).toEqual([]);
    expect(seeded()('choices', [[], 0])).toEqual([]);
  });

  test.each<[Value, RegExp]>([
    [-1, /^ValueError: rand\.choices: n must be from 0 to 1000000, not -1$/],
    [1_000_001, /^ValueError: rand\.choices: n must be from 0 to 1000000, not 1000001$/],
    [2n ** 70n, /^ValueError: rand\.choices: n is 1180591620717411303424/],
    [
      floatOf(2),
      /^TypeError: rand\.choices: n must be an integer \(use the filter 'int'\), not float \(2\.0\)$/,
    ],
    ['2', /^TypeError: rand\.choices: n must be an integer, not str \('2'\)$/],
    [null, /^TypeError: rand\.choices: n must be an integer, not NoneType$/],
  ])('refuses n = %p', (n, message) => {
    expect(faultOf(() => seeded()('choices', [['a'], n]))).toMatch(message);
  });

  test('reports an empty list', () => {
    expect(faultOf(() => seeded()('choices', [[], 1]))).toMatch(/^ValueError: rand\.choices: items is empty/);
  });
});

describe('shuffle', () => {
  test('draws orders uniformly and does not change the list', () => {
    const rand = seeded();
    const items = ['a', 'b', 'c', 'd'];
    const orders = many(48_000, () => {
      const order = rand('shuffle', [items]);
      return Array.isArray(order) ? order.join('') : null;
    });
    const all = (rest: string[]): string[] =>
      rest.length === 0
        ? ['']
        : rest.flatMap((each) => all(rest.filter((x) => x !== each)).map((x) => each + x));
    expect(surprise(orders, even(all(items)))).toBeLessThan(5);
    expect(items).toEqual(['a', 'b', 'c', 'd']);
  });

  test('shuffles a string by characters', () => {
    const rand = seeded();
    const drawn = new Set(many(100, () => rand('shuffle', ['a😀'])));
    expect(drawn).toEqual(new Set(['a😀', '😀a']));
    expect(rand('shuffle', [''])).toBe('');
  });

  test('returns a list for other sequences', () => {
    const rand = seeded();
    expect(rand('shuffle', [new PyTuple([1])])).toEqual([1]);
    expect(rand('shuffle', [new PyDict().set('k', 1)])).toEqual(['k']);
    expect(rand('shuffle', [[]])).toEqual([]);
    expect(faultOf(() => rand('shuffle', [1]))).toMatch(/^TypeError: rand\.shuffle: items must be/);
  });
});

describe('chance', () => {
  test('is true with probability p', () => {
    const rand = seeded();
    const drawn = many(20_000, () => rand('chance', [0.3]));
    const shares = new Map<Value, number>([
      [true, 3],
      [false, 7],
    ]);
    expect(surprise(drawn, shares)).toBeLessThan(5);
  });

  test.each<[Value, boolean]>([
    [0, false],
    [-3, false],
    [1, true],
    [floatOf(1), true],
    [2.5, true],
    [true, true],
    [false, false],
    [Number.POSITIVE_INFINITY, true],
    [10n ** 400n, true],
  ])('of %p is always the same', (p, expected) => {
    const rand = seeded();
    expect(new Set(many(500, () => rand('chance', [p])))).toEqual(new Set([expected]));
  });

  test('refuses non-numbers', () => {
    const rand = seeded();
    expect(faultOf(() => rand('chance', ['0.5']))).toBe(
      "TypeError: rand.chance: p must be a number, not str ('0.5')",
    );
    expect(faultOf(() => rand('chance', [Number.NaN]))).toBe(
      'ValueError: rand.chance: p is nan: give a number',
    );
  });
});
