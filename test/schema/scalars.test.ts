import { describe, expect, test } from '@jest/globals';
import { boolean, integer, number, oneOf, path, type Shape, text, url } from '../../src/schema/index.js';
import { decoded, firstIssue, verdict } from './support.js';

/** A value and what becomes of it: the decoded value, or the type of the issue. */
type Row = readonly [given: unknown, becomes: unknown];
const refused = (type: string) => ({ refused: type });

const table = <A>(name: string, shape: Shape<A>, rows: readonly Row[]): void => {
  test.each(rows)(`${name}: %p becomes %p`, (given, becomes) => {
    if (typeof becomes === 'object' && becomes !== null && 'refused' in becomes) {
      expect(verdict(shape, given)).toBe(becomes.refused);
    } else {
      expect(decoded(shape, given)).toBe(becomes);
    }
  });
};

describe('scalars', () => {
  table('integer', integer({ min: -5, max: 100 }), [
    [3, 3],
    [3.0, 3],
    ['3', 3],
    [' +3 ', 3],
    ['3.0', 3],
    ['-5', -5],
    [-0, 0],
    [3.5, refused('wrong_type')],
    ['3.5', refused('wrong_type')],
    ['1e2', refused('wrong_type')],
    ['0x10', refused('wrong_type')],
    ['', refused('wrong_type')],
    ['three', refused('wrong_type')],
    [true, refused('wrong_type')],
    [null, refused('wrong_type')],
    [[3], refused('wrong_type')],
    [Number.NaN, refused('wrong_type')],
    [Number.POSITIVE_INFINITY, refused('wrong_type')],
    [101, refused('out_of_range')],
    ['-6', refused('out_of_range')],
  ]);
  table('unlimited integer', integer(), [
    [9007199254740991, 9007199254740991],
    ['9007199254740993', refused('out_of_range')],
    [1e300, refused('out_of_range')],
  ]);
  table('number', number({ exclusiveMin: 0, max: 10 }), [
    [2.5, 2.5],
    ['2.5', 2.5],
    ['.5', 0.5],
    ['1e-3', 0.001],
    [10, 10],
    [0, refused('out_of_range')],
    [10.1, refused('out_of_range')],
    ['NaN', refused('wrong_type')],
    ['Infinity', refused('wrong_type')],
    ['1e999', refused('wrong_type')],
    [Number.NaN, refused('wrong_type')],
    [Number.NEGATIVE_INFINITY, refused('wrong_type')],
    [false, refused('wrong_type')],
  ]);
  table('boolean', boolean(), [
    ...['true', 'Yes', 'ON', '1', 't', 'Y', 1, true].map((word): Row => [word, true]),
    ...['false', 'No', 'OFF', '0', 'f', 'N', 0, false].map((word): Row => [word, false]),
    ['maybe', refused('wrong_type')],
    ['', refused('wrong_type')],
    [2, refused('wrong_type')],
    [null, refused('wrong_type')],
  ]);
  table('text', text({ minLength: 2, maxLength: 3, pattern: /^[^x]*$/g }), [
    ['ab', 'ab'],
    ['😀😀😀', '😀😀😀'],
    ['a', refused('too_short')],
    ['😀', refused('too_short')],
    ['abcd', refused('too_long')],
    ['axb', refused('bad_format')],
    [12, refused('wrong_type')],
    [true, refused('wrong_type')],
    [null, refused('wrong_type')],
    [{}, refused('wrong_type')],
  ]);
  table('enum', oneOf(['append', 'overwrite']), [
    ['append', 'append'],
    ['Append', refused('not_allowed')],
    ['toString', refused('not_allowed')],
    [1, refused('wrong_type')],
  ]);
  table('path', path(), [
    ['./a b', './a b'],
    ['', refused('too_short')],
    ['a\0b', refused('not_allowed')],
  ]);
  table('url', url(), [
    ['http://host:1/x', 'http://host:1/x'],
    ['HTTPS://host', 'HTTPS://host'],
    ['ftp://host', refused('bad_format')],
    ['host:80', refused('bad_format')],
    ['', refused('too_short')],
  ]);

  test('a pattern with a sticky or global flag gives the same answer each time', () => {
    const shape = text({ pattern: /a/g });
    expect([verdict(shape, 'a'), verdict(shape, 'a')]).toEqual(['ok', 'ok']);
  });

  test('a near miss of an enum is answered with the name that was meant, and its value is not echoed', () => {
    const issue = firstIssue(oneOf(['append', 'overwrite']), 'apend');
    expect(issue).toEqual({
      path: [],
      type: 'not_allowed',
      message: 'must be one of append, overwrite',
      hint: "Did you mean 'append'?",
    });
  });

  test('a number in place of text is answered with the advice to quote it', () => {
    expect(firstIssue(text(), 12)?.hint).toBe('Put it in quotes.');
    expect(firstIssue(text(), [])?.hint).toBeUndefined();
  });

  test('a check of its own reports its own type and hint', () => {
    const shape = text({ check: (s) => (s === 'ok' ? null : { type: 'no_group', message: 'm', hint: 'h' }) });
    expect(firstIssue(shape, 'x')).toEqual({ path: [], type: 'no_group', message: 'm', hint: 'h' });
    expect(verdict(shape, 'ok')).toBe('ok');
  });

  test('a long text of digits that is no number is refused in one pass', () => {
    expect(verdict(number(), `${'1'.repeat(500_000)}x`)).toBe('wrong_type');
    expect(verdict(integer(), `${'1'.repeat(500_000)}x`)).toBe('wrong_type');
  });

  test('labels say type and constraint', () => {
    expect([
      integer({ min: 1 }).label,
      integer({ min: 1, max: 65535 }).label,
      number({ exclusiveMin: 0, max: 2 }).label,
      text({ minLength: 1 }).label,
      text({ minLength: 2, maxLength: 3 }).label,
      oneOf(['a', 'b']).label,
    ]).toEqual([
      'integer >= 1',
      'integer 1..65535',
      'number > 0 and <= 2',
      'non-empty text',
      'text of 2..3 characters',
      'one of a, b',
    ]);
  });
});
