import { describe, expect, test } from '@jest/globals';
import { isShownEntry, linesOf, logEntryOf } from '../../../src/ui/pages/generator/streams.js';
import { forgetGone, type Numbered, withNews } from '../../../src/ui/parts/events/numbered.js';

test('sizes of lines that are gone are forgotten, so that a stream of days stays small', () => {
  const sizes = new Map<number, number>([1, 2, 3, 4].map((number) => [number, 30] as const));
  const lines = withNews(withNews<string>([], ['a', 'b', 'c'], 2), ['d'], 2);
  forgetGone(sizes, lines);
  expect([...sizes.keys()]).toEqual([3, 4]);
  forgetGone(sizes, []);
  expect(sizes.size).toBe(0);
});

test('news come first, are numbered, and push out the oldest', () => {
  let lines: readonly Numbered<string>[] = [];
  lines = withNews(lines, ['a', 'b'], 3);
  lines = withNews(lines, ['c', 'd'], 3);
  expect(lines).toEqual([
    { number: 4, value: 'd' },
    { number: 3, value: 'c' },
    { number: 2, value: 'b' },
  ]);
  expect(withNews(lines, [], 3)).toBe(lines);
});

describe('a line of a log', () => {
  test('is read in the plain format', () => {
    expect(logEntryOf('2026-11-23T17:26:48.582000Z error    event failed: no user reason="x y"')).toEqual({
      at: '2026-11-23T17:26:48.582000Z',
      level: 'error',
      message: 'event failed: no user reason="x y"',
    });
  });

  test('is read as JSON', () => {
    const line = '{"timestamp":"2026-11-23T17:26:48Z","level":"info","event":"generator starts","id":7}';
    expect(logEntryOf(line)).toEqual({
      at: '2026-11-23T17:26:48Z',
      level: 'info',
      message: 'generator starts id=7',
    });
  });

  test('of another form is shown whole, at every level', () => {
    const entry = logEntryOf('[3 lines missed: this client was slower than the log]');
    expect(entry).toMatchObject({ at: '', level: null });
    expect(isShownEntry(entry, 'critical', '')).toBe(true);
    expect(logEntryOf('{"a":').message).toBe('{"a":');
  });
});

test('lines that come in pieces are joined', () => {
  const first = linesOf('', 'one\ntw');
  expect(first).toEqual({ lines: ['one'], rest: 'tw' });
  expect(linesOf(first.rest, 'o\n\nthree\n')).toEqual({ lines: ['two', 'three'], rest: '' });
});

test('a filter has a lowest level and a text', () => {
  const warning = { at: 'x', level: 'warning', message: 'The outputs fall behind' } as const;
  expect(isShownEntry(warning, 'warning', 'OUTPUTS')).toBe(true);
  expect(isShownEntry(warning, 'error', '')).toBe(false);
  expect(isShownEntry(warning, 'debug', 'inputs')).toBe(false);
});
