import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_TEMPLATE_LIMITS, type TemplateLimits } from '../../src/domain/generator.js';
import type { Value } from '../../src/template/index.js';
import { errorOf, loaded, rendered } from './engine.js';

describe('each exceeded limit is named in the error', () => {
  test.each<[keyof TemplateLimits, string]>([
    ['loop_steps', '{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}'],
    ['loop_steps', '{% for a in range(1000000) %}{{ range(1000000)|sum }}{% endfor %}'],
    [
      'loop_steps',
      '{% set l = [1] %}{% for k in l %}{% do l.append(k) %}{% if l|length > 1000 %}{% do l.clear() %}{% do l.append(1) %}{% endif %}{{ range(100000)|list|length }}{% endfor %}',
    ],
    ['output_bytes', '{% for a in range(100000) %}{{ "x" * 1000 }}{% endfor %}'],
    [
      'string_length',
      '{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% else %}{{ "x" * 100000 }}{% endif %}{% endmacro %}{{ m(9) }}',
    ],
    ['string_length', '{{ "x" * 10**9 }}'],
    ['string_length', '{{ "x".ljust(10**9) }}'],
    ['string_length', '{{ "%1000000000d" % 1 }}'],
    ['string_length', '{{ "{:>900000000}".format(1) }}'],
    [
      'string_length',
      '{% set ns = namespace(s="ab") %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}',
    ],
    ['string_length', '{{ ("x" * 10**6)|replace("x", "y" * 10**6) }}'],
    ['string_length', '{{ ("a" * 10**6).join("b" * 10**3) }}'],
    ['integer_digits', '{{ 2 ** (10 ** 9) }}'],
    [
      'integer_digits',
      '{% set ns = namespace(n=10) %}{% for i in range(60) %}{% set ns.n = ns.n * ns.n %}{% endfor %}',
    ],
    ['collection_items', '{{ range(10 ** 9)|list }}'],
    ['collection_items', '{{ [0] * 10**9 }}'],
    ['collection_items', '{% set l = [0] %}{% for i in range(40) %}{% do l.extend(l) %}{% endfor %}'],
    ['collection_items', '{{ [1]|batch(10**9, 0)|list }}'],
    ['recursion_depth', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['recursion_depth', '{% for x in [[[]]] recursive %}{{ loop([[1]]) }}{% endfor %}'],
  ])('%s: %s', (name, text) => {
    // The default takes seconds to reach.
    const limits =
      name === 'loop_steps' ? { ...DEFAULT_TEMPLATE_LIMITS, loop_steps: 2_000_000 } : DEFAULT_TEMPLATE_LIMITS;
    const error = errorOf(text, new Map(), { limits });
    expect(error.kind).toBe('LimitError');
    expect(error.reason).toContain(`the limit ${name} (${limits[name]})`);
    expect(error.locations[0]?.line).toBe(1);
  });

  test.each([
    '{% for i in range(1000000) %}{% do s.upper() %}{% do s|lower %}{% do s.find("x") %}{% endfor %}',
    '{% for i in range(1000000) %}{% do big.count(-1) %}{% do big.insert(0, 1) %}{% do big.pop(0) %}{% endfor %}',
    '{% set ns = namespace(l=[1], m=[1], t=(1,)) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% set ns.m = [ns.m, ns.m] %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ ns.l == ns.m }}',
    '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|tojson }}',
    '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}',
    '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|pprint }}',
    '{% set ns = namespace(t=(1,)) %}{% for i in range(60) %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ {ns.t: 1} }}',
  ])('work that grows without loops of its own is counted: %s', (text) => {
    const names = new Map<string, Value>([
      ['s', 'ab '.repeat(300_000)],
      ['big', Array.from({ length: 500_000 }, (_, i) => i)],
    ]);
    const limits = { loop_steps: 1_000_000, string_length: 1_000_000 };
    expect(errorOf(text, names, { limits }).kind).toBe('LimitError');
  });

  test.each([
    ['{{ ("<" * 200000)|striptags|length }}', '200000'],
    ['{{ ("<!--" * 200000)|striptags|length }}', '800000'],
    ['{{ (")" * 200000 ~ "x)")|urlize|length }}', '200002'],
    ['{{ (" " * 200000 ~ "a" ~ " " * 200000 ~ "b").rsplit(none, 1)|length }}', '2'],
    ['{{ ("%.500000f" % 1.5)|length }}', '500002'],
    ['{{ ("%.500000g" % 1.5)|length }}', '3'],
    ['{{ "{:.500000e}".format(1.5)|length }}', '500006'],
  ])('long texts cost no more than their length: %s', (text, length) => {
    expect(rendered(text)).toBe(length);
  });

  test.each([
    ['{{ big | join(",") | length }}', '6188889'],
    ['{% set l = [] %}{% for i in big %}{% do l.append(i) %}{% endfor %}{{ l | length }}', '900000'],
    ['{{ big | reverse | list | length }}', '900000'],
    ['{{ big | map("string") | list | length }}', '900000'],
    ['{{ dict(pairs) | length }}', '900000'],
  ])('a collection within its limit costs what it has, once: %s', (text, expected) => {
    const big = Array.from({ length: 900_000 }, (_, i) => i);
    const pairs: Value = big.map((i) => [i, i]);
    const names = new Map<string, Value>([
      ['big', big],
      ['pairs', pairs],
    ]);
    expect(rendered(text, names, { limits: { loop_steps: 4_000_000 } })).toBe(expected);
  });

  test('printing deeply nested values is an error', () => {
    const text =
      '{% set ns = namespace(l=[]) %}{% for i in range(5000) %}{% set ns.l = [ns.l] %}{% endfor %}';
    expect(errorOf(`${text}{{ ns.l }}`).kind).toBe('RecursionError');
    expect(errorOf(`${text}{{ ns.l|tojson }}`).kind).toBe('RecursionError');
    expect(['RecursionError', 'LimitError']).toContain(errorOf(`${text}{{ ns.l|pprint }}`).kind);
  });

  test('an integer that is too long to print is a ValueError, as in Python', () => {
    expect(errorOf('{{ 10 ** 5000 }}').kind).toBe('ValueError');
  });
});

test('limits can be set', () => {
  expect(rendered('{% for a in range(5) %}{% endfor %}ok', new Map(), { limits: { loop_steps: 50 } })).toBe(
    'ok',
  );
  expect(
    errorOf('{% for a in range(500) %}{% endfor %}', new Map(), { limits: { loop_steps: 50 } }).kind,
  ).toBe('LimitError');
  expect(errorOf('{{ "é" * 40 }}', new Map(), { limits: { output_bytes: 79 } }).reason).toContain(
    'output_bytes',
  );
  expect(rendered('{{ "é" * 40 }}', new Map(), { limits: { output_bytes: 80 } })).toHaveLength(40);
});

test('each render has its own budget', () => {
  const template = loaded('{% for a in range(40) %}{% endfor %}ok', { limits: { loop_steps: 100 } });
  if (E.isLeft(template)) throw new Error(template.left.message);
  for (let i = 0; i < 10; i++) expect(template.right.render({ variables: new Map() })).toEqual(E.right('ok'));
});
