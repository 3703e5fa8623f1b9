import { describe, expect, test } from '@jest/globals';
import { changedPieces, unfolded } from '../../../src/ui/pages/workbench/preview/formerEvents.js';

const marked = (before: string | null, text: string): string =>
  changedPieces(before, text)
    .map(({ text: part, isNew }) => (isNew ? `[${part}]` : part))
    .join('');

describe('differences to the last run', () => {
  test('the first run has none', () => {
    expect(marked(null, 'GET /a 200')).toBe('GET /a 200');
  });

  test('changed and added words are marked', () => {
    expect(marked('GET /a 200', 'GET /a 404')).toBe('GET /a [404]');
    expect(marked('GET /a 200', 'GET /a 200 bot')).toBe('GET /a 200[ bot]');
  });

  test('removed words leave no mark', () => {
    expect(marked('GET /a 200 bot', 'GET /a 200')).toBe('GET /a 200');
  });

  test('every piece of the text is there', () => {
    const text = '{"a": [1, 2], "b": "ü x"}';
    expect(
      changedPieces('{"a": [2], "c": 0}', text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  test('a long text with few changes has few marks', () => {
    const long = Array.from({ length: 5_000 }, (_, index) => index);
    const changed = long.map((one) => (one === 2_500 ? 'x' : one)).join(' ');
    expect(changedPieces(long.join(' '), changed).filter(({ isNew }) => isNew)).toEqual([
      { text: 'x', isNew: true },
    ]);
  });

  test('a long text that is all new is marked as a whole', () => {
    const long = (first: number): string =>
      Array.from({ length: 2_000 }, (_, index) => first + index).join(' ');
    expect(changedPieces(long(10_000), long(20_000))).toEqual([{ text: long(20_000), isNew: true }]);
  });
});

test('objects and lists unfold, other texts do not', () => {
  expect(unfolded('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(unfolded('12')).toBeNull();
  expect(unfolded('GET /')).toBeNull();
});
