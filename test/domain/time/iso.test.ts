import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoFormatter, parseIso } from '../../../src/domain/time/iso.js';
import { MICROS_PER_SECOND } from '../../../src/domain/time/micros.js';
import { utc, type Zone, zoneOf } from '../../../src/domain/time/zone.js';

const zone = (id: string): Zone => {
  const found = zoneOf(id);
  if (found === null) throw new Error(`no zone ${id}`);
  return found;
};
const at = (text: string): number => Date.parse(text) * 1000;

describe('around clock changes', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['Europe/Berlin', '2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
    ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08T01:59:59-05:00'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08T03:00:00-04:00'],
    ['America/New_York', '2026-11-01T05:59:59Z', '2026-11-01T01:59:59-04:00'],
    ['America/New_York', '2026-11-01T06:00:00Z', '2026-11-01T01:00:00-05:00'],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', '2026-04-05T01:59:59+11:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05T01:30:00+10:30'],
    ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', '2026-10-04T01:59:59+10:30'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04T02:30:00+11:00'],
    ['Africa/Casablanca', '2026-02-15T01:59:59Z', '2026-02-15T02:59:59+01:00'],
    ['Africa/Casablanca', '2026-02-15T02:00:00Z', '2026-02-15T02:00:00+00:00'],
    ['Europe/Berlin', '1890-01-01T00:00:00Z', '1890-01-01T00:53:28+00:53:28'],
    ['UTC', '1969-12-31T23:59:59Z', '1969-12-31T23:59:59+00:00'],
  ])('%s at %s shows %s', (id, instant, expected) => {
    expect(isoFormatter(zone(id))(at(instant))).toBe(expected);
    expect(parseIso(expected, utc)).toBe(at(instant));
  });

  test('one formatter gives the same texts forwards, backwards and mixed', () => {
    const instants = Array.from({ length: 400 }, (_, i) => at('2026-10-24T22:00:00Z') + i * 61_000_001);
    const fresh = instants.map((micros) => isoFormatter(zone('Europe/Berlin'))(micros));
    const shared = isoFormatter(zone('Europe/Berlin'));
    expect(instants.map(shared)).toEqual(fresh);
    expect([...instants].reverse().map(shared).reverse()).toEqual(fresh);
  });
});

describe('ISO 8601 texts', () => {
  test('have the fraction of their own instant, independent of earlier calls', () => {
    const second = at('2026-05-01T12:00:00Z');
    const fraction = fc
      .tuple(fc.constantFrom(0, 1, 999), fc.constantFrom(0, 1, 500, 999))
      .map(([ms, micros]) => ms * 1000 + micros);
    fc.assert(
      fc.property(fc.array(fraction, { minLength: 2, maxLength: 40 }), (fractions) => {
        const formatters = ['UTC', 'Africa/Abidjan', 'Asia/Kathmandu'].map((id) => isoFormatter(zone(id)));
        for (const [i, micros] of fractions.entries()) {
          const offset = i % 3 === 2 ? '+05:45' : '+00:00';
          const wall = i % 3 === 2 ? '17:45:00' : '12:00:00';
          const digits = micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`;
          expect(formatters[i % 3]?.(second + micros)).toBe(`2026-05-01T${wall}${digits}${offset}`);
        }
      }),
    );
  });

  test('are read back to the same instant in every zone', () => {
    const ids = ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'];
    fc.assert(
      fc.property(
        fc.constantFrom(...ids),
        fc.integer({ min: -2_000_000_000_000_000, max: 9_000_000_000_000_000 }),
        (id, micros) => {
          const text = isoFormatter(zone(id))(micros);
          expect(parseIso(text, utc)).toBe(micros);
          const digits = micros % MICROS_PER_SECOND === 0 ? 25 : 32;
          if (zone(id).offsetSecondsAt(micros) % 60 === 0) expect(text).toHaveLength(digits);
        },
      ),
    );
  });
});
