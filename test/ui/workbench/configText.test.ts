import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { withValue } from '../../../src/ui/forms/document.js';
import { configOf, textWith } from '../../../src/ui/pages/workbench/configText.js';

const TEXT = `# Traffic of one shop.
input:
  - cron: {expression: "* * * * * *", count: 5} # five a second
event:
  replay:
    path: lines.txt
    batch.size: 10
output:
  # Where to look.
  - stdout: {}
`;

const configIn = (text: string): JsonObject => {
  const value = configOf(text);
  if (value === null) throw new Error('not a config');
  return value;
};

const changed = (
  text: string,
  ...[place, value]: [place: (string | number)[], value: number | string | object]
) => textWith(text, configIn(text), withValue(configIn(text), place, value as never) as JsonObject);

describe('a form over the text of a config', () => {
  test('changes one value and no other line', () => {
    expect(changed(TEXT, ['input', 0, 'cron', 'count'], 7)).toBe(TEXT.replace('count: 5', 'count: 7'));
  });

  test('adds an item below the others', () => {
    const made = changed(TEXT, ['output', 1], { file: { path: 'out.log' } });
    expect(made).toBe(`${TEXT}  - file:\n      path: out.log\n`);
  });

  test('removes a key and keeps the comments', () => {
    const was = configIn(TEXT);
    const made = textWith(TEXT, was, withValue(was, ['input', 0, 'cron', 'count'], undefined) as JsonObject);
    expect(made).toBe(TEXT.replace(', count: 5', ''));
  });

  test('follows the config from an empty text', () => {
    const made = textWith('', {}, { input: [{ cron: { expression: '* * * * *' } }] });
    expect(configIn(made ?? '')).toEqual({ input: [{ cron: { expression: '* * * * *' } }] });
  });

  test('has no fields for a text that is not YAML, or not an object', () => {
    expect([configOf('input: ['), configOf('- a'), configOf('')]).toEqual([null, null, {}]);
  });
});
