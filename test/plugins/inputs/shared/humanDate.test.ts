import { describe, expect, test } from '@jest/globals';
import { isoFormatter } from '../../../../src/domain/time/iso.js';
import { utc, zoneOf } from '../../../../src/domain/time/zone.js';
import { isHumanDate, readHumanDate } from '../../../../src/plugins/inputs/shared/dateTimeField.js';

const berlin = zoneOf('Europe/Berlin') ?? utc;
const NOW = Date.parse('2026-10-20T18:00:00Z') * 1000;
const read = (text: string): string | null => {
  const instant = readHumanDate(text, NOW, berlin);
  return instant === null ? null : isoFormatter(berlin)(instant);
};

describe('human text', () => {
  test.each([
    ['1st August 2025', '2025-08-01T00:00:00+02:00'],
    ['tomorrow at 9:00', '2026-10-21T09:00:00+02:00'],
    ['yesterday', '2026-10-19T20:00:00+02:00'],
    ['noon', '2026-10-20T12:00:00+02:00'],
    // Over the clock change of 25 October: distances in hours are exact, days keep the wall clock.
    ['in 168 hours', '2026-10-27T19:00:00+01:00'],
    ['in 7 days', '2026-10-27T20:00:00+01:00'],
    ['30 October 2026 9am', '2026-10-30T09:00:00+01:00'],
    // An offset in the text wins over the zone.
    ['August 1 2025 10:00 UTC', '2025-08-01T12:00:00+02:00'],
    ['Thu, 01 Jan 2026 00:00:00 GMT', '2026-01-01T01:00:00+01:00'],
    ['1 Aug 2025 10:00 EST', '2025-08-01T17:00:00+02:00'],
  ])('%j is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    'hello',
    'call me tomorrow',
    'tomorrow or friday',
    'tomorrow from 2pm to 4pm',
    'June 1 - June 5',
    'Feb 30 2026',
    '',
  ])('%j is none', (text) => {
    expect(read(text)).toBeNull();
    expect(isHumanDate(text)).toBe(false);
  });

  test('whether a text is a date does not hang on the year', () => {
    expect(['29 February', '31 December', 'in 2 hours', 'last friday'].map(isHumanDate)).toEqual(
      Array.from({ length: 4 }, () => true),
    );
  });
});
