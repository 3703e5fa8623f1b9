import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../../../../src/domain/random.js';
import { csvNames, failureOf, itemsNames, jsonNames, show, USERS, users } from './support.js';

describe('picking', () => {
  /** Counts of names in 4,000 picks. */
  const shares = async (call: string, random = seededRandom(7)) => {
    const names = await itemsNames(USERS, random);
    const text = show(names, `{% for i in range(4000) %}{{ ${call} }} {% endfor %}`);
    const counts: Record<string, number> = {};
    for (const name of text.trim().split(' ')) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };

  test('pick gives each row as often', async () => {
    const counts = await shares('samples.x.pick().name');
    expect(Object.keys(counts).sort()).toEqual(['ann', 'bob', 'cid']);
    for (const count of Object.values(counts)) expect(Math.abs(count - 4000 / 3)).toBeLessThan(150);
  });

  test('weighted_pick follows the weights and never gives a weight of 0', async () => {
    const counts = await shares("samples.x.weighted_pick('weight').name");
    expect(Object.keys(counts).sort()).toEqual(['ann', 'cid']);
    expect(Math.abs((counts['cid'] ?? 0) - 3000)).toBeLessThan(150);
  });

  test('a filtered sample picks from its own rows by its own weights', async () => {
    const counts = await shares("samples.x.where(name='ann').weighted_pick('weight').name");
    expect(counts).toEqual({ ann: 4000 });
  });

  test('the same seed gives the same picks, and they move that stream only', async () => {
    const text =
      "{% for i in range(20) %}{{ samples.x.pick().name }}{{ samples.x.weighted_pick('weight').name }}{{ samples.x.pick_n(2) | map(attribute='name') | join }}{{ samples.x.where(age=30).pick().name }}{% endfor %}";
    const [one, two, other] = [seededRandom(3), seededRandom(3), seededRandom(4)];
    const first = show(await itemsNames(USERS, one), text);
    expect(show(await itemsNames(USERS, two), text)).toBe(first);
    expect(show(await itemsNames(USERS, other), text)).not.toBe(first);
    expect(one.snapshot()).toEqual(two.snapshot());
    expect(one.snapshot()).not.toEqual(seededRandom(3).snapshot());
  });

  test.each([
    ['samples.x.pick_n(5) | length', '5'],
    ['samples.x.pick_n(0)', '[]'],
    ['samples.x.pick_n(-1)', '[]'],
    ["samples.x.weighted_pick_n('weight', 7) | length", '7'],
    ["samples.x.weighted_pick_n('weight', 0)", '[]'],
    ["samples.x.weighted_pick_n('nothing', -2)", '[]'],
    ["samples.x.weighted_pick_n(column='weight', n=2) | length", '2'],
    ['samples.x.pick(default=1).name is defined', 'True'],
    ["samples.x.where(age=1).pick('none')", 'none'],
    ['samples.x.where(age=1).pick(none)', 'None'],
    ['samples.x.where(age=1).pick(default=[])', '[]'],
    ['samples.x.where(age=1).pick_n(3)', '[]'],
    ["samples.x.where(age=1).weighted_pick('weight', 'none')", 'none'],
    ["samples.x.where(age=1).weighted_pick('weight', default=none)", 'None'],
    ["samples.x.where(age=1).weighted_pick(column='nothing', default=0)", '0'],
    ["samples.x.where(age=1).weighted_pick_n('nothing', 3)", '[]'],
  ])('%s is %s', async (call, expected) => {
    expect(show(await users(), `{{ ${call} }}`)).toBe(expected);
  });

  test.each([
    ['samples.x.where(age=1).pick()', "pick: sample 'x' has no rows: give a default, as in pick(none)"],
    [
      "samples.x.where(age=1).weighted_pick('weight')",
      "weighted_pick: sample 'x' has no rows: give a default, as in weighted_pick(column, none)",
    ],
    [
      "samples.x.weighted_pick('wait')",
      "weighted_pick: sample 'x' has no column 'wait' (columns: 'name', 'age', 'weight', 'roles')",
    ],
    [
      "samples.x.weighted_pick_n('wait', 1)",
      "weighted_pick_n: sample 'x' has no column 'wait' (columns: 'name', 'age', 'weight', 'roles')",
    ],
    ['samples.x.weighted_pick(2)', 'weighted_pick: give the column by name, not as 2'],
    ['samples.x.weighted_pick()', "weighted_pick() missing required argument: 'column'"],
    ['samples.x.pick(1, 2)', 'pick() takes at most 1 arguments (2 given)'],
    ['samples.x.pick(other=1)', "pick() got an unexpected keyword argument 'other'"],
    ['samples.x.pick(1, default=2)', "pick() got multiple values for argument 'default'"],
    ["samples.x.pick_n('2')", "'str' object cannot be interpreted as an integer"],
    [
      'samples.x.pick_n(2000000)',
      'a collection of 2000000 items exceeds the limit collection_items (1000000)',
    ],
    [
      "samples.x.weighted_pick('name')",
      "the weight 'ann' in row 1 of column 'name' of sample 'x' is not a number: weights must be numbers or numeric strings of 0 or more",
    ],
  ])('%s is an error', async (call, message) => {
    expect(failureOf(await users(), `{{ ${call} }}`)).toBe(message);
  });

  test('an empty file has no row to pick', async () => {
    const names = await jsonNames('[]');
    expect(
      show(names, "{{ samples.x.pick(1) }} {{ samples.x.weighted_pick('w', 2) }} {{ samples.x.pick_n(3) }}"),
    ).toBe('1 2 []');
    expect(failureOf(names, '{{ samples.x.pick() }}')).toMatch(/no rows/);
  });
});

describe('weights', () => {
  const picked = async (weights: readonly unknown[]) => {
    const names = await itemsNames(
      JSON.parse(JSON.stringify(weights.map((weight, name) => ({ name, weight })))),
    );
    return (): string => show(names, "{{ samples.x.weighted_pick('weight').name }}");
  };

  test.each([
    ['numeric text', ['0', ' 2.5e1 ', '0.0']],
    ['floats', [0, 0.5, 0]],
    ['tiny numbers', [0, 5e-324, 0]],
    ['one row', [0, 1]],
  ])('%s are weights', async (_, weights) => {
    const pick = await picked(weights);
    for (let i = 0; i < 50; i++) expect(pick()).toBe('1');
  });

  test('large integers are weights', async () => {
    const names = await jsonNames('[{"n": "a", "w": 100000000000000000000}, {"n": "b", "w": 0}]');
    expect(show(names, "{{ samples.x.weighted_pick('w').n }}")).toBe('a');
  });

  test.each<[string, readonly unknown[], string]>([
    [
      'negative',
      [1, -1],
      "the weight -1 in row 2 of column 'weight' of sample 'x' is negative: weights must be numbers or numeric strings of 0 or more",
    ],
    [
      'negative text',
      ['-0.5'],
      "the weight '-0.5' in row 1 of column 'weight' of sample 'x' is negative: weights must be numbers or numeric strings of 0 or more",
    ],
    [
      'not numeric',
      ['1', 'many'],
      "the weight 'many' in row 2 of column 'weight' of sample 'x' is not a number: weights must be numbers or numeric strings of 0 or more",
    ],
    [
      'empty',
      [''],
      "the weight '' in row 1 of column 'weight' of sample 'x' is not a number: weights must be numbers or numeric strings of 0 or more",
    ],
    [
      'null',
      [null],
      "the weight None in row 1 of column 'weight' of sample 'x' is not a number: weights must be numbers or numeric strings of 0 or more",
    ],
    [
      'infinite',
      ['inf'],
      "the weight 'inf' in row 1 of column 'weight' of sample 'x' is not a number: weights must be numbers or numeric strings of 0 or more",
    ],
    [
      'boolean',
      [true],
      "the weight True in row 1 of column 'weight' of sample 'x' is not a number: weights must be numbers or numeric strings of 0 or more",
    ],
    [
      'all zero',
      [0, '0'],
      "every weight of column 'weight' of sample 'x' is 0: at least one must be greater",
    ],
    [
      'too large together',
      [1e308, 1e308],
      "the weights of column 'weight' of sample 'x' are too large to add up",
    ],
  ])('that are %s are an error', async (_, weights, message) => {
    const names = await itemsNames(
      JSON.parse(JSON.stringify(weights.map((weight, name) => ({ name, weight })))),
    );
    expect(failureOf(names, "{{ samples.x.weighted_pick('weight') }}")).toBe(message);
  });

  test('need names of columns', async () => {
    expect(failureOf(await csvNames('a,1\n'), "{{ samples.x.weighted_pick('_1') }}")).toBe(
      "weighted_pick: sample 'x' has no column names: add them (header: true for CSV, objects for JSON and items)",
    );
  });

  test('may stand in a column that a header names by its place', async () => {
    expect(
      show(await csvNames('n,_1\na,1\n', { header: true }), "{{ samples.x.weighted_pick('_1').n }}"),
    ).toBe('a');
  });
});
