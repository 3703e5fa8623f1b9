import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { checkRange, type DateTimeExpression, parseExpression } from '../../../src/domain/time/expression.js';

const expression = (source: string | number | null): DateTimeExpression | null => {
  if (source === null) return null;
  const parsed = parseExpression(source);
  if (E.isLeft(parsed)) throw new Error(parsed.left);
  return parsed.right;
};

describe('what can be checked before the zone is known', () => {
  test.each([
    ['never', null, 'start'],
    ['never', '2026-01-01', 'start'],
    ['2026-01-02', '2026-01-01', 'end'],
    ['2026-01-02T00:00Z', '2026-01-01T00:00Z', 'end'],
    ['2026-01-02T00:00+02:00', 1_767_225_600, 'end'],
    ['2026-01-05', '2026-01-01T00:00Z', 'end'],
    [1_767_225_600, '2025-12-30', 'end'],
    ['14:30', '13:00', 'end'],
    ['+1h', 'now', 'end'],
    ['now', '-1h', 'end'],
    ['2026-01-01', '-1s', 'end'],
  ])('%j to %j is a problem at %s', (start, end, at) => {
    expect(checkRange(expression(start), expression(end))?.at).toBe(at);
  });

  test.each([
    [null, null],
    [null, 'now'],
    ['now', 'now'],
    ['-1h', 'now'],
    ['2026-01-01', '2026-01-01'],
    ['2026-01-02T00:00Z', '2026-01-01'],
    ['2026-01-01', '2026-01-01T00:00+02:00'],
    ['2026-01-02', '14:30'],
    ['14:30', '14:30'],
    ['now', '00:00'],
    ['now', 'yesterday'],
    ['yesterday', '1970-01-01'],
    ['now', 'never'],
    [null, '1970-01-01'],
  ])('%j to %j is left to the start', (start, end) => {
    expect(checkRange(expression(start), expression(end))).toBeNull();
  });
});
