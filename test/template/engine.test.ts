import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../src/domain/random/seededRandom.js';
import {
  fromJson,
  HostModule,
  keepsNothing,
  makeEnvironment,
  native,
  PyTuple,
  readJson,
  TemplateObject,
  toJson,
  type Value,
} from '../../src/template/index.js';
import { errorOf, rendered } from './engine.js';

describe('objects of the host', () => {
  class Counter extends TemplateObject {
    count = 0;
    get typeName(): string {
      return 'counter';
    }
    override attribute(name: string): Value | undefined {
      if (name === 'count') return this.count;
      return name === 'add' ? native('add(by=1)', (by = 1) => (this.count += Number(by))) : undefined;
    }
    override item(key: Value): Value | undefined {
      return key === 'twice' ? this.count * 2 : undefined;
    }
  }

  test('have attributes, items and functions with keyword arguments', () => {
    const counter = new Counter();
    const text =
      '{{ c.add() }}{{ c.add(by=5) }}{{ c.add(2) }} {{ c.count }} {{ c.twice }} {{ c["count"] }} {{ c }} {{ c.nope is defined }}';
    expect(rendered(text, new Map([['c', counter]]))).toBe('168 8 16 8 <counter object> False');
    expect(errorOf('{{ c.add(1, 2) }}', new Map([['c', counter]])).reason).toBe(
      'add() takes at most 1 argument (2 given)',
    );
    expect(errorOf('{{ c.add(to=1) }}', new Map([['c', counter]])).reason).toBe(
      "add() got an unexpected keyword argument 'to'",
    );
  });

  test('a function gets a new list literal at each call unless marked with keepsNothing', () => {
    const kept: Value[] = [];
    const host = new HostModule('host', {
      keep: native('keep(items)', (items = null) => {
        kept.push(items);
        return null;
      }),
      size: keepsNothing(
        native('size(items)', (items = null) => {
          kept.push(items);
          return null;
        }),
      ),
    });
    const text =
      '{% for i in [1, 2] %}{% do host.keep(["a", 1]) %}{% endfor %}{% for i in [1, 2] %}{% do host.size(["a", 1]) %}{% endfor %}';
    rendered(text, new Map([['host', host]]));
    expect(kept).toEqual([
      ['a', 1],
      ['a', 1],
      ['a', 1],
      ['a', 1],
    ]);
    expect(kept[0]).not.toBe(kept[1]);
    expect(kept[2]).toBe(kept[3]);
  });

  test('exceptions of host objects pass through render', () => {
    const signal = new Error('drop');
    const drop = (): never => {
      throw signal;
    };
    const environment = makeEnvironment({ loader: () => null, random: seededRandom(1) });
    const template = environment.fromText(
      'x',
      '{% macro m() %}{% do dispatch.drop() %}{% endmacro %}{{ m() }}',
    );
    if (E.isLeft(template)) throw new Error(template.left.message);
    const names = { variables: new Map([['dispatch', new HostModule('dispatch', { drop })]]) };
    expect(() => template.right.render(names)).toThrow(signal);
    expect(() => template.right.render(names)).toThrow(signal);
  });

  test('a tuple with names is unpacked, compared and indexed like a tuple', () => {
    class Row extends PyTuple {
      override attribute(name: string): Value | undefined {
        return name === 'city' ? this.items[0] : super.attribute(name);
      }
    }
    const rows: Value[] = [new Row(['Rome', 3]), new Row(['Oslo', 5])];
    const text =
      '{% for city, n in rows %}{{ city }}{{ n }} {% endfor %}{{ rows[0].city }} {{ rows[0] == ("Rome", 3) }} {{ rows|map(attribute="city")|list }} {{ rows|selectattr("1", "gt", 4)|map(attribute="city")|first }}';
    expect(rendered(text, new Map([['rows', rows]]))).toBe("Rome3 Oslo5 Rome True ['Rome', 'Oslo'] Oslo");
  });
});

describe('names', () => {
  const files: Readonly<Record<string, string>> = {
    'main.jinja':
      '{% from "lib.jinja" import show %}{% import "lib.jinja" as lib with context %}{{ show() }}|{{ lib.show() }}|{% include "inc.jinja" %}',
    'lib.jinja': '{% macro show() %}{{ params }},{{ timestamp }}{% endmacro %}',
    'inc.jinja': '{{ params }},{{ timestamp }}',
  };

  test('imported templates see globals of the render, not variables', () => {
    const environment = makeEnvironment({ loader: (name) => files[name] ?? null, random: seededRandom(1) });
    const template = environment.load('main.jinja');
    if (E.isLeft(template)) throw new Error(template.left.message);
    const result = template.right.render({
      variables: new Map([['timestamp', 'T']]),
      globals: new Map([['params', 'P']]),
    });
    expect(result).toEqual(E.right('P,|P,T|P,T'));
  });

  test('a name of the render hides one of the language', () => {
    expect(rendered('{{ range(1, 3) }}', new Map([['range', native('range(a, b)', () => 'mine')]]))).toBe(
      'mine',
    );
    expect(rendered('{% for i in range(2) %}{{ i }}{% endfor %}{{ range(2)|list }}')).toBe('01[0, 1]');
  });
});

test('the same seed gives the same text', () => {
  const text =
    '{% for i in range(20) %}{{ [1, 2, 3, 4, 5]|random }}{{ "abc"|random }}{{ range(100)|random }}{% endfor %}{{ lipsum(1, false, 5, 9) }}';
  const first = rendered(text, new Map(), { random: seededRandom('a') });
  expect(rendered(text, new Map(), { random: seededRandom('a') })).toBe(first);
  expect(rendered(text, new Map(), { random: seededRandom('b') })).not.toBe(first);
});

test('the host can add filters and tests', () => {
  const filters = new Map([['shout', { signature: null, raw: (value: Value) => `${String(value)}!` }]]);
  const tests = new Map([['loud', { signature: null, raw: (value: Value) => value === 'HEY' }]]);
  expect(
    rendered('{{ "a"|shout }} {{ "HEY" is loud }} {{ ["x"]|map("shout")|list }}', new Map(), {
      filters,
      tests,
    }),
  ).toBe("a! True ['x!']");
});

test('JSON goes in and out; floats of a text keep their point', () => {
  const json = { a: [1, 2.5, null, true, 'x'], b: {} };
  expect(toJson(fromJson(json))).toEqual(json);
  expect(rendered('{{ d }}', new Map([['d', readJson('[2.0, 2, 12345678901234567890]')]]))).toBe(
    '[2.0, 2, 12345678901234567890]',
  );
});

test('a template renders into bytes', () => {
  const environment = makeEnvironment({ loader: () => null, random: seededRandom(1) });
  const template = environment.fromText('x', 'é{{ 1 }}');
  if (E.isLeft(template)) throw new Error(template.left.message);
  const bytes = new Uint8Array(8);
  expect(template.right.renderInto({ variables: new Map() }, bytes, 2)).toEqual(E.right(3));
  expect([...bytes]).toEqual([0, 0, 0xc3, 0xa9, 0x31, 0, 0, 0]);
  expect(template.right.renderInto({ variables: new Map() }, bytes, 6)).toEqual(E.right(-1));
});
