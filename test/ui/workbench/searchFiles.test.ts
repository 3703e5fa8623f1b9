import { describe, expect, test } from '@jest/globals';
import {
  type FileSearch,
  lineMatcher,
  MAX_SEARCHED_FILES,
  MAX_SEARCHED_LENGTH,
  readTexts,
  type SearchResult,
  searchTexts,
} from '../../../src/ui/pages/workbench/files/searchFiles.js';

const search = (
  texts: Readonly<Record<string, string | null>>,
  text: string,
  how: Partial<FileSearch> = {},
): SearchResult => {
  const matcher = lineMatcher({ text, isRegex: false, isCaseSensitive: false, ...how });
  if (typeof matcher === 'string') throw new Error(matcher);
  return searchTexts(
    Object.entries(texts).map(([path, one]) => ({ path, text: one })),
    matcher,
  );
};

describe('a search for a text', () => {
  test('finds it by file and line, with every match marked', () => {
    const found = search({ 'a.txt': 'x\r\nHello hello\n', 'b.txt': 'none', 'c/d.txt': 'hello' }, 'hello');
    expect(found).toEqual({
      files: [
        {
          path: 'a.txt',
          lines: [
            {
              line: 2,
              shown: 'Hello hello',
              marks: [
                [0, 5],
                [6, 11],
              ],
            },
          ],
        },
        { path: 'c/d.txt', lines: [{ line: 1, shown: 'hello', marks: [[0, 5]] }] },
      ],
      matches: 3,
      leftOut: [],
    });
  });

  test('takes every character as it is, and case only if asked', () => {
    expect(search({ a: 'a.b\naxb' }, 'a.b').matches).toBe(1);
    expect(search({ a: 'Ab\nab' }, 'Ab', { isCaseSensitive: true }).matches).toBe(1);
    expect(search({ a: 'İx x' }, 'x').files[0]?.lines[0]?.marks).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('shows the part of a long line around its first match', () => {
    const [line] =
      search({ a: `${'.'.repeat(500)}needle${'.'.repeat(500)}` }, 'needle').files[0]?.lines ?? [];
    const [from = 0, to = 0] = line?.marks[0] ?? [];
    expect(line?.shown.slice(from, to)).toBe('needle');
    expect(line?.shown).toMatch(/^….{200}…$/);
  });

  test('says in words what was left out', () => {
    const found = search({ 'a.bin': null, long: `${'x'.repeat(10_001)}y`, many: 'y\n'.repeat(150) }, 'y');
    expect(found.leftOut).toEqual([
      '1 file not searched, not text or too large: a.bin.',
      '50 more lines with matches not shown.',
      'Of 1 long line, only the first 10000 characters were searched.',
    ]);
    expect(found.matches).toBe(150);
  });
});

describe('a search for a regular expression', () => {
  const regex = { isRegex: true };

  test('finds matches, leaves out empty ones, and folds case unless asked', () => {
    expect(search({ a: 'ab12 AB3' }, '[a-z]+\\d', regex).files[0]?.lines[0]?.marks).toEqual([
      [0, 3],
      [5, 8],
    ]);
    expect(search({ a: 'aa b' }, 'x*', regex).files).toEqual([]);
    expect(search({ a: 'AB' }, 'ab', { ...regex, isCaseSensitive: true }).files).toEqual([]);
  });

  test('a mistake in it is told in words', () => {
    expect(lineMatcher({ text: '(a', isRegex: true, isCaseSensitive: false })).toMatch(/\w/);
  });

  test('one that other engines hang on ends', () => {
    expect(search({ a: `${'a'.repeat(5_000)}!` }, '(a+)+$', regex).files).toEqual([]);
  });

  test('a line that takes too long is told', () => {
    const found = search({ a: 'a'.repeat(9_000) }, '(a*)*\\1b', regex);
    expect(found.leftOut).toEqual(['The pattern takes too long for 1 line: simplify it.']);
  });
});

describe('the texts that are searched', () => {
  test('are bounded in number; one that cannot be read has none', async () => {
    const paths = Array.from({ length: MAX_SEARCHED_FILES + 5 }, (_, n) => `f${n}`);
    const read = await readTexts(paths, async (path) => {
      if (path === 'f1') throw new Error('gone');
      return path;
    });
    expect(read.texts).toHaveLength(MAX_SEARCHED_FILES);
    expect(read.texts[1]).toEqual({ path: 'f1', text: null });
    expect(read.leftOut).toEqual(['5 files beyond the limits not searched: f300, f301, f302 and 2 more.']);
  });

  test('are bounded in length', async () => {
    const paths = Array.from({ length: 8 }, (_, n) => `f${n}`);
    const read = await readTexts(paths, async () => 'x'.repeat(Math.ceil(MAX_SEARCHED_LENGTH / 6)));
    expect(read.texts).toHaveLength(6);
    expect(read.leftOut).toEqual(['2 files beyond the limits not searched: f6, f7.']);
  });
});
