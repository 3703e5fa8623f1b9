import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isoFormatter } from '../../../src/domain/time/iso.js';
import { MICROS_PER_SECOND } from '../../../src/domain/time/micros.js';
import { utc, type Zone, zoneLinks, zoneOf } from '../../../src/domain/time/zone.js';

const zone = (id: string): Zone => {
  const found = zoneOf(id);
  if (found === null) throw new Error(`no zone ${id}`);
  return found;
};
const at = (text: string): number => Date.parse(text) * 1000;
const show = (micros: number): string => isoFormatter(utc)(micros).replace('+00:00', 'Z');
const local = (text: string): number => Date.parse(`${text}Z`) * 1000;

describe('names', () => {
  test.each([
    'UTC',
    'GMT',
    'Europe/Berlin',
    'America/Port_of_Spain',
    'US/Eastern',
    'Asia/Calcutta',
    'Etc/GMT+5',
    'EST5EDT',
    'NZ-CHAT',
    'Asia/Ust-Nera',
  ])('%s is known', (id) => {
    expect(zoneOf(id)?.id).toBe(id);
  });
  test.each([
    '',
    'utc',
    'europe/berlin',
    'Europe/berlin',
    'EUROPE/BERLIN',
    'us/eastern',
    'US/EASTERN',
    'Utc',
    'Gmt',
    'Asia/DILI',
    'ASIA/Tokyo',
    'Europe/Atlantis',
    '+02:00',
    'Mars',
    '../etc/passwd',
    '__proto__',
  ])('%j is refused', (id) => {
    expect(zoneOf(id)).toBeNull();
  });
  test('names are case-sensitive: no other spelling of any zone is accepted', () => {
    const all = [...Intl.supportedValuesOf('timeZone'), ...zoneLinks];
    const known = new Set(all);
    const spellings = (id: string): string[] => [
      id.toLowerCase(),
      id.toUpperCase(),
      id.replace(/[^/]+$/, (last) => last.toUpperCase()),
      id.replace(/^[^/]+/, (first) => first.toUpperCase()),
      id.replace(/[A-Za-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
    ];
    const taken = all.flatMap(spellings).filter((id) => !known.has(id) && zoneOf(id) !== null);
    expect(taken).toEqual([]);
    expect(all.filter((id) => zoneOf(id) === null)).toEqual([]);
  });

  test('a zone is made once', () => {
    expect(zoneOf('Asia/Tokyo')).toBe(zoneOf('Asia/Tokyo'));
  });
});

describe('offsets', () => {
  test.each([
    ['Europe/Berlin', '2026-01-01T00:00:00Z', 3600],
    ['Europe/Berlin', '2026-07-01T00:00:00Z', 7200],
    ['Europe/Berlin', '1890-01-01T00:00:00Z', 3208],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 20_700],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 39_600],
    ['Australia/Lord_Howe', '2026-07-01T00:00:00Z', 37_800],
    ['America/New_York', '2026-07-01T00:00:00Z', -14_400],
    ['Africa/Monrovia', '1960-01-01T00:00:00Z', -2670],
  ])('%s at %s', (id, text, seconds) => {
    expect(zone(id).offsetSecondsAt(at(text))).toBe(seconds);
  });

  test('of every zone are those that the dates of Intl show', () => {
    const instants = ['1890-01-01', '1950-07-01', '2026-01-01', '2026-07-01', '2200-07-01'].map(Date.parse);
    const shown = (ms: number, timeZone: string): string =>
      new Intl.DateTimeFormat('en-US', {
        timeZone,
        hourCycle: 'h23',
        dateStyle: 'short',
        timeStyle: 'medium',
      }).format(ms);
    const wrong = [...Intl.supportedValuesOf('timeZone'), ...zoneLinks].filter((id) =>
      instants.some((ms) => shown(ms + zone(id).offsetSecondsAt(ms * 1000) * 1000, 'UTC') !== shown(ms, id)),
    );
    expect(wrong).toEqual([]);
  });

  test('agree with Intl at any instant, in any order', () => {
    const ids = [
      'Europe/Berlin',
      'Africa/Casablanca',
      'America/St_Johns',
      'Pacific/Apia',
      'Asia/Tehran',
      'Europe/Dublin',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...ids),
        fc.integer({ min: -2_500_000_000, max: 8_000_000_000 }),
        (id, second) => {
          const parts = new Intl.DateTimeFormat('en-US', {
            timeZone: id,
            hourCycle: 'h23',
            dateStyle: 'short',
            timeStyle: 'medium',
          }).format((second + zone('UTC').offsetSecondsAt(0)) * 1000);
          const wall = new Intl.DateTimeFormat('en-US', {
            timeZone: 'UTC',
            hourCycle: 'h23',
            dateStyle: 'short',
            timeStyle: 'medium',
          }).format((second + zone(id).offsetSecondsAt(second * MICROS_PER_SECOND)) * 1000);
          expect(wall).toBe(parts);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('wall clock to instants', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T01:59:59', ['2026-03-29T00:59:59Z']],
    ['Europe/Berlin', '2026-03-29T02:30:00', []],
    ['Europe/Berlin', '2026-03-29T03:00:00', ['2026-03-29T01:00:00Z']],
    ['Europe/Berlin', '2026-10-25T02:30:00', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']],
    ['America/New_York', '2026-03-08T02:30:00', []],
    ['America/New_York', '2026-11-01T01:30:00', ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z']],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', []],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', ['2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z']],
  ])('%s %s', (id, text, instants) => {
    expect(zone(id).instantsOf(local(text)).map(show)).toEqual(instants);
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-03-29T02:00:00', '2026-03-29T01:00:00Z'],
    ['America/New_York', '2026-03-08T02:59:59', '2026-03-08T07:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:30:00Z'],
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00Z'],
    ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T10:00:00Z'],
    ['America/Recife', '2000-10-08T00:30:00', '2000-10-08T03:00:00Z'],
  ])('%s %s means %s', (id, text, instant) => {
    expect(show(zone(id).instantOf(local(text)))).toBe(instant);
  });

  test.each([
    ['Europe/Berlin', '2026-01-01T00:00:00Z', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
    ['Asia/Tokyo', '2026-01-01T00:00:00Z', null],
    // Summer time abandoned after a week: two changes 6.96 days apart.
    ['America/Recife', '2000-10-08T02:59:59Z', '2000-10-08T03:00:00Z'],
    ['America/Recife', '2000-10-08T03:00:00Z', '2000-10-15T02:00:00Z'],
  ])('the next change of %s after %s', (id, text, change) => {
    const next = zone(id).nextTransition(at(text));
    expect(next === null ? null : show(next)).toBe(change);
  });
});
