import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  instantOf,
  jsonRows,
  type RowReader,
  tabRows,
  verifyQuery,
} from '../../../src/analysis/verify/rows.js';

const rowsOf = (reader: RowReader, lines: readonly string[]) =>
  lines.flatMap((line) => {
    const bytes = Buffer.from(`<${line}>`);
    const row = reader.row(bytes, 1, bytes.length - 1);
    return row === null ? [] : [[row.bytes.toString('utf8', row.from, row.to), row.arrived]];
  });

describe('an arrival', () => {
  test.each([
    ['2026-01-01 00:00:00', 1_767_225_600_000_000],
    ['2026-01-01 00:00:00.123456', 1_767_225_600_123_456],
    ['2026-01-01T01:00:00+01:00', 1_767_225_600_000_000],
    ['1767225600', 1_767_225_600_000_000],
    ['1767225600.5', 1_767_225_600_500_000],
    ['1767225600123', 1_767_225_600_123_000],
    ['1767225600123456', 1_767_225_600_123_456],
    ['1767225600123456789', 1_767_225_600_123_457],
    ['0', 0],
    ['\\N', null],
    ['', null],
    ['soon', null],
  ])('%s is the instant %s', (value, instant) => {
    expect(instantOf(value)).toBe(instant);
  });

  test('is taken out of tab-separated rows, wherever it stands', () => {
    const lines = (names: string, rows: readonly string[]) => rowsOf(tabRows('at'), [names, ...rows]);
    expect(lines('at\ta\tmark', ['1\tx\tm', '\tyyyyyyyyyyyy\tm'])).toEqual([
      ['x\tm', 1_000_000],
      ['yyyyyyyyyyyy\tm', null],
    ]);
    expect(lines('a\tat\tmark', ['x\t1\tm'])).toEqual([['x\tm', 1_000_000]]);
    expect(lines('a\tmark\tat', ['x\tm\t1', 'short'])).toEqual([
      ['x\tm', 1_000_000],
      ['short', null],
    ]);
    expect(lines('at', ['1'])).toEqual([['', 1_000_000]]);
  });

  test('is taken out of JSON rows', () => {
    expect(
      rowsOf(jsonRows('at'), ['{"at":"2026-01-01 00:00:00","a":1}', '{"a":1,"at":1}', '[1]', 'no']),
    ).toEqual([
      ['{"a":1}', 1_767_225_600_000_000],
      ['{"a":1}', 1_000_000],
      ['[1]', null],
      ['no', null],
    ]);
  });

  test('that no row has is a problem', () => {
    const tab = tabRows('at');
    expect(rowsOf(tab, ['a\tmark', 'x\tm'])).toEqual([['x\tm', null]]);
    expect(tab.problem()).toBe('the result has no column "at"');
    const json = jsonRows('at');
    expect(rowsOf(json, ['{"a":1}'])).toEqual([['{"a":1}', null]]);
    expect(json.problem()).toContain('without "at"');
    expect(tabRows('at').problem()).toBeNull();
  });
});

describe('a query', () => {
  test.each([
    ['SELECT 1', false, 'SELECT 1\nFORMAT TabSeparated', 'lines'],
    [' SELECT 1 ; ', false, ' SELECT 1\nFORMAT TabSeparated', 'lines'],
    ['SELECT 1 -- all', false, 'SELECT 1 -- all\nFORMAT TabSeparated', 'lines'],
    ['SELECT 1 format TSVRaw;', false, 'SELECT 1 format TSVRaw', 'lines'],
    [
      'SELECT 1 FORMAT TSV SETTINGS max_threads = 1',
      false,
      'SELECT 1 FORMAT TSV SETTINGS max_threads = 1',
      'lines',
    ],
    ["SELECT 'format x' AS y", false, "SELECT 'format x' AS y\nFORMAT TabSeparated", 'lines'],
    ['SELECT 1', true, 'SELECT 1\nFORMAT TabSeparatedWithNames', 'tab'],
    ['SELECT 1 FORMAT TSVWithNames', true, 'SELECT 1 FORMAT TSVWithNames', 'tab'],
    ['SELECT 1\nFORMAT JSONEachRow', true, 'SELECT 1\nFORMAT JSONEachRow', 'json'],
  ])('%j (arrival: %s) is sent as %j', (query, hasArrival, text, rows) => {
    expect(verifyQuery(query, hasArrival)).toEqual(E.right({ text, rows }));
  });

  test('in a format without names cannot give arrivals', () => {
    expect(E.isLeft(verifyQuery('SELECT 1 FORMAT CSV', true))).toBe(true);
  });
});
