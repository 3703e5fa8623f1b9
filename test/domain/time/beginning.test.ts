import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { checkBeginning, resolveBeginning } from '../../../src/domain/time/expression.js';
import { zoneOf } from '../../../src/domain/time/zone.js';
import { right } from '../../support/either.js';

const NOW = Date.parse('2026-03-01T12:00:00Z') * 1_000;
const zone = zoneOf('Europe/Berlin');

test.each([
  ['-7d', '2026-02-22T12:00:00.000Z'],
  ['-1h30m', '2026-03-01T10:30:00.000Z'],
  ['now', '2026-03-01T12:00:00.000Z'],
  ['2026-02-28T08:00:00Z', '2026-02-28T08:00:00.000Z'],
  ['2026-02-28 08:00', '2026-02-28T07:00:00.000Z'],
])('%s is %s', (text, expected) => {
  if (zone === null) throw new Error('no zone');
  expect(checkBeginning(text)).toBe(null);
  expect(new Date(right(resolveBeginning(text, NOW, zone)) / 1_000).toISOString()).toBe(expected);
});

test.each(['', '-7w', 'yesterday', 'never', '14:30', '2026-02-30', '-99999999d', '7d', '+1h'])(
  '"%s" is none',
  (text) => {
    if (zone === null) throw new Error('no zone');
    expect(checkBeginning(text)).toEqual(expect.any(String));
    expect(E.isLeft(resolveBeginning(text, NOW, zone))).toBe(true);
  },
);
