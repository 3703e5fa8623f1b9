import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../src/domain/random.js';
import {
  fromJson,
  HostModule,
  jsonLoads,
  keepsNothing,
  makeEnvironment,
  native,
  PyTuple,
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
  expect(rendered('{{ d }}', new Map([['d', jsonLoads('[2.0, 2, 12345678901234567890]')]]))).toBe(
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

describe('the filter json', () => {
  test('keeps the order of keys and writes UTF-8, where tojson sorts and escapes', () => {
    const event = "{'@timestamp': 'now', 'a': '<30>&\\'', 'Z': 'zoë 😀', 'n': [1, 2.0, none, true, {}]}";
    expect(rendered(`{{ ${event} | json }}`)).toBe(
      '{"@timestamp": "now", "a": "<30>&\'", "Z": "zoë 😀", "n": [1, 2.0, null, true, {}]}',
    );
    expect(rendered(`{% set e = ${event} %}{% do e.update({'b': 1}) %}{{ e | json }}`)).toContain(
      '}], "b": 1}',
    );
    expect(rendered('{{ {"z": [1], "a": {}} | json(indent=2) }}')).toBe(
      '{\n  "z": [\n    1\n  ],\n  "a": {}\n}',
    );
    expect(rendered('{{ {"z": 1} | json("<>") }}')).toBe('{\n<>"z": 1\n}');
  });

  test('gives text, so that joining adds no escapes', () => {
    expect(rendered(`{{ ({'a': '"'} | json) ~ '<' }} {{ ['<'] | map('json') | join }}`)).toBe(
      '{"a": "\\""}< "<"',
    );
  });

  test.each([
    'ordinary',
    'a"b\\c',
    '\n\r\t\b\f\0\x1f\x7f',
    'zoë <&> 世界 😀',
    'half \ud83d',
    '\udc00',
    '\u2028',
  ])('writes %j as JSON that is read back, short or long, alone, as a key and in a list', (text) => {
    for (const value of [text, text.repeat(300), 'x'.repeat(16_383) + text, text + 'x'.repeat(40_000)]) {
      const made = rendered(
        '{{ v|json }}\n{{ {v: [v]}|json }}\n{% set s = v|json %}{{ s }}',
        new Map([['v', value]]),
      );
      const [alone = '', inside = '', kept = ''] = made.split('\n');
      expect(JSON.parse(alone)).toBe(value);
      expect(JSON.parse(inside)).toEqual({ [value]: [value] });
      expect(kept).toBe(alone);
      expect(Buffer.from(alone).toString()).toBe(alone);
    }
  });

  test('fails where JSON has no value', () => {
    expect(errorOf('{{ [1e999] | json }}').reason).toBe(
      'Out of range float values are not JSON compliant: inf',
    );
    expect(errorOf('{{ nope | json }}').reason).toBe('Object of type Undefined is not JSON serializable');
    expect(errorOf('{% set d = {} %}{% do d.update({"d": d}) %}{{ d | json }}').reason).toBe(
      'Circular reference detected',
    );
  });

  test('dicts of one literal are written by either filter in any order of use', () => {
    const text =
      "{% for i in [1, 2] %}{% set d = {'b': i, 'a': 'é'} %}{{ d|json }}{{ d|tojson }}{{ d|json }}{% endfor %}";
    const [one, two] = [1, 2].map(
      (i) => `{"b": ${i}, "a": "é"}{"a": "\\u00e9", "b": ${i}}{"b": ${i}, "a": "é"}`,
    );
    expect(rendered(text)).toBe(`${one}${two}`);
  });
});
