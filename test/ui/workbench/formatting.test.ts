import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { formattedText, isFormattable } from '../../../src/ui/pages/workbench/formatting.js';

const GENERATORS = join(import.meta.dirname, '..', '..', '..', 'generators');

describe('a YAML file', () => {
  test('gets even indentation and spacing; comments, order, quotes and styles stay', async () => {
    const text = `# head
input:
- timer:   {seconds: 1,   count: 2}   # often
event:
    template:
          mode: 'all'

          # what is written
          templates:
          - {line: {template: line.jinja}}
output: [ stdout: {} ]
`;
    expect(await formattedText('generator.yml', text)).toBe(`# head
input:
  - timer: {seconds: 1, count: 2} # often
event:
  template:
    mode: 'all'

    # what is written
    templates:
      - {line: {template: line.jinja}}
output: [{stdout: {}}]
`);
  });

  test('that is formatted stays as it is: those of the library are', async () => {
    const names = readdirSync(GENERATORS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(names.length).toBeGreaterThan(10);
    for (const { name } of names) {
      const text = readFileSync(join(GENERATORS, name, 'generator.yml'), 'utf8');
      expect(await formattedText('generator.yml', text)).toBe(text);
    }
  });

  test.each([
    ['with a mistake', 'a: [1\n'],
    ['with two documents', 'a: 1\n---\nb: 2\n'],
    ['with a template that breaks its syntax', '{% if x %}\na: 1\n'],
  ])('%s is not formatted', async (_what, text) => {
    expect(await formattedText('a.yaml', text)).toBeNull();
  });

  test('keeps long lines, block texts and numbers as they are written', async () => {
    const text = `long: ${'word '.repeat(60)}end\ntext: |\n  one\n\n  two\nhex: 0x1f\nhalf: 1.50\n`;
    expect(await formattedText('a.yml', text)).toBe(text);
  });
});

describe('a JSON file', () => {
  test('gets a line for each value; numbers, escapes and double keys stay as written', async () => {
    const text = '{"a":[1.0,12345678901234567890,"\\u00e4 {[,:\\""],"b":{},"a":[ ], "c":null}';
    expect(await formattedText('a.json', text)).toBe(`{
  "a": [
    1.0,
    12345678901234567890,
    "\\u00e4 {[,:\\""
  ],
  "b": {},
  "a": [],
  "c": null
}
`);
  });

  test('that is formatted stays as it is', async () => {
    const once = await formattedText('a.json', '[{"a": ["[", "]", {}]}, 1]');
    expect(await formattedText('a.json', once ?? '')).toBe(once);
    expect(await formattedText('a.json', '7')).toBe('7\n');
  });

  test('with a mistake is not formatted', async () => {
    expect(await formattedText('a.json', '{"a": 1,}')).toBeNull();
  });
});

test.each([
  ['generator.yml', true],
  ['a/b.JSON', true],
  ['line.jinja', false],
  ['produce.ts', false],
  ['access.log', false],
])('formatting of %s is offered: %s', (path, isOffered) => {
  expect(isFormattable(path)).toBe(isOffered);
});
