import { describe, expect, test } from '@jest/globals';
import {
  fileFlaw,
  flawText,
  MAX_SAMPLE_BYTES,
  SAMPLE_LENGTH,
  samplePartsOf,
  shareText,
  wholeLines,
} from '../../../src/ui/pages/new/sample.js';

describe('the sample of a log', () => {
  test('is the whole text if it is short', () => {
    expect(wholeLines('a\nb', true)).toBe('a\nb');
  });

  test('ends with a whole line if the log goes on', () => {
    expect(wholeLines('a\nb', false)).toBe('a\n');
    const long = `${'x'.repeat(SAMPLE_LENGTH - 2)}\nyy`;
    expect(wholeLines(long, true)).toBe(`${'x'.repeat(SAMPLE_LENGTH - 2)}\n`);
  });

  test('is a part of the line if the first line is longer', () => {
    expect(wholeLines('x'.repeat(SAMPLE_LENGTH + 1), true)).toHaveLength(SAMPLE_LENGTH);
  });

  test.each([
    [0, '', /empty/],
    [MAX_SAMPLE_BYTES + 1, 'a', /larger than 64 MiB/],
    [10, 'PK\u0000', /not text/],
  ])('a file of %i bytes that begins with %j is refused', (size, start, why) => {
    expect(fileFlaw(size, start)).toMatch(why);
  });

  test('a log is accepted', () => {
    expect(fileFlaw(MAX_SAMPLE_BYTES, 'a\n')).toBeNull();
  });
});

describe('a line', () => {
  test('is cut around its timestamp', () => {
    expect(samplePartsOf('at 10:00 x', 3, 8)).toEqual([
      { text: 'at ', isMatch: false },
      { text: '10:00', isMatch: true },
      { text: ' x', isMatch: false },
    ]);
  });

  test('has one part without a timestamp, and no empty parts', () => {
    expect(samplePartsOf('at', null, null)).toEqual([{ text: 'at', isMatch: false }]);
    expect(samplePartsOf('10:00', 0, 5)).toEqual([{ text: '10:00', isMatch: true }]);
  });
});

test.each([
  [3, 3, '3 of 3 lines (100%)'],
  [1, 1, '1 of 1 line (100%)'],
  [1_999, 2_000, '1,999 of 2,000 lines (99%)'],
  [1, 2_000, '1 of 2,000 lines (<1%)'],
  [0, 0, '0 of 0 lines (0%)'],
])('%i of %i lines', (matched, lines, text) => {
  expect(shareText(matched, lines)).toBe(text);
});

test('a share of the beginning of a log says so', () => {
  expect(shareText(2_415, 2_585, true)).toBe('2,415 of 2,585 lines of the first 256 KiB (93%)');
});

test.each([
  ["has no group named 'timestamp'. Put it there.", "It has no group named 'timestamp'. Put it there."],
  ['"%Q" at character 1 is no strftime code', '"%Q" at character 1 is no strftime code.'],
])('%j is a sentence', (message, text) => {
  expect(flawText(message)).toBe(text);
});
