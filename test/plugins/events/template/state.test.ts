import { describe, expect, test } from '@jest/globals';
import { makeOwnedGlobals } from '../../../../src/domain/globals/owned.js';
import { eventsOf, only, produced, withProducer } from './support.js';

const one = (text: string) => eventsOf(only(text)).then(([event]) => event);

describe('locals and shared', () => {
  test('get, set, update, pop, clear and as_dict', async () => {
    expect(await one('{{ shared.get("a") }} {{ shared.get("a", 1) }} {{ shared.a }} {{ shared["a"] }}')).toBe(
      'None 1 None None',
    );
    expect(
      await one(
        '{% do shared.set("a", 1) %}{% do shared.update({"b": [2]}) %}{{ shared.as_dict() }}' +
          ' {{ shared.pop("a") }} {{ shared.pop("a") }} {{ shared.pop("a", 7) }} {{ shared.as_dict() }}' +
          '{% do shared.clear() %} {{ shared.as_dict() }}',
      ),
    ).toBe("{'a': 1, 'b': [2]} 1 None 7 {'b': [2]} {}");
  });

  test('a None value exists; get returns it, not the default', async () => {
    expect(await one('{% do shared.set("a", none) %}{{ shared.get("a", 1) }} {{ "a" in shared }}')).toBe(
      'None True',
    );
  });

  test('methods take precedence over keys after a dot, not in brackets', async () => {
    expect(await one('{% do shared.set("get", 1) %}{{ shared["get"] }} {{ shared.get("get") }}')).toBe('1 1');
  });

  test('values are held by reference: lists change in place', async () => {
    const text =
      '{% set l = shared.get("l", []) %}{% do l.append(l | length) %}{% do shared.set("l", l) %}{{ shared.l }}';
    expect(await eventsOf(only(text), 3)).toEqual(['[0]', '[0, 1]', '[0, 1, 2]']);
    const append =
      '{% if shared.l is none %}{% do shared.set("l", []) %}{% endif %}{% do shared.l.append(1) %}{{ shared.l }}';
    expect(await eventsOf(only(append), 3)).toEqual(['[1]', '[1, 1]', '[1, 1, 1]']);
  });

  test('a default list is new at each call', async () => {
    const text = '{% set l = shared.get("missing", []) %}{% do l.append(1) %}{{ l }}';
    expect(await eventsOf(only(text), 3)).toEqual(['[1]', '[1]', '[1]']);
  });

  test('locals belong to one alias, shared to all', async () => {
    const text =
      '{% do locals.set("n", locals.get("n", 0) + 1) %}{% do shared.set("n", shared.get("n", 0) + 1) %}{{ locals.n }}/{{ shared.n }}';
    const templates = [{ a: { template: 'x.jinja' } }, { b: { template: 'x.jinja' } }];
    expect(await eventsOf({ params: { mode: 'spin', templates }, files: { 'x.jinja': text } }, 4)).toEqual([
      '1/1',
      '1/2',
      '2/3',
      '2/4',
    ]);
  });

  test('an imported macro sees the state and the modules, not timestamp, tags and vars', async () => {
    const files = {
      'main.jinja': '{% from "m.jinja" import m %}{% do locals.set("x", "L") %}{{ m() }}',
      'm.jinja':
        '{% macro m() %}{{ locals.x }}{{ params.p }}{{ module.math.sqrt(4) }}[{{ timestamp }}{{ tags }}{{ vars }}]{% endmacro %}',
    };
    const params = { mode: 'all', params: { p: 'P' }, templates: [{ main: { template: 'main.jinja' } }] };
    expect(await eventsOf({ params, files })).toEqual(['LP2.0[]']);
  });

  test('state is not rolled back by a failure', () =>
    withProducer(
      only('').params,
      {
        files: { 'main.jinja': '{% do shared.set("n", shared.get("n", 0) + 1) %}{{ 1 // (shared.n % 2) }}' },
      },
      ({ producer }) => {
        expect(produced(producer, 4)).toMatchObject({ events: ['1', '1'], failed: 2 });
      },
    ));

  test.each([
    ['shared.set("a")', 'takes exactly 2 arguments'],
    ['shared.update([1])', 'update\\(\\) takes an object'],
    ['shared.nothing()', "'NoneType' object is not callable"],
    ['shared.set([1], 1)', 'unhashable'],
  ])('%s is an error of the event', (call, message) =>
    withProducer(only('').params, { files: { 'main.jinja': `{% do ${call} %}` } }, ({ producer, lines }) => {
      expect(produced(producer, 1).failed).toBe(1);
      expect(String(lines[0]?.context['reason'])).toMatch(new RegExp(message));
    }),
  );
});

describe('globals', () => {
  const withGlobals = async (text: string, values: Parameters<typeof makeOwnedGlobals>[1] = {}) => {
    const cell = makeOwnedGlobals('home', values, 0);
    const events = await eventsOf(only(text), 1, { cell });
    return { event: events[0], values: cell.values };
  };

  test("are the scenario's, as JSON", async () => {
    const text =
      '{{ globals.rate }} {{ globals.get("nothing", 3) }} {{ globals.list }}' +
      '{% do globals.set("at", timestamp) %}{% do globals.update({"t": (1, 2.0)}) %}{{ globals.increment("n") }}';
    const { event, values } = await withGlobals(text, { rate: 5, list: [1, { a: null }] });
    expect(event).toBe("5 3 [1, {'a': None}]1");
    expect(values).toEqual({
      rate: 5,
      list: [1, { a: null }],
      at: '2026-02-28 12:30:00+00:00',
      t: [1, 2],
      n: 1,
    });
  });

  test('a list read from them is a copy; others see set values', async () => {
    const text =
      '{% set l = globals.list %}{% do l.append(2) %}{{ globals.list }}{% do globals.set("list", l) %}{{ globals.list }}';
    const { event, values } = await withGlobals(text, { list: [1] });
    expect(event).toBe('[1][1, 2]');
    expect(values).toEqual({ list: [1, 2] });
  });

  test('pop and clear remove, __proto__ is a key like any other', async () => {
    const { event, values } = await withGlobals(
      '{{ globals.pop("a") }}{{ globals.pop("a", 9) }}{% do globals.set("__proto__", 1) %}{{ globals["__proto__"] }}',
      { a: 1 },
    );
    expect(event).toBe('191');
    expect(Object.keys(values)).toEqual(['__proto__']);
    expect((await withGlobals('{% do globals.clear() %}', { a: 1, b: 2 })).values).toEqual({});
  });

  test('a failed render releases its lock', () =>
    withProducer(
      only('').params,
      {
        files: {
          'main.jinja':
            '{% do globals.acquire() %}{% if shared.get("n", 0) == 0 %}{% do shared.set("n", 1) %}{{ 1 / 0 }}{% endif %}{% do globals.release() %}ok',
        },
      },
      ({ producer }) => expect(produced(producer, 2)).toMatchObject({ events: ['ok'], failed: 1 }),
    ));

  test.each([
    ['globals.release()', 'release\\(\\) without acquire'],
    ['globals.set(1, 2)', 'keys of globals are strings, not int'],
    ['globals.increment("text")', 'not a number'],
    ['globals.scenario("other")', "not in the scenario 'other'"],
  ])('%s is an error of the event', (call, message) =>
    withProducer(
      only('').params,
      { files: { 'main.jinja': `{% do ${call} %}` }, cell: makeOwnedGlobals('home', { text: 'x' }, 0) },
      ({ producer, lines }) => {
        expect(produced(producer, 1).failed).toBe(1);
        expect(String(lines[0]?.context['reason'])).toMatch(new RegExp(message));
      },
    ),
  );
});
