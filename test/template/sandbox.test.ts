import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { fromJson, HostModule, native, PyDict, type Value } from '../../src/template/index.js';
import { loaded, rendered } from './engine.js';

const NAMES = [
  'constructor',
  '__proto__',
  'prototype',
  '__class__',
  '__mro__',
  '__subclasses__',
  '__globals__',
  '__init__',
  '__getattribute__',
  '__dict__',
  '__code__',
  'call',
  'apply',
  'bind',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupGetter__',
  'isPrototypeOf',
  'caller_',
  'arguments_',
  'then',
  'nodeType',
  'entries_',
  'attribute',
  'callMethod',
  'items_',
  'iterator',
  'repr',
  'typeName',
  'hashKey',
  'operate',
] as const;

const OWNERS = [
  "'text'",
  '5',
  '1.5',
  '2.0',
  'true',
  'none',
  '[1]',
  '(1,)',
  '{}',
  'range(3)',
  'namespace(a=1)',
  'joiner()',
  'cycler(1)',
  'range',
  'dict',
  'host',
  'host.run',
  'loop',
  "('a'|e)",
  "([1]|map('string'))",
  '{}.items()',
  "''.upper",
  'm',
  'ts_missing|default(1)',
  "'a'.encode()",
  'data',
  'self',
] as const;

const names = (): ReadonlyMap<string, Value> =>
  new Map<string, Value>([
    ['host', new HostModule('host', { run: native('run()', () => 1) })],
    ['data', fromJson({ a: { b: [1] } })],
  ]);

/** Renders in a place where all owners exist. */
const attempt = (expression: string): string => {
  const template = loaded(
    `{% macro m() %}{% endmacro %}{% for q in [1] %}{% set z = loop %}{{ ${expression} }}{% endfor %}`,
  );
  if (E.isLeft(template)) return `load ${template.left.kind}`;
  const result = template.right.render({ variables: names() });
  return E.isLeft(result) ? `error ${result.left.kind}` : result.right;
};

describe('no attribute leads out of the language', () => {
  const own: readonly string[] = ['namespace(a=1).items', 'cycler(1).items'];
  test.each(NAMES)('%s', (name) => {
    const found = OWNERS.flatMap((owner) => [
      `${owner}.${name}`,
      `${owner}['${name}']`,
      `${owner}|attr('${name}')`,
      `([${owner}]|map(attribute='${name}')|list)[0]`,
    ])
      .filter((expression) => !own.includes(expression))
      .filter((expression) => attempt(`(${expression}) is defined`) === 'True');
    expect(found).toEqual([]);
  });
});

test.each([
  "{{ ''.constructor.constructor('return process')() }}",
  "{{ [].map.constructor('return 1')() }}",
  "{{ host.run.constructor('return process')() }}",
  "{{ range.constructor('return process')() }}",
  '{{ self.__init__.__globals__ }}',
  "{{ ''.__class__.__mro__[1].__subclasses__() }}",
  "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
  "{{ lipsum.__globals__['os'].popen('id').read() }}",
  "{{ '{0.__class__.__mro__}'.format(1) }}",
  "{{ '{0.constructor}'.format(host) }}",
  "{{ '{a.__init__.__globals__}'.format_map({'a': host}) }}",
  "{{ ('{0.__class__}'|e).format(1) }}",
  '{{ {}.__proto__.polluted() }}',
  '{{ dict.fromkeys.__self__.x }}',
  '{% set ns = namespace() %}{% set ns.__class__ = 1 %}{{ ns.__class__.x.y }}',
  '{{ process.env.HOME }}',
  '{{ globalThis.process.x }}',
  "{{ require('fs').x }}",
  '{{ (1).__class__.__base__ }}',
  '{{ loop.__init__.x }}',
])('a known way out ends in an error: %s', (text) => {
  const template = loaded(text);
  const result = E.isLeft(template) ? template : template.right.render({ variables: names() });
  expect(E.isLeft(result)).toBe(true);
});

test('keys named like parts of JavaScript objects are keys like any other', () => {
  const dict = new PyDict().set('__proto__', 1).set('constructor', 2).set('toString', 3);
  expect(
    rendered('{{ d.__proto__ }}{{ d["constructor"] }}{{ d.toString }} {{ d }}', new Map([['d', dict]])),
  ).toBe("123 {'__proto__': 1, 'constructor': 2, 'toString': 3}");
  expect(rendered('{% set __proto__ = 5 %}{% set constructor = 6 %}{{ __proto__ }}{{ constructor }}')).toBe(
    '56',
  );
  expect(rendered('{{ {"__proto__": 1}|tojson }}{{ dict(__proto__=2) }}')).toBe(
    '{"__proto__": 1}{\'__proto__\': 2}',
  );
});

test.each([
  '"',
  "'",
  '`',
  '\\',
  '${1}',
  '\u2028',
  '\u2029',
  '</script>',
  '*/',
  '//',
  '\n',
  '\0',
  '";process.exit();"',
])('text of the template stays text: %j', (text) => {
  expect(rendered(`a${text}b`)).toBe(`a${text}b`);
  const quoted = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  expect(rendered(`{{ '${quoted}' }}{% set x = {'${quoted}': 1} %}{{ x|length }}`)).toBe(`${text}1`);
});

test.each([
  'eval',
  'arguments',
  'undefined',
  'NaN',
  'P',
  'K0',
  'rt',
  'X',
  'EX',
  'str',
  'root',
  'o',
  'parent',
  'await',
  'yield',
  'let',
  'static',
  'class',
  'v0',
  'é',
  'o0',
])('a variable may be named %s', (name) => {
  expect(
    rendered(
      `{% set ${name} = 7 %}{% for ${name} in [${name}] %}{{ ${name} }}{% endfor %}{% macro m(${name}) %}{{ ${name} }}{% endmacro %}{{ m(${name}) }}`,
    ),
  ).toBe('77');
  expect(rendered(`{{ ${name} is defined }}`)).toBe('False');
});
