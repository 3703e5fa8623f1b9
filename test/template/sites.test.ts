import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../src/domain/random.js';
import {
  dateTimeAt,
  fromJson,
  HostModule,
  keepsNothing,
  makeEnvironment,
  makeModules,
  native,
  PyDict,
  PyTuple,
  type Template,
  TemplateObject,
  UTC_ZONE,
  undefinedBecause,
  type Value,
} from '../../src/template/index.js';
import { shapeOf } from '../../src/template/values/types/dict.js';

/**
 * A place of a template remembers the kind of object it met last. One that has met anything must give the
 * value or the error, with its position and its charge, of one that has met nothing.
 */

const random = seededRandom(process.env['SPATE_TEST_SEED'] ?? 'sites');
const oneOf = <A>(items: readonly A[]): A => items[random.integer(0, items.length - 1)] as A;

const record = (entries: Readonly<Record<string, Value>>): PyDict =>
  new PyDict(shapeOf(Object.keys(entries)), Object.values(entries));
const SAME = shapeOf(['name', 'get', 'items']);
const layout = {
  places: new Map([
    ['name', 0],
    ['count', 1],
  ]),
};

class Named extends PyTuple {
  override layout = layout;
  override attribute(name: string): Value | undefined {
    const place = layout.places.get(name);
    return place === undefined ? super.attribute(name) : this.items[place];
  }
}

class Changing extends TemplateObject {
  private reads = 0;
  get typeName(): string {
    return 'Changing';
  }
  override attribute(name: string): Value | undefined {
    this.reads = (this.reads + 1) % 3;
    return name === 'name' ? 'changing' : name === 'get' ? native('get(a)', (a) => a ?? null) : undefined;
  }
}

const LONG = 'x'.repeat(20_000);
const appended: Value[] = [];
const hosts = new HostModule('hosts', {
  name: 'fixed',
  get: native('get(key, default=None)', (key, fallback) => new PyTuple([key ?? null, fallback ?? null])),
  count: keepsNothing(native('count(a, b=2, c=3)', (...all) => new PyTuple(all))),
  append: native('append(item)', (item) => {
    appended.push(item ?? null);
    return appended.length;
  }),
});

/** New at each call: methods may change them. */
const values = (): Readonly<Record<string, Value>> => ({
  record: record({ name: 'ann', get: 'g' }),
  same: new PyDict(SAME, ['bob', 'g', 'i']),
  twin: new PyDict(SAME, [LONG, 1, 2]),
  map: fromJson({ name: 'cid', other: 1 }),
  empty: new PyDict(),
  row: new Named(['dan', 7]),
  row2: new Named(['eve', 'n']),
  tuple: new PyTuple(['a', 'a']),
  list: ['a', 'b', 'name'],
  text: 'name count a',
  long: LONG,
  int: 5,
  float: 1.5,
  yes: true,
  none: null,
  missing: undefinedBecause('it is missing'),
  time: dateTimeAt(1_800_000_000_123_456, UTC_ZONE),
  hosts,
  changing: new Changing(),
  big: 2n ** 80n,
});

const READS = ['x.name', 'x.get', 'x.items', 'x.count', 'x.year', 'x.nope', 'x.name.name', 'x.name.upper()'];
const ARGS = [
  '',
  "'a'",
  "'name'",
  "'name', 1",
  "'a', []",
  "['a'], {'b': 1}",
  "'a', 'b', 'c'",
  '1, 2, 3, 4',
  'y',
  'y, y',
  'y, y, 0',
  "key='a'",
  "'a', default='d'",
  "'a', default=y",
  "b='q'",
  "'a', c=y",
  "a='z', a2='y'",
  "sep=' '",
  "sep=' ', timespec='hours'",
  'x.name',
];
const METHODS = [
  'get',
  'count',
  'append',
  'isoformat',
  'upper',
  'replace',
  'index',
  'pop',
  'nope',
  'split',
  'items',
];

const makeText = (): string => {
  const expression = random.integer(0, 2) === 0 ? oneOf(READS) : `x.${oneOf(METHODS)}(${oneOf(ARGS)})`;
  return oneOf([
    `{{ ${expression} }}`,
    `\n{% set z = ${expression} %}{{ z is string }}{{ z }}`,
    `{% macro m(x, y) %}{{ ${expression} }}{% endmacro %}{{ m(x, y) }}`,
    `{% for i in [1, 2] %}{{ ${expression} }}{% endfor %}`,
    `{{ [x, x]|map(attribute='name')|list }}{{ ${expression} }}`,
  ]);
};

const environment = makeEnvironment({
  loader: () => null,
  random: seededRandom(1),
  limits: { loop_steps: 900 },
});
const compiled = (text: string): Template => {
  const made = environment.fromText('t', text);
  if (E.isLeft(made)) throw new Error(made.left.message);
  return made.right;
};

const outcome = (template: Template, x: Value, y: Value): string => {
  const rendered = template.render({
    variables: new Map([
      ['x', x],
      ['y', y],
    ]),
  });
  return E.isRight(rendered)
    ? rendered.right
    : `${rendered.left.kind} ${rendered.left.message} ${JSON.stringify(rendered.left.locations)}`;
};

test('a place that has met other objects gives what a new one gives', () => {
  const names = Object.keys(values());
  const wrong: unknown[] = [];
  for (let round = 0; round < 600; round++) {
    const text = makeText();
    const used = compiled(text);
    for (let turn = 0; turn < 12; turn++) {
      const [x, y] = [oneOf(names), oneOf(['int', 'text', 'long', 'none', 'list'])];
      // The same kind twice in a row takes the quick path.
      for (let again = 0; again < 2; again++) {
        const mine = values();
        const theirs = values();
        appended.length = 0;
        const found = outcome(used, mine[x] ?? null, mine[y] ?? null);
        appended.length = 0;
        const wanted = outcome(compiled(text), theirs[x] ?? null, theirs[y] ?? null);
        if (found !== wanted) wrong.push({ text, x, y, found, wanted });
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});

test('names of modules are read once, and a replaced module is noticed', () => {
  const modules = makeModules({
    random: () => seededRandom(1),
    now: () => 0,
    digest: () => new Uint8Array(0),
  });
  const other = new HostModule('math', { floor: native('floor(x)', () => 'other') });
  const template = compiled(
    '{{ math.floor(1.5) }} {{ datetime.timedelta(hours=x) }} {{ datetime.timedelta(days=1, hours=x) }}',
  );
  const render = (math: Value, x: Value): string => {
    const rendered = template.render({ variables: new Map([...modules, ['math', math], ['x', x]]) });
    return E.isRight(rendered) ? rendered.right : rendered.left.message;
  };
  const math = [...modules].find(([name]) => name === 'math')?.[1] ?? null;
  expect(render(math, 1)).toBe('1 1:00:00 1 day, 1:00:00');
  expect(render(math, 2)).toBe('1 2:00:00 1 day, 2:00:00');
  expect(render(other, 1.5)).toBe('other 1:30:00 1 day, 1:30:00');
  expect(render(math, 1.5)).toBe('1 1:30:00 1 day, 1:30:00');
  expect(render(math, 'h')).toContain('unsupported type for timedelta hours component: str');
  expect(render(math, 10n ** 30n)).toContain('OverflowError');
});

test('constant lists stay constant, whoever gets them', () => {
  const template = compiled("{{ x.get('a', [1]) }}{% do x.get('b', [1]).append(2) %}{{ x.append([1]) }}");
  const kept: Value[] = [];
  const keeper = new HostModule('keeper', {
    get: native('get(key, default=None)', (_key, fallback) => {
      kept.push(fallback ?? null);
      return fallback ?? null;
    }),
    append: native('append(item)', (item) => {
      if (Array.isArray(item)) item.push('changed');
      return item ?? null;
    }),
  });
  for (let turn = 0; turn < 4; turn++) expect(outcome(template, keeper, null)).toBe("[1][1, 'changed']");
  expect(new Set(kept).size).toBe(kept.length);
});

test('an import is read again for other globals, and where it depends on more than them', () => {
  let drawn = 0;
  const files: Readonly<Record<string, string>> = {
    macros: "{% set unit = 'ms' %}{% macro show(a, b=1) %}{{ a }}{{ b }}{{ who }}{{ nope }}{% endmacro %}",
    numbers: '{% set first = draw() %}{% macro next() %}{{ draw() }}{% endmacro %}',
    main: "{% from 'macros' import show, unit %}{% import 'numbers' as n %}{{ show('a') }} {{ unit }} {{ n.first }} {{ n.next() }}",
  };
  const { load } = makeEnvironment({ loader: (name) => files[name] ?? null, random: seededRandom(1) });
  const main = load('main');
  if (E.isLeft(main)) throw new Error(main.left.message);
  const globalsOf = (who: string): ReadonlyMap<string, Value> =>
    new Map<string, Value>([
      ['who', who],
      ['draw', () => ++drawn],
    ]);
  const [ann, bob] = [globalsOf('ann'), globalsOf('bob')];
  const render = (globals: ReadonlyMap<string, Value>): unknown =>
    main.right.render({ variables: new Map([['who', 'hidden']]), globals });
  expect(render(ann)).toEqual(E.right('a1ann ms 1 2'));
  expect(render(ann)).toEqual(E.right('a1ann ms 3 4'));
  expect(render(bob)).toEqual(E.right('a1bob ms 5 6'));
  expect(render(ann)).toEqual(E.right('a1ann ms 7 8'));
});
