import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { jsonPlugin } from '../../../../src/plugins/formatters/json/plugin.js';
import { jsonBatchPlugin } from '../../../../src/plugins/formatters/json-batch/plugin.js';
import type { Formatter } from '../../../../src/plugins/kit.js';
import { inputContext } from '../../../support/pipelines/inputs.js';
import { PLAIN_TEMPLATES } from '../../../support/templates/templates.js';

const made = async (plugin: typeof jsonPlugin | typeof jsonBatchPlugin, indent = 0): Promise<Formatter> => {
  const built = await plugin.build({ indent }, { ...inputContext(), templates: PLAIN_TEMPLATES });
  if (E.isLeft(built)) throw new Error(built.left.message);
  return built.right;
};
const json = [await made(jsonPlugin), await made(jsonPlugin, 2)] as const;
const batch = [await made(jsonBatchPlugin), await made(jsonBatchPlugin, 2)] as const;
const texts = (formatter: Formatter, events: readonly string[]): readonly string[] =>
  formatter.format(textBatch(events)).batch.texts();

/** JSON text of a value with random white space wherever the grammar allows it. */
const spaced = (value: unknown, gap: () => string): string => {
  if (Array.isArray(value))
    return `[${gap()}${value.map((item) => spaced(item, gap)).join(`${gap()},${gap()}`)}${gap()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${gap()}:${gap()}${spaced(item, gap)}`,
  );
  return `{${gap()}${pairs.join(`${gap()},${gap()}`)}${gap()}}`;
};

/** What the specification asks for without indent, from a parsed value. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${canonical(item)}`)
    .join(', ')}}`;
};

describe('json', () => {
  test.each([
    ['{"b":1.0,"a":[ 1,2 ]}', '{"b": 1.0, "a": [1, 2]}'],
    ['{"a":1,"a":2}', '{"a": 1, "a": 2}'],
    [' 1e400 ', '1e400'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['"\\u00e9\\/ : , \\""', '"\\u00e9\\/ : , \\""'],
    ['[ ]', '[]'],
    ['{\n}', '{}'],
    ['[[],{}]', '[[], {}]'],
    ['null', 'null'],
  ])('%j becomes %j', (event, expected) => {
    expect(texts(json[0], [event])).toEqual([expected]);
  });

  test('with an indent every level has its line, empty containers stay closed', () => {
    expect(texts(json[1], ['{"a":[1,{"b":[]}],"c":{}}'])).toEqual([
      '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}',
    ]);
  });

  test.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    '[1,]',
    'NaN',
    'Infinity',
    "'a'",
    '"a\tb"',
    '\uFEFF1',
    '1 2',
    '01',
    '{"a"}',
    '"\\x"',
  ])('%j is left out with a reason, the others go on', (event) => {
    const { batch: kept, failures } = json[0].format(textBatch(['1', event, '2']));
    expect(kept.texts()).toEqual(['1', '2']);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.event).toBe(event);
    expect(failures[0]?.reason).not.toBe('');
  });

  test('with any white space, the result follows the specification, and formatting it again changes nothing', () => {
    const gaps = fc.infiniteStream(fc.constantFrom('', '', ' ', '\n', '\t ', '\r\n'));
    fc.assert(
      fc.property(fc.jsonValue(), gaps, (value, stream) => {
        const gap = (): string => stream.next().value as string;
        const [once = ''] = texts(json[0], [gap() + spaced(value, gap) + gap()]);
        expect(once).toBe(canonical(value));
        expect(texts(json[0], [once])).toEqual([once]);
        expect(texts(json[1], [once])).toEqual([JSON.stringify(value, null, 2)]);
      }),
    );
  });

  test('a text is valid exactly when JSON.parse takes it', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'nul',
      ' ',
      '"',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        expect(json[0].format(textBatch([text])).failures).toHaveLength(isValid ? 0 : 1);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a megabyte of brackets is refused or formatted, never an overflow', () => {
    const deep = '['.repeat(1_000_000);
    expect(json[0].format(textBatch([deep])).failures).toHaveLength(1);
    const closed = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(texts(json[0], [closed])).toEqual([closed]);
  });
});

describe('json-batch', () => {
  test('is one array of the valid events, which it stands for', () => {
    const { batch: kept, eventsPerItem, failures } = batch[0].format(textBatch(['{"a":1}', 'bad', ' 2 ']));
    expect(kept.texts()).toEqual(['[{"a": 1}, 2]']);
    expect([eventsPerItem, failures.length]).toEqual([2, 1]);
    expect(batch[0].joins).toBe(true);
  });

  test('indents the array too', () => {
    expect(texts(batch[1], ['{"a":[]}', '1'])).toEqual(['[\n  {\n    "a": []\n  },\n  1\n]']);
  });

  test('sends nothing when no event is valid', () => {
    expect(batch[0].format(textBatch(['x', 'y'])).batch.count).toBe(0);
  });
});
