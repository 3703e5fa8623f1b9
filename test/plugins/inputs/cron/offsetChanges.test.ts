import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MICROS_PER_MINUTE, MICROS_PER_SECOND } from '../../../../src/domain/time/micros.js';
import type { CronExpression } from '../../../../src/plugins/inputs/cron/expression.js';
import { cronTicks } from '../../../../src/plugins/inputs/cron/matcher.js';
import { cron, drain, micros, shown, ticksOf, zoneNamed } from './support.js';

/** Each change of three zones, with what is around it; times are UTC. */
const CHANGES = {
  // 02:00 +01:00 becomes 03:00 +02:00 at 01:00Z.
  berlinSpring: ['Europe/Berlin', '2024-03-30T23:00:00Z', '2024-03-31T02:29:59Z'],
  // 03:00 +02:00 becomes 02:00 +01:00 at 01:00Z.
  berlinAutumn: ['Europe/Berlin', '2024-10-26T23:00:00Z', '2024-10-27T02:29:59Z'],
  // 02:00 -05:00 becomes 03:00 -04:00 at 07:00Z.
  newYorkSpring: ['America/New_York', '2024-03-10T06:00:00Z', '2024-03-10T08:29:59Z'],
  // 02:00 -04:00 becomes 01:00 -05:00 at 06:00Z.
  newYorkAutumn: ['America/New_York', '2024-11-03T04:30:00Z', '2024-11-03T07:29:59Z'],
  // 02:00 +10:30 becomes 02:30 +11:00 at 15:30Z of the day before.
  lordHoweSpring: ['Australia/Lord_Howe', '2024-10-05T14:30:00Z', '2024-10-05T16:59:59Z'],
  // 02:00 +11:00 becomes 01:30 +10:30 at 15:00Z of the day before.
  lordHoweAutumn: ['Australia/Lord_Howe', '2024-04-06T13:30:00Z', '2024-04-06T16:29:59Z'],
} as const;

type Case = readonly [text: string, change: keyof typeof CHANGES, ticks: readonly string[]];

const WILDCARDS: readonly Case[] = [
  [
    '*/30 * * * *',
    'berlinSpring',
    ['00:00 +01', '00:30 +01', '01:00 +01', '01:30 +01', '03:00 +02', '03:30 +02', '04:00 +02'],
  ],
  [
    '*/30 * * * *',
    'berlinAutumn',
    ['01:00 +02', '01:30 +02', '02:00 +02', '02:30 +02', '02:00 +01', '02:30 +01', '03:00 +01'],
  ],
  ['0 * * * *', 'berlinSpring', ['00:00 +01', '01:00 +01', '03:00 +02', '04:00 +02']],
  ['0 * * * *', 'berlinAutumn', ['01:00 +02', '02:00 +02', '02:00 +01', '03:00 +01']],
  ['0 */2 * * *', 'berlinSpring', ['00:00 +01', '04:00 +02']],
  ['0 */2 * * *', 'berlinAutumn', ['02:00 +02', '02:00 +01']],
  ['*/20 2 * * *', 'berlinSpring', []],
  [
    '*/20 2 * * *',
    'berlinAutumn',
    ['02:00 +02', '02:20 +02', '02:40 +02', '02:00 +01', '02:20 +01', '02:40 +01'],
  ],
  ['*/30 * * * *', 'newYorkSpring', ['01:00 -05', '01:30 -05', '03:00 -04', '03:30 -04', '04:00 -04']],
  [
    '*/30 * * * *',
    'newYorkAutumn',
    ['00:30 -04', '01:00 -04', '01:30 -04', '01:00 -05', '01:30 -05', '02:00 -05'],
  ],
  ['30 * * * *', 'newYorkSpring', ['01:30 -05', '03:30 -04']],
  ['30 * * * *', 'newYorkAutumn', ['00:30 -04', '01:30 -04', '01:30 -05']],
  ['*/30 * * * *', 'lordHoweSpring', ['01:00 +10:30', '01:30 +10:30', '02:30 +11', '03:00 +11', '03:30 +11']],
  [
    '*/30 * * * *',
    'lordHoweAutumn',
    ['00:30 +11', '01:00 +11', '01:30 +11', '01:30 +10:30', '02:00 +10:30', '02:30 +10:30'],
  ],
  ['45 * * * *', 'lordHoweSpring', ['01:45 +10:30', '02:45 +11', '03:45 +11']],
  ['45 * * * *', 'lordHoweAutumn', ['00:45 +11', '01:45 +11', '01:45 +10:30', '02:45 +10:30']],
  ['15 * * * *', 'lordHoweSpring', ['01:15 +10:30', '03:15 +11']],
];

const FIXED: readonly Case[] = [
  ['30 2 * * *', 'berlinSpring', ['03:00 +02']],
  ['30 2 * * *', 'berlinAutumn', ['02:30 +02']],
  ['0 2 * * *', 'berlinSpring', ['03:00 +02']],
  ['0 2 * * *', 'berlinAutumn', ['02:00 +02']],
  // Several times in the gap, and one that is due when it ends: one tick.
  ['0,15,59 2 * * *', 'berlinSpring', ['03:00 +02']],
  ['0 2,3 * * *', 'berlinSpring', ['03:00 +02']],
  [
    '0,30 0-4 * * *',
    'berlinSpring',
    ['00:00 +01', '00:30 +01', '01:00 +01', '01:30 +01', '03:00 +02', '03:30 +02', '04:00 +02'],
  ],
  ['0,30 1-3 * * *', 'berlinAutumn', ['01:00 +02', '01:30 +02', '02:00 +02', '02:30 +02', '03:00 +01']],
  ['59 1 * * *', 'berlinSpring', ['01:59 +01']],
  ['0 3 * * *', 'berlinSpring', ['03:00 +02']],
  ['0 3 * * *', 'berlinAutumn', ['03:00 +01']],
  // Seconds do not make a wildcard.
  ['*/20 30 2 * * *', 'berlinSpring', ['03:00 +02']],
  ['*/20 30 2 * * *', 'berlinAutumn', ['02:30 +02', '02:30:20 +02', '02:30:40 +02']],
  ['30 2 31 * *', 'berlinSpring', ['03:00 +02']],
  ['30 2 30 * *', 'berlinSpring', []],
  ['30 2 * * SUN', 'berlinAutumn', ['02:30 +02']],
  ['30 2 * * *', 'newYorkSpring', ['03:00 -04']],
  ['30 1 * * *', 'newYorkSpring', ['01:30 -05']],
  ['30 1 * * *', 'newYorkAutumn', ['01:30 -04']],
  ['0 1,2 * * *', 'newYorkAutumn', ['01:00 -04', '02:00 -05']],
  ['15 2 * * *', 'lordHoweSpring', ['02:30 +11']],
  ['0 2 * * *', 'lordHoweSpring', ['02:30 +11']],
  ['30 2 * * *', 'lordHoweSpring', ['02:30 +11']],
  ['15,45 2 * * *', 'lordHoweSpring', ['02:30 +11', '02:45 +11']],
  ['45 1 * * *', 'lordHoweSpring', ['01:45 +10:30']],
  ['45 1 * * *', 'lordHoweAutumn', ['01:45 +11']],
  ['15 1 * * *', 'lordHoweAutumn', ['01:15 +11']],
  ['0,30 1,2 * * *', 'lordHoweAutumn', ['01:00 +11', '01:30 +11', '02:00 +10:30', '02:30 +10:30']],
];

const shownTicks = (text: string, change: keyof typeof CHANGES): string[] => {
  const [zone, from, end] = CHANGES[change];
  return ticksOf(text, zone, from, end).map((tick) => shown(tick, zone).slice(11).replace(/:00$/, ''));
};

describe('a wildcard expression follows the wall clock through both changes', () => {
  test.each(WILDCARDS)('%s, %s', (text, change, expected) => {
    expect(shownTicks(text, change)).toEqual(expected);
  });

  test('every minute stays a minute in UTC', () => {
    for (const [zone, from, end] of Object.values(CHANGES)) {
      const all = ticksOf('* * * * *', zone, from, end);
      expect(all.length).toBeGreaterThan(100);
      expect(all.every((tick, i) => i === 0 || tick - (all[i - 1] as number) === MICROS_PER_MINUTE)).toBe(
        true,
      );
    }
  });
});

describe('a fixed expression fires once: after the gap, and in the first pass of a repeated hour', () => {
  test.each(FIXED)('%s, %s', (text, change, expected) => {
    expect(shownTicks(text, change)).toEqual(expected);
  });

  test('also when the range begins at the first instant after the gap, and not when it begins later', () => {
    expect(
      ticksOf('30 2 * * *', 'Europe/Berlin', '2024-03-31T01:00:00Z', '2024-03-31T20:00:00Z'),
    ).toHaveLength(1);
    expect(
      ticksOf('30 2 * * *', 'Europe/Berlin', '2024-03-31T01:00:01Z', '2024-03-31T20:00:00Z'),
    ).toHaveLength(0);
  });

  test('also when the range ends at the first instant after the gap, and not when it ends before', () => {
    expect(
      ticksOf('30 2 * * *', 'Europe/Berlin', '2024-03-30T12:00:00Z', '2024-03-31T01:00:00Z'),
    ).toHaveLength(1);
    expect(
      ticksOf('30 2 * * *', 'Europe/Berlin', '2024-03-30T12:00:00Z', '2024-03-31T00:59:59Z'),
    ).toHaveLength(0);
  });

  test('not in the second pass when the range begins there', () => {
    expect(ticksOf('30 2 * * *', 'Europe/Berlin', '2024-10-27T01:00:00Z', '2024-10-27T20:00:00Z')).toEqual(
      [],
    );
    expect(
      ticksOf('30 * * * *', 'Europe/Berlin', '2024-10-27T01:00:00Z', '2024-10-27T02:00:00Z'),
    ).toHaveLength(1);
  });

  test('also when the range ends within the second pass', () => {
    const ticks = (end: string) => ticksOf('15,45 2 * * *', 'Europe/Berlin', '2024-10-26T23:00:00Z', end);
    const both = ['2024-10-27 02:15 +02:00', '2024-10-27 02:45 +02:00'];
    for (const end of ['01:00:00Z', '01:14:59Z', '01:30:00Z', '01:59:59Z']) {
      expect(ticks(`2024-10-27T${end}`).map((tick) => shown(tick, 'Europe/Berlin'))).toEqual(both);
    }
  });

  test('also for a rare time that lies in the gap after years without a tick', () => {
    const all = ticksOf('30 2 31 3 *', 'Europe/Berlin', '2023-06-01T00:00:00Z', '2030-06-01T00:00:00Z');
    expect(all.map((tick) => shown(tick, 'Europe/Berlin'))).toEqual([
      '2024-03-31 03:00 +02:00',
      '2025-03-31 02:30 +02:00',
      '2026-03-31 02:30 +02:00',
      '2027-03-31 02:30 +02:00',
      '2028-03-31 02:30 +02:00',
      '2029-03-31 02:30 +02:00',
      '2030-03-31 03:00 +02:00',
    ]);
  });

  test('also in a gap of a whole day: Samoa had no 30 December 2011', () => {
    const days = (text: string) =>
      ticksOf(text, 'Pacific/Apia', '2011-12-29T00:00:00Z', '2012-01-01T00:00:00Z').map((tick) =>
        shown(tick, 'Pacific/Apia'),
      );
    expect(days('0 9 * * *')).toEqual([
      '2011-12-29 09:00 -10:00',
      '2011-12-31 00:00 +14:00',
      '2011-12-31 09:00 +14:00',
      '2012-01-01 09:00 +14:00',
    ]);
    expect(days('0 9 30 12 *')).toEqual(['2011-12-31 00:00 +14:00']);
    expect(days('0 */12 30 12 *')).toEqual([]);
  });
});

/** The rules by definition, minute by minute, with no shortcut: what the matcher must agree with. */
const byDefinition = (expression: CronExpression, zoneId: string, from: number, end: number): number[] => {
  const { offsetSecondsAt } = zoneNamed(zoneId);
  const wallOf = (instant: number): number => instant + offsetSecondsAt(instant) * MICROS_PER_SECOND;
  const fits = (wall: number): boolean => {
    const date = new Date(wall / 1000);
    return (
      expression.minutes.includes(date.getUTCMinutes()) &&
      expression.hours.includes(date.getUTCHours()) &&
      (expression.monthDays === null || expression.monthDays.days.includes(date.getUTCDate()))
    );
  };
  const ticks: number[] = [];
  // Begin a day early, so that the wall times seen before the range are known.
  let shownUntil = Number.NEGATIVE_INFINITY;
  for (let instant = from - 1440 * MICROS_PER_MINUTE; instant <= end; instant += MICROS_PER_MINUTE) {
    const wall = wallOf(instant);
    let isTick = expression.isWildcard ? fits(wall) : wall >= shownUntil && fits(wall);
    if (!expression.isWildcard && shownUntil > 0) {
      for (let skipped = shownUntil; skipped < wall; skipped += MICROS_PER_MINUTE) isTick ||= fits(skipped);
    }
    shownUntil = Math.max(shownUntil, wall + MICROS_PER_MINUTE);
    if (isTick && instant >= from) ticks.push(instant);
  }
  return ticks;
};

test('any expression from any minute around any change gives what the rules say', () => {
  const part = fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
    fc
      .uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 6 })
      .map((list) => list.join()),
    fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 20 }))
      .map(([low, size]) => `${low}-${low + size}`),
  );
  const minutes = fc.oneof(part, fc.constantFrom('0', '30', '45', '15,45', '59', '0/10', '1-59/7'));
  const hours = fc.oneof(part, fc.constantFrom('1', '2', '2', '1,2', '2,3', '0-3'));
  const days = fc.constantFrom('*', '*', '*', '31', '27', '10,3,6,7', '30');
  const change = fc.constantFrom(...Object.values(CHANGES));
  fc.assert(
    fc.property(
      minutes,
      hours,
      days,
      change,
      fc.integer({ min: -400, max: 400 }),
      fc.integer({ min: 1, max: 9 }),
      (minute, hour, day, [zone, around], shift, length) => {
        const from = micros(around) + shift * MICROS_PER_MINUTE;
        const end = from + 600 * MICROS_PER_MINUTE;
        const expression = cron(`${minute} ${hour} ${day} * *`);
        const ticks = drain(cronTicks(expression, zoneNamed(zone), from, end), undefined, length);
        expect(ticks).toEqual(byDefinition(expression, zone, from, end));
      },
    ),
    { numRuns: 300 },
  );
});
