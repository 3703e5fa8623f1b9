import { expect, test } from '@jest/globals';
import { seededRandom } from '../../src/domain/random.js';
import { fromJson, native, PyDict, TemplateObject, type Value } from '../../src/template/index.js';
import { renderCase, rendered } from './engine.js';
import { askJinja, hasJinja, type OracleCase, type Outcome } from './oracle.js';

/**
 * Fast paths of the engine (dict literals, date tables, short floats, list iterators) against Jinja, around
 * their limits.
 */
const random = seededRandom('quick paths');
const whole = (min: number, max: number): number => random.integer(min, max);
const many = (count: number, make: () => string): OracleCase[] =>
  Array.from({ length: count }, () => ({ text: make() }));

const DICTS: readonly string[] = [
  "{% set d = {'b': 1, 'a': 2} %}{% do d.update({'c': 3}) %}{{ d }} {{ d|tojson }} {{ d|length }}",
  "{% set d = {'b': 1, 'a': 2} %}{% do d.pop('b') %}{% do d.update({'b': 5}) %}{{ d }} {{ d|tojson }}",
  "{% set d = {'b': 1, 'a': 2} %}{% do d.update({'a': 9}) %}{{ d }} {{ d|tojson }} {{ 'a' in d }} {{ 'z' in d }}",
  "{% for i in [1, 2] %}{% set d = {'a': i} %}{% do d.update({i: 'x'}) %}{{ d }}{% endfor %}",
  "{% macro m() %}{% set d = {'l': []} %}{% do d.l.append(1) %}{{ d }}{% endmacro %}{{ m() }}{{ m() }}",
  "{% set d = {'a': 1} %}{% set e = d.copy() %}{% do e.update({'b': 2}) %}{% do d.clear() %}{{ d }}{{ e }}{{ d|tojson }}",
  "{% set d = {'a': 1, 'a': 2} %}{{ d }} {% set e = {1: 'x', 1.0: 'y', true: 'z'} %}{{ e }}",
  "{{ {'é': 1, 'z': 2, '<': 3, '\"': 4, '': 5}|tojson }} {{ {2: 'b', 10: 'a', 1: 'c'}|tojson }}",
  "{{ {'a': 1, 2: 3}|tojson }}",
  "{{ {none: 1, 'a': 2}[none] }} {{ {'a': none}.a }} {{ {'a': 1} == {'a': 1.0} }}",
  "{{ {}|tojson }} {{ {'a': {}}|tojson }} {{ {'a': {'z': 1, 'b': [1, {'y': 2, 'x': 1}]}}|tojson(indent=2) }}",
  "{% set d = {'a': 1} %}{% do d.update({'self': d}) %}{{ d }}",
  "{% set d = {'self': []} %}{% do d.self.append(d) %}{{ d|tojson }}",
  "{% for k, v in {'b': 1, 'a': [2]}.items() %}{{ k }}={{ v }};{% endfor %}{{ {'b': 1, 'a': 2}|list }}",
  "{% set d = {'a': 1, 'b': 2} %}{% for k in d %}{% do d.update({'n': 1}) %}{% endfor %}",
  "{% set d = {'a': 1} %}{{ d.setdefault('a', 5) }}{{ d.setdefault('b', 6) }}{{ d.popitem() }}{{ d }}",
  "{{ {'a': 1}|tojson ~ {'b': '<x>'}|tojson }} {{ [{'k': 'x\\ny'}]|tojson }}",
];

const LISTS: readonly string[] = [
  "{% set l = [1, 2] %}{% for x in l|select('gt', 0) %}{% if x < 5 %}{% do l.append(x + 2) %}{% endif %}{{ x }}{% endfor %}",
  '{% set l = [1] %}{% for x in l %}{{ loop.index }}{{ loop.last }}{% if x < 3 %}{% do l.append(x + 1) %}{% endif %}{% endfor %}',
  "{% set s = [1, 2, 3]|select('odd') %}{{ s|first }}{{ s|list }}{{ s|list }}",
  "{% set s = users|selectattr('name', 'nosuch') %}x{{ s|list }}",
  "{{ []|selectattr()|list }}{{ nope|selectattr('a', 'equalto', 1)|list }}",
  '{{ [1]|selectattr()|list }}',
  "{{ users|selectattr('age', 'equalto', 30)|map(attribute='name')|join(',') }} {{ users|rejectattr('tags')|list|length }}",
  "{{ users|map(attribute='tags.0', default='-')|list }} {{ ['a', 'b']|map('upper')|join }} {{ [1]|map('nosuch')|list }}",
  "{{ users|map(attribute='nope')|list }} {{ [1]|map(attribute='a', x=1)|list }}",
  "{{ (1, 2, 3)|select('in', [1, 3])|list }} {{ 'abc'|reject('equalto', 'b')|join }} {{ {'a': 1}|select|list }}",
  "{% for x in [[1, 2]] %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x) }}{{ loop.nextitem is defined }}{% endfor %}",
  '{% for x in [none, 1] %}{{ loop.nextitem }}{{ loop.previtem }};{% endfor %}',
  "{% macro m(a, b=2, c='z') %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }}{{ m(1, c=3) }}{{ m() }}{{ m(1, 2, 3) }}",
  '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}',
  "{{ 'a' if false }}|{{ ('b' if true) }}|{{ 'c' if false else 1.0 }}|{{ (1 if false)|default('d') }}",
  "{{ 'x-y-z'|replace('-', '') }}{{ ''|replace('a', 'b') }}{{ 'aaa'|replace('aa', 'b') }}{{ 'a$b'|replace('$', '$&') }}{{ 'ab'|replace('', '-') }}",
  `{{ ('ab' * 200)|replace('b', 'cc')|length }} {{ ('ab' * 200)|replace('z', 'c')|length }}`,
  "{{ 'john o\\'neil-smith (x)'|title }} {{ 'ÉCOLE'|title }} {{ ''|title }}",
  "{{ '42'|int }} {{ '042'|int }} {{ '1_0'|int }} {{ ' 7 '|int }} {{ '12345678901234567890'|int }} {{ 'x'|int(3) }} {{ (-0.5)|int }} {{ 1e20|int }}",
  '{{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 7.5 % 2 }} {{ 0 % 5 }} {{ 6 % 3 }} {{ true % 2 }}',
  '{{ 1.5 + 1 }} {{ 1 - 0.5 }} {{ 2 * 0.5 }} {{ 9007199254740991 + 1 }} {{ -3 * 0 }} {{ 0.1 + 0.2 }} {{ 1e308 * 10 }}',
];

const floats = many(150, () => {
  const digits = 10 ** whole(0, 5);
  const value = whole(-10_000_000, 10_000_000) / digits;
  const text = Number.isInteger(value) ? `${value}.0` : String(value);
  return `{{ ${text} }} {{ (${text})|round(${whole(0, 4)}) }} {{ [${text}]|tojson }} {{ ${text} * 1000 }}`;
});

const printfs = many(100, () => {
  const flags = ['', '0', '-', '+', ' ', '#', '0+'][whole(0, 6)] ?? '';
  const code = ['d', 'x', 'X', 'o', 'i', 's', '.3d', 'f', '.2f'][whole(0, 8)] ?? 'd';
  const value = [whole(-300, 300), whole(0, 1e9), '2**70', 'true', '1.5'][whole(0, 4)];
  return `{{ '[%${flags}${whole(0, 12)}${code}|%${code}]'|format(${value}, ${value}) }}`;
});

/** Formats in a literal and in a variable, with the right number of arguments or one more or less. */
const mixedFormats = many(150, () => {
  const pieces = Array.from(
    { length: whole(1, 5) },
    () => ['%s', '%d', '%i', '%.3f', '%5s', '%-6s|', '%r', '%x', '%c', '%%'][whole(0, 9)] ?? '%s',
  );
  const needed = pieces.filter((piece) => piece !== '%%').length + ([0, 0, 0, 1, -1][whole(0, 4)] ?? 0);
  const values = Array.from(
    { length: Math.max(0, needed) },
    () =>
      ["'abc'", "'é\u{1f600}'", '7', '-12', '2.5', '4.0', 'true', 'none', '2**40', '2**70', '[1]', 'nope'][
        whole(0, 11)
      ],
  ).join(', ');
  const format = pieces.join(' ');
  return `{{ '${format}'|format(${values}) }} {% set f = '${format}' %}{{ f|format(${values}) }}`;
});

const CODES = [
  '%Y',
  '%m',
  '%d',
  '%H',
  '%M',
  '%S',
  '%f',
  '%b',
  '%e',
  '%j',
  '%a',
  '%A',
  '%B',
  '%y',
  '%I',
  '%p',
];
const MORE = ['%H:%M:%S', '%H:%M', '%%', '%z', 'T', ':', '.', ' x ', '%Y-%m-%dT%H:%M:%S.%f', '%U'];

/** A date-time, often within a day of a DST change. */
const moment = (): string => {
  const [month, day] = [
    [3, whole(27, 30)],
    [10, whole(23, 26)],
    [whole(1, 12), whole(1, 28)],
  ][whole(0, 2)] as [number, number];
  const year = [2026, 2026, 1999, 1701, 2239][whole(0, 4)];
  const micros = [0, whole(1, 999_999), 1000, 999_999][whole(0, 3)];
  const zone = ['BERLIN', 'datetime.timezone.utc', 'none'][whole(0, 2)];
  return `datetime.datetime(${year}, ${month}, ${day}, ${whole(0, 23)}, ${whole(0, 59)}, ${whole(0, 59)}, ${micros}, ${zone})`;
};

const delta = (): string => {
  const unit = ['days', 'hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'weeks'][whole(0, 6)];
  const amount = [whole(-90_000, 90_000), whole(0, 30), `${whole(-50, 50)}.5`][whole(0, 2)];
  return `datetime.timedelta(${unit}=${amount})`;
};

const dates = many(300, () => {
  const format = Array.from(
    { length: whole(1, 8) },
    () => [...CODES, ...MORE][whole(0, CODES.length + MORE.length - 1)],
  );
  return [
    `{% set a = ${moment()} %}{% set b = a + ${delta()} - ${delta()} %}`,
    `{{ a.isoformat() }} {{ b.isoformat() }} {{ b }} {{ a.strftime('${format.join('')}') }} {{ b.strftime('${format.join('')}') }}`,
    '{{ b - a }} {{ (b - a).total_seconds() }} {{ a == b }} {{ b.timestamp() }}',
    '{{ b.astimezone(datetime.timezone.utc) }} {{ b.utcoffset() }}',
  ].join('');
});

const essence = (outcome: Outcome): string => ('ok' in outcome ? outcome.ok : `error ${outcome.error}`);

(hasJinja ? test : test.skip).each<[string, readonly OracleCase[]]>([
  ['dicts', DICTS.map((text) => ({ text }))],
  ['lists, macros and texts', LISTS.map((text) => ({ text }))],
  ['floats', floats],
  ['printf', printfs],
  ['printf, with as many arguments or not', mixedFormats],
  ['dates and durations', dates],
])('the quick ways give what Jinja gives: %s', (_name, cases) => {
  const { results } = askJinja(cases);
  const different = cases
    .map((each, index) => {
      const theirs = results[index];
      return {
        text: each.text,
        theirs: theirs === undefined ? '' : essence(theirs),
        ours: essence(renderCase(each)),
      };
    })
    .filter(({ theirs, ours }) => theirs !== ours);
  expect(different).toEqual([]);
});

test('an object of JSON is a dict whose keys can change, whatever objects came before', () => {
  const objects = [
    { a: 1, b: 2 },
    { a: 3, b: 4 },
    { 'a\nb': 5, c: 6 },
    { a: 7, 'b\nc': 8 },
    { b: 9, a: 10 },
    {},
    Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n])),
  ].map((object) => fromJson(object) as PyDict);
  const [first, second] = objects as [PyDict, PyDict];
  first.set('c', 'new');
  second.delete('a');
  expect(objects.slice(0, 6).map((dict) => dict.repr())).toEqual([
    "{'a': 1, 'b': 2, 'c': 'new'}",
    "{'b': 4}",
    "{'a\\nb': 5, 'c': 6}",
    "{'a': 7, 'b\\nc': 8}",
    "{'b': 9, 'a': 10}",
    '{}',
  ]);
  expect(objects[6]?.pairList().at(-1)).toEqual(['k99', 99]);
});

test('objects of more forms than are remembered are dicts like the others', () => {
  const dicts = Array.from({ length: 1_500 }, (_, n) => fromJson({ [`only ${n}`]: n }) as PyDict);
  expect(dicts.every((dict, n) => dict.get(`only ${n}`) === n && dict.count === 1)).toBe(true);
});

test('a dict literal is a new dict at each render', () => {
  const kept: PyDict[] = [];
  const keep = native('keep(value)', (value) => {
    if (value instanceof PyDict) kept.push(value.set('more', kept.length));
    return value ?? null;
  });
  const text = "{% for i in range(2) %}{{ keep({'a': 1, 'b': [2]})|tojson }}{% endfor %}";
  expect(rendered(text, new Map([['keep', keep]]))).toBe(
    '{"a": 1, "b": [2], "more": 0}{"a": 1, "b": [2], "more": 1}',
  );
  expect(new Set(kept).size).toBe(2);
});

/** Rows of the host: a list behind an object. */
class Rows extends TemplateObject {
  constructor(private readonly rows: readonly Value[]) {
    super();
  }
  get typeName(): string {
    return 'Rows';
  }
  override elements(): readonly Value[] | undefined {
    return this.rows;
  }
  override iterator(): Iterator<Value> {
    return this.rows[Symbol.iterator]();
  }
  override size(): number {
    return this.rows.length;
  }
  override item(key: Value): Value | undefined {
    return typeof key === 'number' ? this.rows[key] : undefined;
  }
}

test('objects with and without elements() iterate alike, None included', () => {
  class Hidden extends Rows {
    override elements(): undefined {
      return undefined;
    }
  }
  const values = [{ a: 1 }, { a: null }, { a: 2 }].map(fromJson);
  const text =
    "{{ r|map(attribute='a')|list }}{{ r|selectattr('a', 'none')|list }}{% for x in r %}{{ loop.index }}{{ x.a }}{% endfor %}{% for x in n %}{{ x }}{% endfor %}{{ n|list }}{{ (r|random).a is defined }}{{ r|length }}";
  const texts = [Rows, Hidden].map((Kind) =>
    rendered(
      text,
      new Map<string, Value>([
        ['r', new Kind(values)],
        ['n', new Kind([null, 3])],
      ]),
    ),
  );
  expect(texts[0]).toBe("[1, None, 2][{'a': None}]112None32None3[None, 3]True3");
  expect(texts[1]).toBe(texts[0]);
});
