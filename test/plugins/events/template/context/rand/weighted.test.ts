import { describe, expect, test } from '@jest/globals';
import { floatOf, PyDict, PyTuple, type Value } from '../../../../../../src/template/index.js';
import { faultOf, many, randOf, scripted, seeded, surprise } from './support.js';

const ITEMS = ['a', 'b', 'c', 'd'];
const WEIGHTS = [50, floatOf(20), 0.5, 29.5];
const SHARES = new Map<Value, number>([
  ['a', 50],
  ['b', 20],
  ['c', 0.5],
  ['d', 29.5],
]);
const DICT = new PyDict().set('a', 50).set('b', floatOf(20)).set('c', 0.5).set('d', 29.5);

describe('weighted_choice', () => {
  test('draws as the weights say, from two lists', () => {
    const rand = seeded();
    expect(
      surprise(
        many(60_000, () => rand('weighted_choice', [ITEMS, WEIGHTS])),
        SHARES,
      ),
    ).toBeLessThan(5);
  });

  test('draws as the weights say, from an object', () => {
    const rand = seeded();
    expect(
      surprise(
        many(60_000, () => rand('weighted_choice', [DICT])),
        SHARES,
      ),
    ).toBeLessThan(5);
  });

  test('takes other sequences, and arguments by name', () => {
    const rand = seeded();
    const tuple = new PyTuple([0, 1]);
    expect(rand('weighted_choice', [], { weights: tuple, items: 'xy' })).toBe('y');
    expect(rand('weighted_choice', [], { items: DICT })).toMatch(/^[a-d]$/);
    expect(
      rand('weighted_choice', [
        ['x', 'y'],
        [true, false],
      ]),
    ).toBe('x');
    expect(
      rand('weighted_choice', [
        ['x', 'y'],
        [2n ** 80n, 0],
      ]),
    ).toBe('x');
  });

  test('never draws items of weight 0', () => {
    const items = ['no', 'first', 'never', 'last', 'no more'];
    const weights = [0, 1, 0, 1, 0];
    expect(randOf(scripted([0]))('weighted_choice', [items, weights])).toBe('first');
    expect(randOf(scripted([0xffff_ffff]))('weighted_choice', [items, weights])).toBe('last');
    const whole = { ...scripted([]), next: () => 1 };
    expect(randOf(whole)('weighted_choice', [items, weights])).toBe('last');
  });

  test('takes one random number', () => {
    const rand = randOf(scripted([0x8000_0000]));
    expect(
      rand('weighted_choice', [
        ['a', 'b', 'c'],
        [1, 1, 1],
      ]),
    ).toBe('b');
    expect(() => rand('weighted_choice', [['a'], [1]])).toThrow('no more random numbers');
  });

  test.each<[string, readonly Value[], RegExp]>([
    ['too few weights', [['a', 'b'], [1]], /^ValueError: .*2 items, but 1 weights: give one weight/],
    ['too many weights', [['a'], [1, 2]], /^ValueError: .*1 items, but 2 weights/],
    [
      'a negative weight',
      [
        ['a', 'b'],
        [1, -2],
      ],
      /^ValueError: .*weight 2 \(-2\) is negative/,
    ],
    [
      'a weight without end',
      [['a'], [Number.POSITIVE_INFINITY]],
      /^ValueError: .*weight 1 \(inf\) is not finite/,
    ],
    ['a weight that is nan', [['a'], [Number.NaN]], /^ValueError: .*weight 1 \(nan\) is not finite/],
    ['a text as weight', [['a'], ['1']], /^TypeError: .*weight 1 must be a number, not str \('1'\)/],
    ['none as weight', [['a'], [null]], /^TypeError: .*weight 1 must be a number, not NoneType/],
    [
      'zero weights',
      [
        ['a', 'b'],
        [0, floatOf(0)],
      ],
      /^ValueError: .*every weight is 0/,
    ],
    ['zero weights of an object', [new PyDict().set('a', 0)], /^ValueError: .*every weight is 0/],
    [
      'huge weights',
      [
        ['a', 'b'],
        [1e308, 1e308],
      ],
      /^ValueError: .*too large to add up/,
    ],
    ['no items', [[], []], /^ValueError: rand\.weighted_choice: items is empty/],
    ['an empty object', [new PyDict()], /^ValueError: rand\.weighted_choice: items is empty/],
    ['an object with weights', [DICT, [1]], /^TypeError: .*already contains weights/],
    ['a number as items', [3, [1]], /^TypeError: .*items must be a list/],
    ['a number as weights', [['a'], 3], /^TypeError: .*weights must be a list/],
    ['nothing', [], /^TypeError: rand\.weighted_choice\(\) takes at least 1 argument/],
  ])('refuses %s', (_, args, message) => {
    expect(faultOf(() => seeded()('weighted_choice', args))).toMatch(message);
  });
});

describe('weighted_choices', () => {
  test('draws as the weights say, from two lists and from an object', () => {
    for (const args of [
      [ITEMS, WEIGHTS, 60_000],
      [DICT, 60_000],
    ]) {
      const drawn = seeded()('weighted_choices', args);
      if (!Array.isArray(drawn)) throw new Error('no list');
      expect(drawn).toHaveLength(60_000);
      expect(surprise(drawn, SHARES)).toBeLessThan(5);
    }
  });

  test('takes its arguments by name', () => {
    const rand = seeded();
    expect(rand('weighted_choices', [['x', 'y']], { n: 2, weights: [0, 1] })).toEqual(['y', 'y']);
    expect(rand('weighted_choices', [new PyDict().set('x', 1)], { n: 3 })).toEqual(['x', 'x', 'x']);
    expect(rand('weighted_choices', [], { items: new PyDict().set('x', 1), n: 1 })).toEqual(['x']);
  });

  test('gives nothing for n = 0', () => {
    expect(seeded()('weighted_choices', [ITEMS, WEIGHTS, 0])).toEqual([]);
  });

  test('weights=None draws uniformly', () => {
    const call = seeded();
    const one = Array.from({ length: 4_000 }, () => call('weighted_choice', [['a', 'b'], null]));
    const many = call('weighted_choices', [['a', 'b'], null, 4_000]) as Value[];
    for (const chosen of [one, many]) {
      expect(chosen).toHaveLength(4_000);
      expect(Math.abs(chosen.filter((each) => each === 'a').length - 2_000)).toBeLessThan(150);
    }
    expect(faultOf(() => call('weighted_choice', [[], null]))).toMatch(/^ValueError: .*items is empty/);
  });

  test.each<[string, readonly Value[], RegExp]>([
    ['a negative number', [ITEMS, WEIGHTS, -1], /^ValueError: .*n must be from 0 to 1000000, not -1/],
    ['no number', [ITEMS, WEIGHTS], /^TypeError: .*n is missing/],
    ['no number with an object', [DICT], /^TypeError: .*n is missing/],
    ['a float as number', [DICT, 1.5], /^TypeError: .*n must be an integer/],
    ['an object with weights', [DICT, [1, 2, 3, 4], 1], /^TypeError: .*already contains weights/],
    ['weights of another length', [ITEMS, [1], 1], /^ValueError: .*4 items, but 1 weights/],
    ['zero weights', [['a'], [0], 1], /^ValueError: .*every weight is 0/],
    ['no items', [[], [], 1], /^ValueError: .*items is empty/],
  ])('refuses %s', (_, args, message) => {
    expect(faultOf(() => seeded()('weighted_choices', args))).toMatch(message);
  });
});
