import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { dateTimeShape } from '../../../../src/plugins/inputs/shared/dateTimeField.js';

const shape = dateTimeShape();
const problemOf = (value: unknown): string => {
  const decoded = shape.codec.decode(value);
  return E.isLeft(decoded) ? (decoded.left[0]?.message ?? 'no message') : '';
};

describe('a date-time field', () => {
  test.each([
    '2026-01-01',
    '14:30',
    'now',
    'never',
    ' +1h ',
    'tomorrow at 9:00',
    '1767225600',
    1_767_225_600,
    0.5,
  ])('%j is read back as it was written', (source) => {
    const decoded = shape.codec.decode(source);
    expect(E.isRight(decoded) ? shape.codec.encode(decoded.right) : decoded.left).toBe(source);
    const stored = shape.stored.decode(source);
    expect(E.isRight(stored) ? stored.right : stored.left).toBe(source);
  });

  test.each([
    ['1w', /a week is 7d/],
    ['+', /is no duration/],
    ['25:00', /is no time of day/],
    ['2026-02-29', /is no date-time of the calendar/],
    ['tomorow', /is no date or time that is understood/],
    [1e20, /2255/],
    [true, /must be text, not a boolean/],
    [['now'], /must be text, not a list/],
    ['', /must not be empty/],
  ])('%j is refused', (source, reason) => {
    expect(problemOf(source)).toMatch(reason);
  });

  test('a stored text with a placeholder is left alone', () => {
    const stored = shape.stored.decode('${params.start}');
    expect(E.isRight(stored) ? stored.right : stored.left).toBe('${params.start}');
  });
});
