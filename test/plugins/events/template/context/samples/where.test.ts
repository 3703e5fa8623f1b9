import { describe, expect, test } from '@jest/globals';
import type { Value } from '../../../../../../src/template/index.js';
import { csvNames, failureOf, jsonNames, show, users } from './support.js';

describe('where', () => {
  test.each([
    ['samples.x.where(age=30).name', "['ann', 'cid']"],
    ["samples.x.where(age=30, name='cid').name", "['cid']"],
    ["samples.x.where(name='cid', age=25).name", '[]'],
    ['samples.x.where(age=30.0).name', "['ann', 'cid']"],
    ['samples.x.where(weight=true).name', "['ann']"],
    ["samples.x.where(age='30').name", '[]'],
    ['samples.x.where(roles=[]).name', "['bob']"],
    ["samples.x.where(roles=['a', 'b'], age=30).name", "['cid']"],
    ['samples.x.where(name=none).name', '[]'],
    ['samples.x.where(age=30).columns', "['name', 'age', 'weight', 'roles']"],
    ["samples.x.where(**{'name': 'ann'})", "Sample(rows=1, columns=['name', 'age', 'weight', 'roles'])"],
    ['samples.x.where() is sameas samples.x', 'True'],
    ["samples.x.where(age=30) == samples.x | selectattr('age', 'eq', 30) | list", 'True'],
    ['samples.x.where(age=30).where(weight=3).name', "['cid']"],
    ['samples.x.name', "['ann', 'bob', 'cid']"],
  ])('%s is %s', async (call, expected) => {
    const names = await users();
    // Twice: the second result comes from the cache.
    expect(show(names, `{{ ${call} }}`)).toBe(expected);
    expect(show(names, `{{ ${call} }}`)).toBe(expected);
  });

  test('a number never matches the text of a CSV file', async () => {
    const names = await csvNames('n,weight\na,1\nb,2\n', { header: true });
    expect(show(names, "{{ samples.x.where(weight=1) | length }} {{ samples.x.where(weight='1').n }}")).toBe(
      "0 ['a']",
    );
  });

  test('equal conditions return the same cached object', async () => {
    const names = await users();
    expect(
      show(
        names,
        "{{ samples.x.where(age=30) is sameas samples.x.where(age=30.0) }} {{ samples.x.where(age=1) is sameas samples.x.where(name='q') }}",
      ),
    ).toBe('True True');
  });

  test('values that are no numbers equal nothing', async () => {
    const names = await jsonNames('[{"a": NaN}, {"a": 1}]');
    const nan: ReadonlyMap<string, Value> = new Map<string, Value>([...names, ['nan', Number.NaN]]);
    expect(show(nan, '{{ samples.x.where(a=nan) | length }}')).toBe('0');
  });

  test.each([
    [
      'samples.x.where(nme=1)',
      "where: sample 'x' has no column 'nme' (columns: 'name', 'age', 'weight', 'roles')",
    ],
    ["samples.x.where('ann')", "where() takes named conditions only, as in where(column='value')"],
  ])('%s is an error', async (call, message) => {
    expect(failureOf(await users(), `{{ ${call} }}`)).toBe(message);
  });

  test('an unknown column is an error also where an earlier condition leaves no rows', async () => {
    expect(failureOf(await users(), "{{ samples.x.where(name='q', nme=1) }}")).toMatch(/no column 'nme'/);
  });
});
