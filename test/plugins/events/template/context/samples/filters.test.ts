import { describe, expect, test } from '@jest/globals';
import { itemsNames, show, users } from './support.js';

describe('filters', () => {
  test.each([
    ['(samples.x | random).name in ["ann", "bob", "cid"]', 'True'],
    ['(samples.x | first).name', 'ann'],
    ['(samples.x | last).name', 'cid'],
    ['samples.x | reverse | map(attribute="name") | list', "['cid', 'bob', 'ann']"],
    ['samples.x | list | length', '3'],
    ['samples.x | selectattr("age", "equalto", 30) | map(attribute="name") | list', "['ann', 'cid']"],
    ['(samples.x | selectattr("age", "eq", 25) | list | random).name', 'bob'],
    ['samples.x | selectattr("weight", "gt", 1) | map(attribute="name") | first', 'cid'],
    ['samples.x | selectattr("weight", "le", 1) | list | length', '2'],
    ['samples.x | rejectattr("name", "equalto", "bob") | list | length', '2'],
    ['samples.x | selectattr("weight") | map(attribute="name") | join(",")', 'ann,cid'],
    ['samples.x | sort(attribute="age") | map(attribute="name") | join(",")', 'bob,ann,cid'],
    [
      'samples.x | sort(attribute="age,name", reverse=true) | map(attribute="name") | join(",")',
      'cid,ann,bob',
    ],
    ['samples.x | join(",", attribute="name")', 'ann,bob,cid'],
    ['samples.x | sum(attribute="weight")', '4'],
    ['(samples.x | max(attribute="weight")).name', 'cid'],
    ['samples.x | map(attribute="roles") | map("tojson") | join', '["a"][]["a", "b"]'],
    ['samples.x | map(attribute="age") | unique | list', '[30, 25]'],
    ['samples.x.name | random in samples.x.name', 'True'],
    ['samples.x | batch(2) | map("length") | list', '[2, 1]'],
    ['[samples.x.where(age=1) | first] | string', '[Undefined]'],
    ['samples.x.where(age=1) | last is defined', 'False'],
    ['samples.x.where(age=1) | random is defined', 'False'],
  ])('%s is %s', async (text, expected) => {
    expect(show(await users(), `{{ ${text} }}`)).toBe(expected);
  });

  test('groupby groups rows', async () => {
    expect(
      show(
        await users(),
        '{% for age, rows in samples.x | groupby("age") %}{{ age }}:{{ rows | join(",", attribute="name") }} {% endfor %}',
      ),
    ).toBe('25:bob 30:ann,cid ');
  });

  test('random takes one row and does not go through all of them', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => [i]);
    const names = await itemsNames(rows);
    // 5,000 picks of 5,000 rows would be 25 million steps, above the limit of a render.
    expect(show(names, '{% for i in range(5000) %}{{ "" if samples.x | random }}{% endfor %}')).toBe('');
  });
});
