import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { stringify } from 'yaml';
import { MAX_YAML_LENGTH, parseYaml } from '../../../src/config/yaml/source.js';
import { left, right } from '../support.js';

const read = (text: string) => right(parseYaml(text, 'f.yml')).value;
const messageOf = (text: string) => left(parseYaml(text, 'f.yml')).message;

describe('values', () => {
  test.each<[string, string, unknown]>([
    ['an empty file is null', '', null],
    ['a file of comments is null', '# a\n\n# b\n', null],
    ['YAML 1.2: only true and false are booleans', 'a: yes\nb: on\nc: true', { a: 'yes', b: 'on', c: true }],
    ['YAML 1.2 stays in force under another version directive', '%YAML 1.1\n---\na: yes', { a: 'yes' }],
    ['octal has its 1.2 spelling', 'a: 0o10\nb: 010', { a: 8, b: 10 }],
    ['dates are text', 'a: 2024-01-01', { a: '2024-01-01' }],
    ['keys are text', '1: a\ntrue: b\nnull: c', { 1: 'a', true: 'b', null: 'c' }],
    [
      'a byte order mark and CRLF do not matter',
      '\uFEFFa: 1\r\nb: |\r\n  x\r\n  y\r\n',
      { a: 1, b: 'x\ny\n' },
    ],
    ['merge keys are keys like any other', '<<: {a: 1}', { '<<': { a: 1 } }],
    ['an alias is what it stands for', 'a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['the last anchor of a name counts', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', { a: 1, b: 1, c: 2, d: 2 }],
    ['a key without value is null', 'a:\nb: ~', { a: null, b: null }],
    ['large integers in quotes are text', 'a: "12345678901234567890"', { a: '12345678901234567890' }],
  ])('%s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('names of object internals are keys like any other', () => {
    const value = read('__proto__: {polluted: 1}\nconstructor: 2\n') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('any JSON that is printed is read as itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        const value = JSON.parse(JSON.stringify(json)) as unknown;
        expect(read(stringify(value))).toEqual(value);
        expect(read(JSON.stringify(value))).toEqual(value);
      }),
    );
  });
});

describe('problems', () => {
  test.each([
    ['a syntax error', 'a: 1\nb: [1, x', 'f.yml:2:4  has a `[` that is not closed'],
    ['a stray bracket', 'a: }', 'f.yml:1:4  has an unexpected "}"; check this line and the one above'],
    [
      'a key below a list',
      '- a\nb: 1',
      'f.yml:2:1  is no list item among list items (line 1). Begin it with `- `',
    ],
    ['a list beside its key', 'a: - x', 'f.yml:1:4  has a list item on the line of its key'],
    ['a value with a colon', 'a: b: c', 'f.yml:1:4  has a second `: ` on one line. Quote the value.'],
    ['a lone word', 'a: 1\nb', 'f.yml:2:1  `b` has no colon. Write `b:` for a key.'],
    ['a key without its colon', 'a: 1\nevent\n  b: 1\n', 'f.yml:2:1  `event` has no colon.'],
    ['a pair without its colon', 'a:\n  seconds 1\n  b: 2\n', 'f.yml:2:3  `seconds` has no colon.'],
    [
      'a colon without a space',
      'a:\n  seconds:1\n  b: 2\n',
      'f.yml:2:3  `seconds` has no space behind its colon. Write `seconds: ` and the value.',
    ],
    [
      'a key two blanks too shallow',
      'event:\n  template:\n    params:\n      x: 1\n  mode: chance\n    templates: []\n',
      'f.yml:5:3  `mode` is indented by 2 spaces and has a value, but `templates` in line 6 is indented deeper, by 4. ' +
        'Align both lines.',
    ],
    [
      'a key between two levels',
      'event:\n  template:\n    mode: all\n   templates: []\n',
      'f.yml:4:4  `templates` is indented by 3 spaces, `mode` in line 3 by 4, `template` in line 2 by 2. ' +
        'Align it with one of them.',
    ],
    [
      'a list item among pairs',
      'a:\n  b: 2\n  - 1\n',
      'f.yml:3:3  is a list item among `key: value` pairs (line 2).',
    ],
    [
      'an unquoted cron expression',
      'cron:\n  expression: * * * * *\n  count: 1\n',
      "f.yml:2:15  begins with `*`, which stands for an alias in YAML. Quote the value: '* * * * *'.",
    ],
    [
      'one in braces',
      'cron: {expression: * * * * *, count: 1}\n',
      "f.yml:1:20  begins with `*`, which stands for an alias in YAML. Quote the value: '* * * * *'.",
    ],
    [
      'an unquoted pattern of names',
      'a: *.log\n',
      'f.yml:1:4  a  is an alias of a value around or after it. Quote',
    ],
    [
      'a regular expression in double quotes',
      'a: "\\[(.*)\\]"\n',
      'f.yml:1:5  has `\\[`, which means nothing in double quotes. Use single quotes',
    ],
    [
      'a value of a template',
      'a: {{ params.x }}\n',
      'f.yml:1:4  begins with `{{`, which YAML reads as an object.',
    ],
    [
      'a statement of a template',
      'a: {% if x %}\n',
      'f.yml:1:4  begins with `{%`, which YAML reads as an object.',
    ],
    ['an open quote', '# don\'t\na: "x\nb: 1\n', 'f.yml:2:4  has a `"` that is not closed.'],
    ['an open bracket', '# [\na: [1, 2\nb: 1\n', 'f.yml:2:4  has a `[` that is not closed.'],
    ['an open brace', 'a: {b: {c: 1}\nd: 1\n', 'f.yml:1:4  has a `{` that is not closed.'],
    [
      'text behind a value',
      'a: "b" c\n',
      'f.yml:1:8  has more text behind a complete value. Quote the whole value.',
    ],
    ['a key given twice', 'a: 1\nb:\n  c: 1\n  c: 2\n', 'f.yml:4:3  b.c  is given twice'],
    ['a key given twice in two spellings', '"a": 1\na: 2', 'f.yml:2:1  a  is given twice'],
    ['a second document', 'a: 1\n---\nb: 2', 'f.yml:2:1  starts a second document'],
    ['a key that is a list', 'a: 1\n? [b]\n: c', 'f.yml:2:3  has a list or an object as a key'],
    ['an indent with a tab', 'a:\n\tb: 1', 'f.yml:2:1  is indented with a tab; use spaces'],
    ['a tag of another schema', 'a: !!binary aGk=', 'f.yml:1:4  has an unknown tag'],
    ['a tag that would make an object', 'a: !!js/function x', 'f.yml:1:4  has an unknown tag'],
    ['an unknown alias', 'a: *x', 'f.yml:1:4  '],
    ['an alias of what is around it', 'a: &x [*x]', 'f.yml:1:8  a[0]  is an alias of a value around'],
    ['infinity', 'a: .inf', 'f.yml:1:4  a  must be a finite number'],
    [
      'an integer that would lose digits',
      'a: [1, 9007199254740993]',
      'f.yml:1:8  a[1]  is an integer with too many digits for a number',
    ],
    ['a reserved character', 'a: @x', 'f.yml:1:4  '],
    ['a line after CRLF', 'a: 1\r\nb: @x\r\n', 'f.yml:2:4  '],
  ])('%s is reported at its place', (_, text, start) => {
    expect(messageOf(text).slice(0, start.length)).toBe(start);
    expect(left(parseYaml(text, 'f.yml'))).toMatchObject({ code: 'invalid', file: 'f.yml' });
  });

  test('all problems are reported, the message lists the first', () => {
    const error = left(parseYaml('a: 1\na: 2\na: 3\n', 'f.yml'));
    expect(error.issues?.map(({ line }) => line)).toEqual([2, 3]);
    expect(error.message.split('\n')).toHaveLength(3);
    expect(error.message).toContain('f.yml has 2 problems:');
  });
});

describe('a mistake in the syntax', () => {
  test('shows its line with a mark', () => {
    const [issue] = left(parseYaml('a: 1\nb: "\\["\n', 'f.yml')).issues ?? [];
    expect(issue?.shown).toBe('    b: "\\["\n        ^');
  });

  test.each([
    'password: "hunter2\\["',
    '{user: a, api_token: "hunter2\\["}',
    'server: {auth: {"password": "hunter2\\["}}',
  ])('shows no value that looks like a secret: %s', (text) => {
    const [issue] = left(parseYaml(text, 'f.yml')).issues ?? [];
    expect(issue?.shown).toContain(': ***\n');
    expect(JSON.stringify(issue)).not.toContain('hunter2');
  });

  test('is told without values, which may be secrets', () => {
    const texts = [
      'password hunter2\n',
      'password:hunter2\n',
      'a: @hunter2\n',
      'a: "\\d" hunter2\n',
      'a: * hunter2\n',
    ];
    for (const text of texts) {
      expect(messageOf(`x: 1\n${text}y: 2\n`)).not.toContain('hunter2');
    }
  });

  test('in each of many lines is found in time that grows with the text', () => {
    const error = left(parseYaml('a: {b: [\n'.repeat(20_000), 'f.yml'));
    expect(error.code).toBe('invalid');
  });
});

describe('attacks', () => {
  const laughs = (levels: number): string =>
    ['b0: &b0 [1,1,1,1,1,1,1,1,1,1]']
      .concat(
        Array.from(
          { length: levels },
          (_, i) => `b${i + 1}: &b${i + 1} [${Array(10).fill(`*b${i}`).join(',')}]`,
        ),
      )
      .join('\n');
  const tower = (levels: number): string =>
    [`a0: &a0 ${'['.repeat(100)}1${']'.repeat(100)}`]
      .concat(
        Array.from(
          { length: levels },
          (_, i) => `a${i + 1}: &a${i + 1} ${'['.repeat(100)}*a${i}${']'.repeat(100)}`,
        ),
      )
      .join('\n');

  test.each([
    ['aliases of aliases', laughs(9), 'too_many'],
    ['aliases that pile up depth', tower(3), 'too_deep'],
    ['many open brackets', '['.repeat(100_000), 'syntax'],
    ['many open braces', '{a: '.repeat(20_000), 'syntax'],
    ['many dashes', '- '.repeat(20_000), 'syntax'],
    ['many question marks', '? '.repeat(20_000), 'syntax'],
    ['closed brackets, too deep for a config', `${'['.repeat(200)}${']'.repeat(200)}`, 'too_deep'],
  ])('%s are refused', (_, text, type) => {
    expect(left(parseYaml(text, 'f.yml')).issues?.[0]?.type).toBe(type);
  });

  test('a few aliases of aliases are fine', () => {
    expect(E.isRight(parseYaml(laughs(3), 'f.yml'))).toBe(true);
  });

  test('a text that is too long is not parsed', () => {
    expect(left(parseYaml(`a: ${'x'.repeat(MAX_YAML_LENGTH)}`, 'f.yml')).code).toBe('too_large');
  });

  test('no text makes it throw', () => {
    const bits = fc.constantFrom(
      'a',
      ':',
      ' ',
      '-',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&a',
      '*a',
      '!',
      '|',
      '>',
      '"',
      "'",
      '#',
      '?',
      '%',
      '@',
      '\t',
      '\r',
      '---',
      '...',
      '<<',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (parts) => {
        expect(['Left', 'Right']).toContain(parseYaml(parts.join(''), 'f.yml')._tag);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('places', () => {
  const text = `# top
input:
  - cron:
      expression: "* * * * *"
      count: x
  - schedule.count: 3
output: [{file: {mode: append}}]
batch.size: 5
empty:
`;
  const source = right(parseYaml(text, 'f.yml'));

  test.each<[(string | number)[], 'key' | 'value', string]>([
    [['input', 0, 'cron', 'count'], 'value', '5:14'],
    [['input', 0, 'cron', 'count'], 'key', '5:7'],
    [['input', 0, 'cron', 'missing'], 'value', '3:5'],
    [['input', 0, 'cron'], 'value', '3:5'],
    [['input', 1], 'value', '6:5'],
    [['input', 1, 'schedule', 'count'], 'value', '6:21'],
    [['input', 1, 'schedule', 'count'], 'key', '6:5'],
    [['input', 7, 'cron'], 'value', '2:1'],
    [['output', 0, 'file', 'mode'], 'value', '7:24'],
    [['batch', 'size'], 'value', '8:13'],
    [['batch', 'delay'], 'value', '2:1'],
    [['empty'], 'value', '9:1'],
    [[], 'value', '2:1'],
    [['nothing'], 'value', '2:1'],
  ])('%j (%s) is at %s', (path, part, place) => {
    const { line, column } = source.locate(path, part);
    expect(`${line}:${column}`).toBe(place);
  });

  test('in an empty file everything is at its begin', () => {
    expect(right(parseYaml('', 'f.yml')).locate(['a', 0])).toEqual({ line: 1, column: 1 });
  });
});
