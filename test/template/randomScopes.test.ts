import { expect, test } from '@jest/globals';
import { type Random, seededRandom } from '../../src/domain/random.js';
import { renderCase } from './engine.js';
import { askJinja, hasJinja, type OracleCase, type Outcome } from './oracle.js';

/** More, with `SPATE_TEST_TEMPLATES=2000`, where scopes of templates change. */
const TEMPLATES = Number(process.env['SPATE_TEST_TEMPLATES'] ?? 500);
const NAMES = ['a', 'b', 'c', 'i', 'ns'] as const;

const pick = <T>(random: Random, items: readonly T[]): T => items[random.integer(0, items.length - 1)] as T;

const value = (random: Random): string => {
  const name = (): string => pick(random, NAMES);
  return pick(random, [
    '1',
    '2',
    "'x'",
    '[1, 2]',
    name(),
    name(),
    `${name()} ~ '!'`,
    `[${name()}, 3]`,
    `${name()}|default(5)`,
    'nope',
  ]);
};

const statement = (random: Random, depth: number, inLoop: boolean): string => {
  const name = (): string => pick(random, NAMES);
  const body = (isLoop = inLoop): string =>
    Array.from({ length: random.integer(1, 3) }, () => statement(random, depth - 1, isLoop)).join('');
  const space = pick(random, ['', '', ' ', '\n']);
  const mark = pick(random, ['', '', '-']);
  if (depth <= 0) {
    return pick(random, [
      `{{ ${name()} }}`,
      `{{${mark} ${name()} ${mark}}}${space}`,
      `{{ ${name()} is defined }}`,
      `{%${mark} set ${name()} = ${value(random)} %}${space}`,
      `${space}.`,
    ]);
  }
  switch (random.integer(0, 14)) {
    case 0:
    case 1:
      return `{% if ${value(random)} ${mark}%}${space}${body()}{% endif %}`;
    case 2:
      return `{% if ${name()} %}${body()}{% elif ${value(random)} %}${body()}{%${mark} else %}${body()}{% endif %}`;
    case 3:
    case 4:
      return `{% for ${name()} in ${pick(random, ['[1, 2, 3]', 'range(2)', name(), "'ab'", 'nope'])}${pick(random, ['', '', ` if ${name()}`])} %}${body(true)}{% else %}${body(false)}{% endfor %}`;
    case 5:
      return `{% for q in [4, 5] %}{{ loop.index }}${body(true)}{{ loop.last }}{% endfor %}`;
    case 6:
      return `{% macro m(${pick(random, ['a', 'c', 'i', 'ns'])}, b=${value(random)}) %}${body(false)}{% endmacro %}{{ m(${value(random)}) }}`;
    case 7:
      return `{% with ${name()} = ${value(random)} %}${body()}{% endwith %}`;
    case 8:
      return `{% set ${name()} %}${body(false)}{% endset %}`;
    case 9:
      return `{% filter upper %}${body(false)}{% endfilter %}`;
    case 10:
      return `{% include '${pick(random, ['one', 'two'])}'${pick(random, ['', ' with context'])} %}`;
    case 11:
      return `{% from 'lib' import show, z as ${name()}${pick(random, ['', ' with context'])} %}{{ show(${value(random)}) }}`;
    case 12:
      return `{% macro k() %}({{ caller(1) }}){% endmacro %}{% call(${name()}) k() %}${body(false)}{% endcall %}`;
    case 13:
      return inLoop ? `{% if ${name()} %}{% ${pick(random, ['break', 'continue'])} %}{% endif %}` : body();
    default:
      return `{% set a, b = ${pick(random, ['(1, 2)', '[c, a]', "'xy'", '1'])} %}`;
  }
};

const files = {
  one: '<{{ a }}{{ i }}{% set c = 7 %}{{ c }}>',
  two: '{% for a in [8] %}{% include "one" %}{% endfor %}',
  lib: '{% macro show(x) %}[{{ x }}{{ a }}{{ c }}]{% endmacro %}{% set z = 6 %}',
};

/** Jinja leaves some wrong syntax to Python, which calls it SyntaxError. */
const essence = (outcome: Outcome): string =>
  'ok' in outcome ? outcome.ok : `error ${outcome.error.replace(/^SyntaxError$/, 'TemplateSyntaxError')}`;

const testWithJinja = hasJinja ? test : test.skip;

testWithJinja('random statements with nested scopes give what Jinja gives', () => {
  const random = seededRandom('scopes');
  const cases: OracleCase[] = Array.from({ length: TEMPLATES }, () => ({
    text: Array.from({ length: random.integer(1, 4) }, () => statement(random, 3, false)).join(''),
    files,
  }));
  const { results } = askJinja(cases);
  let texts = 0;
  const different = cases.flatMap((each, index) => {
    const theirs = results[index];
    if (theirs === undefined) return [];
    if ('ok' in theirs) texts++;
    const ours = renderCase(each);
    return essence(theirs) === essence(ours)
      ? []
      : [{ text: each.text, theirs: essence(theirs), ours: essence(ours) }];
  });
  expect(texts).toBeGreaterThan(TEMPLATES / 3);
  expect(different.sort((a, b) => a.text.length - b.text.length).slice(0, 10)).toEqual([]);
});
