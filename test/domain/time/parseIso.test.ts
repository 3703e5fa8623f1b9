import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoFormatter, parseIso } from '../../../src/domain/time/iso.js';
import { MAX_MICROS, MIN_MICROS } from '../../../src/domain/time/micros.js';
import { utc, type Zone, zoneOf } from '../../../src/domain/time/zone.js';

const zone = (id: string): Zone => {
  const found = zoneOf(id);
  if (found === null) throw new Error(`no zone ${id}`);
  return found;
};
const show = (micros: number): string => isoFormatter(utc)(micros).replace('+00:00', 'Z');

describe('parseIso', () => {
  test.each([
    ['2026-01-01', '2026-01-01T00:00:00Z'],
    ['20260101', '2026-01-01T00:00:00Z'],
    ['20260101T093000Z', '2026-01-01T09:30:00Z'],
    ['2026-01-01 09:30', '2026-01-01T09:30:00Z'],
    ['2026-01-01T09:30:00.123456789+02:00', '2026-01-01T07:30:00.123456Z'],
    ['2026-01-01T09:30:00,5-0530', '2026-01-01T15:00:00.500000Z'],
    ['2026-01-01T24:00:00Z', '2026-01-02T00:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
  ])('%s is %s', (text, instant) => {
    const parsed = parseIso(text, utc);
    expect(parsed === null ? null : show(parsed)).toBe(instant);
  });

  test.each([
    '',
    '2026',
    '2026-02-29',
    '2026-13-01',
    '2026-01-01T25:00',
    '2026-01-01T10:60',
    '2300-01-01',
    '2026-01-01T',
    'x2026-01-01',
    '2026-01-01T09:30:00 Berlin',
    '2026-01-01T09:30:00+24:00',
    '2026-01-01T09:30:00+01:60',
    '2026-01-01T09:30:00+99:99',
    '2026-00-10',
    '2026-01-00',
    '1500-01-01',
  ])('%j is none', (text) => {
    expect(parseIso(text, utc)).toBeNull();
  });

  test('without an offset a text is a wall clock of the zone', () => {
    expect(show(parseIso('2026-07-01T12:00', zone('Europe/Berlin')) ?? 0)).toBe('2026-07-01T10:00:00Z');
  });

  test('a wall clock of a gap is the first instant after it, of a repeated hour the first pass', () => {
    expect(show(parseIso('2026-03-29 02:30', zone('Europe/Berlin')) ?? 0)).toBe('2026-03-29T01:00:00Z');
    expect(show(parseIso('2026-10-25 02:30', zone('Europe/Berlin')) ?? 0)).toBe('2026-10-25T00:30:00Z');
  });

  test('the first and the last exact instants are read, the next ones are not', () => {
    expect(parseIso(show(MAX_MICROS), utc)).toBe(MAX_MICROS);
    expect(parseIso(show(MIN_MICROS), utc)).toBe(MIN_MICROS);
    expect(parseIso('2255-06-05T23:47:34.740993Z', utc)).toBeNull();
    expect(parseIso('1684-07-28T00:12:25.259007Z', utc)).toBeNull();
  });

  test('accepts a text of two digits a part exactly when Date does', () => {
    const two = fc.integer({ min: 0, max: 70 }).map((n) => String(n).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1700, max: 2250 }), two, two, two, two, two, (year, ...parts) => {
        const [month, day, hour, minute, second] = parts;
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
        const date = new Date(text);
        const isReal =
          !Number.isNaN(date.getTime()) &&
          (hour === '24' || date.toISOString().startsWith(text.slice(0, 19)));
        expect(parseIso(text, utc)).toBe(isReal ? date.getTime() * 1000 : null);
      }),
      { numRuns: 2_000 },
    );
  });
});
