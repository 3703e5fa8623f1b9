import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../src/domain/random.js';
import { makeEnvironment } from '../../src/template/index.js';
import { errorOf, loadErrorOf, loaded } from './engine.js';

describe('an error while rendering', () => {
  test('names template, line, column, kind and reason, and shows the line with a mark', () => {
    const error = errorOf('first\n  {{ 1 + 2 }} {{ user.name }}\nlast\n');
    expect(error.message).toBe(
      [
        "main.jinja:2:22: UndefinedError: 'user' is undefined",
        '      {{ 1 + 2 }} {{ user.name }}',
        '                         ^',
      ].join('\n'),
    );
    expect(error.locations).toEqual([
      { template: 'main.jinja', line: 2, column: 22, text: '  {{ 1 + 2 }} {{ user.name }}' },
    ]);
  });

  test.each([
    ['{{ 1 / 0 }}', 6],
    ['{% set x = 5 %}{{ x + 1 + "a" }}', 25],
    ['{{ [1, 2]|map("nope")|list }}', 23],
    ['{{ {"a": 1}.a.b.c }}', 16],
    ['{{ "abc".index("x") }}', 15],
    ['{{ "%d" % "a" }}', 9],
    ['{{ 1 < 2 < "a" }}', 10],
    ['{% for a, b in [1] %}{% endfor %}', 8],
    ['{{ range(1, 2, 0) }}', 9],
    ['ab{% set x, y = 1 %}', 10],
  ])('%s is at column %d', (text, column) => {
    expect(errorOf(text).locations[0]).toMatchObject({ line: 1, column });
  });

  test('in a macro names the position in the macro and of the call', () => {
    const error = errorOf('{% macro m(x) %}\n{{ x.y.z }}\n{% endmacro %}\n\n{{ m(1) }}');
    expect(error.locations.map(({ line }) => line)).toEqual([2, 5]);
    expect(error.message).toContain('\n  from main.jinja:5:5');
  });

  test('in another template names both templates', () => {
    const files: Readonly<Record<string, string>> = {
      'a.jinja': 'x\n{% include "b.jinja" %}',
      'b.jinja': '\n\n{% from "c.jinja" import broken %}{{ broken(0) }}',
      'c.jinja': '{% macro broken(n) %}{{ 1 // n }}{% endmacro %}',
    };
    const environment = makeEnvironment({ loader: (name) => files[name] ?? null, random: seededRandom(1) });
    const template = environment.load('a.jinja');
    if (E.isLeft(template)) throw new Error(template.left.message);
    const result = template.right.render({ variables: new Map() });
    if (E.isRight(result)) throw new Error('renders');
    expect(result.left.kind).toBe('ZeroDivisionError');
    expect(result.left.locations.map(({ template: name, line }) => `${name}:${line}`)).toEqual([
      'c.jinja:1',
      'b.jinja:3',
      'a.jinja:2',
    ]);
  });

  test('does not affect the next render', () => {
    const template = loaded('{{ 1 / n }}');
    if (E.isLeft(template)) throw new Error(template.left.message);
    expect(E.isLeft(template.right.render({ variables: new Map([['n', 0]]) }))).toBe(true);
    expect(template.right.render({ variables: new Map([['n', 2]]) })).toEqual(E.right('0.5'));
  });

  test('shows a long line in part', () => {
    const error = errorOf(`${'x'.repeat(500)}{{ nope.a }}${'y'.repeat(500)}`);
    expect(error.message.split('\n')[1]?.length).toBeLessThan(130);
    expect(error.locations[0]?.column).toBe(508);
  });
});

describe('an invalid template does not load', () => {
  test.each([
    [
      'a\n{% if x %}\nb',
      3,
      "Unexpected end of template. Jinja was looking for the following tags: 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'.",
    ],
    ['{{ 1 + }}', 1, "unexpected 'end of print statement'"],
    ['\n{% foo %}', 2, "Encountered unknown tag 'foo'."],
    ["{{ 'abc }}", 1, 'unexpected char "\'" at 3'],
    ['{{ x|nope }}', 1, "No filter named 'nope'."],
    ['{{ x is nope }}', 1, "No test named 'nope'."],
    [
      '{% for x in y %}{% endif %}',
      1,
      "Encountered unknown tag 'endif'. Jinja was looking for the following tags: 'endfor' or 'else'. The innermost block that needs to be closed is 'for'.",
    ],
    ['{# never ends', 1, 'Missing end of comment tag'],
    ['{% continue %}', 1, "'continue' outside of a loop"],
    ['{{ (1 }}', 1, "unexpected '}', expected ')'"],
    [`{{ ${'('.repeat(5_000)}1${')'.repeat(5_000)} }}`, 1, 'nested deeper than 200 levels'],
  ])('%s', (text, line, reason) => {
    const error = loadErrorOf(text);
    expect(error.reason).toBe(reason);
    expect(error.locations[0]?.line).toBe(line);
  });

  test('a very long chain of operators is an error or renders, never a crash', () => {
    const template = loaded(`{{ ${Array.from({ length: 100_000 }, () => '1').join('+')} }}`);
    const result = E.isLeft(template) ? template : template.right.render({ variables: new Map() });
    expect(E.isLeft(result) ? result.left.kind : result.right).toMatch(
      /^(?:TemplateSyntaxError|RecursionError|100000)$/,
    );
  });

  test('templates named by a literal are checked at load', () => {
    const files: Readonly<Record<string, string>> = {
      'a.jinja': '{% if false %}{% include "b.jinja" %}{% endif %}',
      'b.jinja': '{% import "c.jinja" as c %}',
      'c.jinja': 'ok\n{{ }}',
    };
    const environment = makeEnvironment({ loader: (name) => files[name] ?? null, random: seededRandom(1) });
    const template = environment.load('a.jinja');
    expect(E.isLeft(template) && template.left.locations[0]).toMatchObject({ template: 'c.jinja', line: 2 });
  });

  test('a missing template is named', () => {
    const environment = makeEnvironment({ loader: () => null, random: seededRandom(1) });
    const template = environment.load('gone.jinja');
    expect(E.isLeft(template) && template.left.message).toBe(
      'gone.jinja: TemplateNotFound: template gone.jinja not found',
    );
  });
});
