import { describe, expect, test } from '@jest/globals';
import { failureOf, itemsNames, show, tricky, users } from './support.js';

describe('a row', () => {
  test.each([
    ['{{ r.name }} {{ r[0] }} {{ r["name"] }} {{ r[-1] }}', "ann ann ann ['a']"],
    ['{{ r }}', "Row(name='ann', age=30, weight=1, roles=['a'])"],
    ['{{ r[:2] }} {{ r | length }}', "('ann', 30) 4"],
    ['{{ r == ["ann", 30, 1, ["a"]] }} {{ ["ann", 30, 1, ["a"]] == r }}', 'True True'],
    ['{{ r == ("ann", 30, 1, ["a"]) }} {{ ("ann", 30, 1, ["a"]) == r }}', 'True True'],
    ['{{ r == ["ann", 30, 1] }} {{ r != ["ann", 30, 1, ["b"]] }} {{ r == "ann" }}', 'False True False'],
    ['{% set a, b, c, d = r %}{{ a }}{{ b }}', 'ann30'],
    ['{{ r | list }} {{ r | first }} {{ r | last }}', "['ann', 30, 1, ['a']] ann ['a']"],
    ['{{ r.count("ann") }} {{ r.index(30) }}', '1 1'],
    [
      '[{{ r.nothing }}] {{ r.nothing is defined }} {{ r["nothing"] | default("d") }} {{ r[9] is defined }}',
      '[] False d False',
    ],
    ['{{ r | tojson }}', '["ann", 30, 1, ["a"]]'],
    ['{{ "ann" in r }} {{ r and 1 }}', 'True 1'],
    ['{{ r | attr("age") }}', '30'],
  ])('%s gives %s', async (text, expected) => {
    expect(show(await users(), `{% set r = samples.x[0] %}${text}`)).toBe(expected);
  });

  test('the error of an unknown column lists the known ones', async () => {
    expect(failureOf(await users(), '{{ samples.x[0].nme + 1 }}')).toBe(
      "the row has no column 'nme' (columns: 'name', 'age', 'weight', 'roles')",
    );
  });

  test('columns named count and index are read by name, and the methods are called', async () => {
    expect(
      show(
        await tricky(),
        '{% set r = samples.x[1] %}{{ r.count }} {{ r.index }} {{ r["count"] }} {{ r.count("j") }} {{ r.index("j") }} {{ samples.x | map(attribute="index") | join }}',
      ),
    ).toBe('2 j 2 1 1 ij');
  });

  test('of one value prints without a comma', async () => {
    expect(show(await itemsNames(['a']), '{{ samples.x[0] }} {{ samples.x[0] == ["a"] }}')).toBe(
      "Row(_0='a') True",
    );
  });

  test('lists inside rows are shared by reference', async () => {
    expect(
      show(
        await users(),
        '{% do samples.x[1].roles.append("new") %}{{ samples.x.where(name="bob")[0].roles }}',
      ),
    ).toBe("['new']");
  });

  test('that holds itself in a list prints', async () => {
    expect(
      show(await itemsNames([{ a: [] }]), '{% do samples.x[0].a.append(samples.x[0]) %}{{ samples.x[0] }}'),
    ).toBe('Row(a=[Row(...)])');
  });
});
