import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { ClockChoices } from '../../src/domain/imperfections.js';
import { drawKey, seededRandom } from '../../src/domain/random.js';
import { parseIso } from '../../src/domain/time/iso.js';
import { utc, zoneOf } from '../../src/domain/time/zone.js';
import { compileSkew, type SkewedText } from '../../src/imperfections/skew.js';
import { clockError } from '../../src/imperfections/times.js';

const KEY = drawKey(seededRandom('a seed'));
const SECOND = 1_000_000;
const RIGHT: ClockChoices = { offset: 0, drift: 0, since: null, steps: null };
const at = (text: string): number => parseIso(text, utc) ?? Number.NaN;
const T0 = at('2026-01-01T00:00:00Z');

describe('a wrong clock', () => {
  test('is ahead by its offset, and gains its drift since a moment', () => {
    expect(clockError({ ...RIGHT, offset: -180 }, KEY)(T0)).toBe(-180 * SECOND);
    const drifting = clockError({ ...RIGHT, offset: 2, drift: 50, since: T0 }, KEY);
    // 50 ppm are 4.32 seconds in a day.
    expect([T0, T0 + 86_400 * SECOND].map(drifting)).toEqual([2 * SECOND, 6.32 * SECOND]);
    expect(drifting(T0 - 86_400 * SECOND)).toBe(-2.32 * SECOND);
  });

  test('steps once in each period, evenly up to the size of a step', () => {
    const stepping = clockError({ ...RIGHT, steps: { every: 100, size: 5 } }, KEY);
    const errors = Array.from({ length: 100_000 }, (_, second) => stepping(T0 + second * SECOND));
    const changes = errors.flatMap((error, index) =>
      index > 0 && error !== errors[index - 1] ? [index] : [],
    );
    expect(changes.length).toBe(1_000);
    expect(new Set(changes.map((second) => Math.floor(second / 100))).size).toBeGreaterThan(970);
    const drawn = [...new Set(errors)].map((error) => error / SECOND);
    expect(Math.max(...drawn.map(Math.abs))).toBeLessThanOrEqual(5);
    // Four standard deviations of the mean of 1,000 draws, and of the mean of their sizes.
    const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    expect(Math.abs(meanOf(drawn))).toBeLessThan((4 * 5) / Math.sqrt(3) / Math.sqrt(1_000));
    expect(Math.abs(meanOf(drawn.map(Math.abs)) - 2.5)).toBeLessThan(0.19);
  });

  test('that NTP corrects is right at each step and drifts until the next', () => {
    const corrected = clockError({ ...RIGHT, drift: 100, steps: { every: 1_000, size: 0 } }, KEY);
    const errors = Array.from({ length: 50_000 }, (_, second) => corrected(T0 + second * SECOND));
    expect(Math.min(...errors)).toBeGreaterThanOrEqual(0);
    // The longest time between two steps is less than two periods.
    expect(Math.max(...errors)).toBeLessThan(200_000);
    const falls = errors.filter((error, index) => index > 0 && error < (errors[index - 1] ?? 0));
    expect(Math.abs(falls.length - 50)).toBeLessThanOrEqual(1);
    expect(Math.max(...falls)).toBeLessThan(100);
  });
});

interface Given {
  readonly pattern?: string;
  readonly format?: string;
  readonly zone?: string;
  readonly seconds?: number;
  readonly micros?: number | null;
  readonly event?: string;
}

const skewed = (item: string, given: Given = {}): SkewedText | null => {
  const { pattern = '(?P<timestamp>\\d{4}-\\S+)', format = 'iso8601', zone = 'UTC', seconds = 90 } = given;
  const made = compileSkew({
    timestamp_pattern: pattern,
    timestamp_format: format,
    zone: zoneOf(zone) ?? utc,
    errorAt: () => seconds * SECOND,
  });
  if (E.isLeft(made)) throw new Error(made.left);
  return made.right(item, given.event ?? item, given.micros === undefined ? T0 : given.micros);
};

describe('timestamps of a wrong clock', () => {
  test('are moved by the error, every one in the event, and keep their distance', () => {
    const event = '{"start":"2026-01-01T00:00:00.000Z","end":"2026-01-01T00:00:07.250Z","n":1}';
    expect(skewed(event, { pattern: '"(?P<timestamp>\\d{4}-[^"]+)"' })).toEqual({
      text: '{"start":"2026-01-01T00:01:30.000Z","end":"2026-01-01T00:01:37.250Z","n":1}',
      seconds: 90,
    });
  });

  test.each([
    [
      '2026-01-01 00:00:00,123 x',
      '%Y-%m-%d %H:%M:%S,%f',
      '^(?P<timestamp>\\S+ \\S+)',
      '2026-01-01 00:01:30,123 x',
    ],
    [
      '[01/Jan/2026:00:00:00 +0000] "GET',
      '%d/%b/%Y:%H:%M:%S %z',
      '\\[(?P<timestamp>[^\\]]+)\\]',
      '[01/Jan/2026:00:01:30 +0000] "GET',
    ],
    ['<34>Jan  1 00:00:00 host', '%b %e %H:%M:%S', '>(?P<timestamp>.{15})', '<34>Jan  1 00:01:30 host'],
    ['😀 t=1767225600.5 é', '%s.%f', 't=(?P<timestamp>[\\d.]+)', '😀 t=1767225690.5 é'],
    ['20260101T000000Z', 'iso8601', '(?P<timestamp>\\S+)', '20260101T000130Z'],
  ])('%s: in the format %s', (item, format, pattern, expected) => {
    expect(skewed(item, { format, pattern })?.text).toBe(expected);
  });

  test('keep an offset that is not the one of the zone, and change that of the zone with it', () => {
    const zone = 'Europe/Berlin';
    expect(skewed('2026-01-01T09:00:00+05:30', { zone })?.text).toBe('2026-01-01T09:01:30+05:30');
    expect(skewed('2026-03-29T01:59:00+01:00', { zone })?.text).toBe('2026-03-29T03:00:30+02:00');
    const plain = { zone, format: '%Y-%m-%d %H:%M', pattern: '^(?P<timestamp>.{16})' };
    expect(skewed('2026-03-29 01:59', plain)?.text).toBe('2026-03-29 03:00');
  });

  test('in whole seconds are off by a part of a second as often as the part is long', () => {
    const times = Array.from({ length: 1_000 }, (_, index) => T0 + index * 1_000);
    const texts = times.map((micros) => skewed('2026-01-01T00:00:00Z', { micros, seconds: 0.25 })?.text);
    expect(texts.filter((text) => text === '2026-01-01T00:00:01Z')).toHaveLength(250);
  });

  test('of a year that is not in the text are in that of the event', () => {
    const syslog = { format: '%b %e %H:%M:%S', pattern: '^(?P<timestamp>.{15})', seconds: -1 };
    expect(skewed('Mar  1 00:00:00', { ...syslog, micros: at('2028-03-01T00:00:05Z') })?.text).toBe(
      'Feb 29 23:59:59',
    );
    expect(skewed('Mar  1 00:00:00', { ...syslog, micros: at('2027-03-01T00:00:05Z') })?.text).toBe(
      'Feb 28 23:59:59',
    );
  });

  test.each([
    ['no time', 'no match'],
    ['2026-99-99T00:00:00Z', 'no time of this format'],
    ['2255-06-05T23:47:30Z', 'a time beyond those that can be written'],
  ])('are not found in %j: %s', (item) => {
    expect(skewed(item)).toBeNull();
  });

  test('also need no timestamp of the event', () => {
    expect(skewed('2026-01-01T00:00:00Z', { micros: null })?.text).toBe('2026-01-01T00:01:30Z');
  });

  test('leave the digits of a mark alone', () => {
    const event = 'x spate=00000001:1:1767225600000000:00000000';
    expect(skewed(event, { format: '%s', pattern: ':(?P<timestamp>\\d{10})' })).toBeNull();
  });
});
