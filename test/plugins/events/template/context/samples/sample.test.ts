import { describe, expect, test } from '@jest/globals';
import { csvNames, failureOf, namesWith, show, tricky, users } from './support.js';

describe('the object samples', () => {
  test.each([
    ['{{ samples.users[0].name }} {{ samples["users"] | length }}', '1 1'],
    [
      '[{{ samples.none }}] {{ samples.none is defined }} {{ samples["none"] is undefined }}',
      '[] False True',
    ],
    ["{{ 'users' in samples }} {{ 'none' in samples }} {{ 1 in samples }}", 'True False False'],
    [
      '{{ samples | list }} {{ samples | length }} {{ samples }}',
      "['users', 'items'] 2 Samples('users', 'items')",
    ],
    ['{{ samples.items[0][0] }}', '2'],
  ])('%s', async (text, expected) => {
    const names = await namesWith({
      users: { type: 'items', source: [{ name: 1 }] },
      items: { type: 'items', source: [2] },
    });
    expect(show(names, text)).toBe(expected);
  });

  test('the error of an unknown name lists the known ones', async () => {
    expect(failureOf(await users(), '{{ samples.y.pick() }}')).toBe(
      "sample 'y' does not exist (samples: 'x')",
    );
  });
});

describe('a sample', () => {
  test.each([
    ['{{ samples.x[0].name }} {{ samples.x[-1].name }}', 'ann cid'],
    ['[{{ samples.x[3] }}] {{ samples.x[-4] is defined }}', '[] False'],
    ['{{ samples.x[1:] | map(attribute="name") | list }}', "['bob', 'cid']"],
    ['{{ samples.x[::-1] | map(attribute=0) | join }}', 'cidbobann'],
    ['{{ samples.x[:-1] | length }} {{ samples.x[:0] }}', '2 []'],
    ['{{ samples.x.name }} {{ samples.x["age"] }}', "['ann', 'bob', 'cid'] [30, 25, 30]"],
    ['{{ samples.x.columns }}', "['name', 'age', 'weight', 'roles']"],
    ['{{ samples.x }}', "Sample(rows=3, columns=['name', 'age', 'weight', 'roles'])"],
    ['{% for row in samples.x %}{{ loop.index }}{{ row.name }}{% endfor %}', '1ann2bob3cid'],
    ['{% for name, age, weight, roles in samples.x %}{{ name }}{{ age }}{% endfor %}', 'ann30bob25cid30'],
    [
      '{{ samples.x == samples.x[:] }} {{ samples.x[:] == samples.x }} {{ samples.x == [] }}',
      'True True False',
    ],
    ['{{ ["bob", 25, 0, []] in samples.x }} {{ ["bob"] in samples.x }}', 'True False'],
    ['{{ "yes" if samples.x else "no" }} {{ "yes" if samples.x.where(age=1) else "no" }}', 'yes no'],
    ['[{{ samples.x.nothing }}]{{ samples.x["nothing"] is defined }}', '[]False'],
    ['{{ samples.x is iterable }} {{ samples.x is sequence }} {{ samples.x is mapping }}', 'True True False'],
  ])('%s gives %s', async (text, expected) => {
    expect(show(await users(), text)).toBe(expected);
  });

  test('a list of a column may be changed without changing the sample', async () => {
    expect(
      show(
        await users(),
        '{% set n = samples.x.name %}{% do n.append(1) %}{{ n | length }} {{ samples.x.name | length }}',
      ),
    ).toBe('4 3');
  });

  test('so may the names of the columns', async () => {
    expect(show(await users(), '{% do samples.x.columns.append(1) %}{{ samples.x.columns | length }}')).toBe(
      '4',
    );
  });

  test('the error of an unknown column lists the known ones', async () => {
    expect(failureOf(await users(), '{{ samples.x.nme[0] }}')).toBe(
      "sample 'x' has no column 'nme' (columns: 'name', 'age', 'weight', 'roles')",
    );
  });

  test('columns without names are read by their places', async () => {
    const names = await csvNames('a,1\nb,2\n');
    expect(show(names, '{{ samples.x.columns }} {{ samples.x._1 }} {{ samples.x[0]._0 }}')).toBe(
      "['_0', '_1'] ['1', '2'] a",
    );
  });

  test('names of columns win over methods where they are read, and methods where they are called', async () => {
    expect(
      show(
        await tricky(),
        '{{ samples.x.pick }} {{ samples.x.columns }} {{ samples.x["where"] }} {{ samples.x.where(count=2).pick().count }} {{ samples.x["two words"] }}',
      ),
    ).toBe("['p', 'q'] ['c', 'd'] ['w', 'v'] 2 ['t', 'u']");
  });

  test('methods are values where no column has their name', async () => {
    expect(show(await users(), '{% set pick = samples.x.pick_n %}{{ pick(2) | length }}')).toBe('2');
  });
});
