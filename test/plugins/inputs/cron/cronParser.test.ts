import { describe, expect, test } from '@jest/globals';
import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { MICROS_PER_DAY, NEVER } from '../../../../src/domain/time/micros.js';
import { parseCron } from '../../../../src/plugins/inputs/cron/expression.js';
import { cronTicks } from '../../../../src/plugins/inputs/cron/matcher.js';
import { cron, drain, micros, zoneNamed } from './support.js';

/** Ticks of cron-parser, at and after the start, in microseconds. */
const theirs = (text: string, zone: string, from: number, most: number): number[] => {
  const ticks = CronExpressionParser.parse(text, { tz: zone, currentDate: new Date(from / 1000 - 1) });
  return ticks.take(most).map((tick) => tick.getTime() * 1000);
};

const ours = (text: string, zone: string, from: number, most: number): number[] =>
  drain(cronTicks(cron(text), zoneNamed(zone), from, NEVER), most, 33);

const agrees = (text: string): boolean => {
  try {
    CronExpressionParser.parse(text, { tz: 'UTC' });
    return true;
  } catch {
    return false;
  }
};

const value = (low: number, high: number) => fc.integer({ min: low, max: high }).map(String);

/** Any text of a field of numbers that cron-parser takes. */
const field = (low: number, high: number): fc.Arbitrary<string> => {
  const bounds = fc
    .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: high });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('*', '?') },
    { weight: 3, arbitrary: value(low, high) },
    bounds,
    fc.tuple(fc.oneof(fc.constant('*'), bounds, value(low, high)), step).map(([base, by]) => `${base}/${by}`),
    fc
      .uniqueArray(fc.integer({ min: low, max: high }), { minLength: 1, maxLength: 5 })
      .map((list) => list.join()),
  );
};

const monthDay = fc.oneof(
  { weight: 4, arbitrary: field(1, 28) },
  fc.constantFrom('L', '29', '30', '31', '1,L'),
);
const month = fc.oneof(
  { weight: 3, arbitrary: field(1, 12) },
  fc.constantFrom('JAN', 'feb-Apr', 'Jun,DEC', '*/3'),
);
const weekday = fc.oneof(
  { weight: 4, arbitrary: field(0, 6) },
  fc.constantFrom(
    '7',
    '5-7',
    'MON-FRI',
    'sun',
    '1/2',
    '5L',
    '0L',
    '7L',
    '1L,3L',
    '5#2',
    '1#1',
    '0#5',
    'tue#3',
  ),
);
const expression = fc
  .tuple(fc.option(field(0, 59), { nil: null }), field(0, 59), field(0, 23), monthDay, month, weekday)
  .map((fields) => fields.filter((text) => text !== null).join(' '));

/** Within the six months after these the offset does not change in any of the zones used. */
const start = fc.integer({
  min: micros('1972-01-01T00:00:00Z') / 1e6,
  max: micros('2037-01-01T00:00:00Z') / 1e6,
});

describe('cron-parser is the oracle away from offset changes', () => {
  test('any expression from any start has the same ticks in UTC, in Tokyo and in Kathmandu', () => {
    fc.assert(
      fc.property(
        expression,
        start,
        fc.constantFrom('UTC', 'Asia/Tokyo', 'Asia/Kathmandu'),
        (text, seconds, zone) => {
          expect(E.isRight(parseCron(text))).toBe(agrees(text));
          fc.pre(agrees(text));
          // Kathmandu changed its offset at the start of 1986.
          const from =
            zone === 'Asia/Kathmandu' ? Math.max(seconds, 504_921_600 + 86_400) * 1e6 : seconds * 1e6;
          const expected = theirs(text, zone, from, 6);
          expect(ours(text, zone, from, expected.length)).toEqual(expected);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('any expression in a summer of Berlin, New York and Lord Howe has the same ticks', () => {
    const season = fc.constantFrom(
      ['Europe/Berlin', '2024-04-02T00:00:00Z', '2024-10-25T00:00:00Z'] as const,
      ['America/New_York', '2024-03-12T00:00:00Z', '2024-11-01T00:00:00Z'] as const,
      ['Australia/Lord_Howe', '2024-10-08T00:00:00Z', '2025-04-03T00:00:00Z'] as const,
    );
    const minuteOfDay = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(expression, season, minuteOfDay, (text, [zone, first, past], minute) => {
        expect(E.isRight(parseCron(text))).toBe(agrees(text));
        fc.pre(agrees(text));
        const from = micros(first) + (minute / 1440) * MICROS_PER_DAY;
        const inSeason = (ticks: readonly number[]) => ticks.filter((tick) => tick < micros(past));
        const expected = theirs(text, zone, from, 8);
        expect(inSeason(ours(text, zone, from, expected.length))).toEqual(inSeason(expected));
      }),
      { numRuns: 300 },
    );
  });

  test('what it refuses we refuse too', () => {
    const junk = fc.string({
      unit: fc.constantFrom(...'0123459*?,-/ LHW#MONFRI@'),
      minLength: 9,
      maxLength: 16,
    });
    const mangled = fc
      .tuple(expression, fc.nat(), fc.constantFrom(...'*?,-/#LHWR 9'))
      .map(([text, at, character]) => {
        const place = at % text.length;
        return text.slice(0, place) + character + text.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(junk, mangled), (text) => {
        const parsed = parseCron(text);
        if (E.isLeft(parsed)) expect(parsed.left).toContain('. ');
        else expect(agrees(text) || DELIBERATE.some(({ pattern }) => pattern.test(text))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Accepted here and refused there, on purpose. */
const DELIBERATE = [
  { pattern: /,/, text: '1-5,3 * * * *', why: 'repeated values are harmless, and # works in a list' },
  {
    pattern: /L[0-7]|L[A-Z]{3}/i,
    text: '0 0 * * L5',
    why: 'the spelling of existing packs',
  },
  { pattern: /-(0|SUN)\b/i, text: '0 0 * * SAT-SUN', why: 'a range that ends on Sunday ends the week' },
] as const;

describe('where we differ from cron-parser', () => {
  test.each(DELIBERATE)('$text is accepted: $why', ({ text }) => {
    expect([agrees(text), E.isRight(parseCron(text))]).toEqual([false, true]);
  });

  test.each([
    ['', 'an empty text is no schedule, not every minute'],
    ['5', 'missing fields are not guessed'],
    ['H 0 * * *', 'a value that the text does not say is not drawn'],
  ])('%j is refused: %s', (text) => {
    expect([agrees(text), E.isLeft(parseCron(text))]).toEqual([true, true]);
  });

  test('5L beside a plain weekday does not make that one the last of the month too', () => {
    const from = micros('2024-02-01T00:00:00Z');
    const daysOf = (ticks: number[]) => ticks.map((tick) => new Date(tick / 1000).toISOString().slice(8, 10));
    expect(daysOf(ours('0 0 * * 1,5L', 'UTC', from, 5))).toEqual(['05', '12', '19', '23', '26']);
  });

  test('a fixed time in a repeated hour fires in the first pass, in the gap at its end', () => {
    const gap = micros('2024-03-30T12:00:00Z');
    expect(ours('30 2 * * *', 'Europe/Berlin', gap, 1)).toEqual([micros('2024-03-31T01:00:00Z')]);
    expect(theirs('30 2 * * *', 'Europe/Berlin', gap, 1)).not.toEqual([micros('2024-03-31T01:00:00Z')]);
  });
});
