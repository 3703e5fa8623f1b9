import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  MIN_MICROS,
  NEVER,
} from '../../../../src/domain/time/micros.js';
import type { Zone } from '../../../../src/domain/time/zone.js';
import { cronTicks } from '../../../../src/plugins/inputs/cron/matcher.js';
import { cron, drain, micros, shown, ticksOf, zoneNamed } from './support.js';

const isoOf = (instant: number): string => new Date(instant / 1000).toISOString();

describe('the range', () => {
  test('holds a tick exactly at its start and exactly at its end', () => {
    expect(ticksOf('0 * * * *', 'UTC', '2024-01-01T10:00:00Z', '2024-01-01T12:00:00Z').map(isoOf)).toEqual([
      '2024-01-01T10:00:00.000Z',
      '2024-01-01T11:00:00.000Z',
      '2024-01-01T12:00:00.000Z',
    ]);
  });

  test('leaves out a tick a microsecond before its start or after its end', () => {
    const [start, end] = [micros('2024-01-01T10:00:00Z') + 1, micros('2024-01-01T12:00:00Z') - 1];
    expect(drain(cronTicks(cron('0 * * * *'), zoneNamed('UTC'), start, end)).map(isoOf)).toEqual([
      '2024-01-01T11:00:00.000Z',
    ]);
  });

  test('is empty when it ends before it starts', () => {
    expect(ticksOf('* * * * * *', 'UTC', '2024-01-01T10:00:01Z', '2024-01-01T10:00:00Z')).toEqual([]);
  });

  test('ends for good', () => {
    const ticks = cronTicks(
      cron('0 0 1 1 *'),
      zoneNamed('UTC'),
      micros('2024-01-01T00:00:00Z'),
      micros('2025-06-01T00:00:00Z'),
    );
    expect(drain(ticks)).toHaveLength(2);
    expect(ticks(new Float64Array(8), 8)).toBe(0);
  });

  test('that never ends goes on to the year 2255', () => {
    const from = micros('2250-01-01T00:00:00Z');
    expect(drain(cronTicks(cron('0 0 1 1 *'), zoneNamed('Europe/Berlin'), from, NEVER)).map(isoOf)).toEqual(
      [2250, 2251, 2252, 2253, 2254].map((year) => `${year}-12-31T23:00:00.000Z`),
    );
    const last = drain(
      cronTicks(cron('* * * * * *'), zoneNamed('Pacific/Kiritimati'), MAX_MICROS - 3e6, NEVER),
    );
    expect(last.map(isoOf)).toEqual(['32', '33', '34'].map((second) => `2255-06-05T23:47:${second}.000Z`));
  });

  test('may begin centuries ago', () => {
    const ticks = cronTicks(cron('0 12 1 1 *'), zoneNamed('UTC'), MIN_MICROS, NEVER);
    expect(drain(ticks, 2).map(isoOf)).toEqual(['1685-01-01T12:00:00.000Z', '1686-01-01T12:00:00.000Z']);
    expect(
      ticksOf('0 0 12 1 1 *', 'Europe/Berlin', '1880-01-01T00:00:00Z', '1881-01-01T00:00:00Z').map(isoOf),
    ).toEqual(['1880-01-01T11:06:32.000Z']);
  });
});

describe('the days', () => {
  const daysOf = (text: string, from: string, end: string): string[] =>
    ticksOf(text, 'UTC', `${from}T00:00:00Z`, `${end}T00:00:00Z`).map((tick) => isoOf(tick).slice(0, 10));

  test.each([
    ['0 0 13 * FRI', '2024-09-01', '2024-09-30', ['2024-09-06', '2024-09-13', '2024-09-20', '2024-09-27']],
    ['0 0 10 * FRI', '2024-09-05', '2024-09-14', ['2024-09-06', '2024-09-10', '2024-09-13']],
    ['0 0 ? * FRI', '2024-09-05', '2024-09-14', ['2024-09-06', '2024-09-13']],
    ['0 0 10 * ?', '2024-09-05', '2024-09-14', ['2024-09-10']],
    ['0 0 L * *', '2024-01-01', '2024-04-30', ['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30']],
    ['0 0 15,L 2 *', '2023-01-01', '2023-12-31', ['2023-02-15', '2023-02-28']],
    ['0 0 L * MON#1', '2024-07-01', '2024-08-31', ['2024-07-01', '2024-07-31', '2024-08-05', '2024-08-31']],
    ['0 0 * * 5L', '2024-02-01', '2024-05-31', ['2024-02-23', '2024-03-29', '2024-04-26', '2024-05-31']],
    ['0 0 * * 1,5L', '2024-02-19', '2024-03-04', ['2024-02-19', '2024-02-23', '2024-02-26', '2024-03-04']],
    ['0 0 * * 5#2', '2024-01-01', '2024-03-31', ['2024-01-12', '2024-02-09', '2024-03-08']],
    ['0 0 * * 5#5', '2024-01-01', '2024-08-31', ['2024-03-29', '2024-05-31', '2024-08-30']],
    ['0 0 * 2 7', '2024-02-01', '2024-02-29', ['2024-02-04', '2024-02-11', '2024-02-18', '2024-02-25']],
    ['0 0 30 2 MON', '2024-02-01', '2024-03-31', ['2024-02-05', '2024-02-12', '2024-02-19', '2024-02-26']],
  ])('of %s', (text, from, end, expected) => {
    expect(daysOf(text, from, end)).toEqual(expected);
  });

  test('29 February comes in leap years, and not in 2100', () => {
    const years = drain(
      cronTicks(cron('0 0 29 2 *'), zoneNamed('UTC'), micros('2090-01-01T00:00:00Z'), NEVER),
      4,
    );
    expect(years.map((tick) => isoOf(tick).slice(0, 10))).toEqual([
      '2092-02-29',
      '2096-02-29',
      '2104-02-29',
      '2108-02-29',
    ]);
  });
});

/** Counts what a matcher asks of a zone. */
const counted = (zone: Zone): { readonly zone: Zone; readonly asked: () => number } => {
  let asked = 0;
  return {
    zone: {
      ...zone,
      nextTransition: (at) => {
        asked++;
        return zone.nextTransition(at);
      },
    },
    asked: () => asked,
  };
};

describe('the work', () => {
  test('of a rare schedule is a few look-ups of the zone for each tick', () => {
    const { zone, asked } = counted(zoneNamed('Europe/Berlin'));
    const ticks = drain(
      cronTicks(cron('0 0 29 2 *'), zone, micros('2024-03-01T00:00:00Z'), NEVER),
      undefined,
      4096,
    );
    expect(ticks.map((tick) => shown(tick, 'Europe/Berlin'))[0]).toBe('2028-02-29 00:00 +01:00');
    expect(ticks).toHaveLength(55);
    expect(asked()).toBeLessThan(55 * 4);
  });

  test('of one call is bounded, however many ticks it has room for', () => {
    const { zone, asked } = counted(zoneNamed('Europe/Berlin'));
    const ticks = cronTicks(cron('0 0 1 1 *'), zone, micros('1900-01-01T00:00:00Z'), NEVER);
    const count = ticks(new Float64Array(4096), 4096);
    expect(count).toBeGreaterThan(4);
    expect(asked()).toBeLessThan(40);
    // 1901 to 2255: midnight of 1900 in Berlin was an hour before the start.
    expect(count + drain(ticks).length).toBe(355);
  });

  test('of a dense schedule is one look-up for each stretch between two changes', () => {
    const { zone, asked } = counted(zoneNamed('Europe/Berlin'));
    const from = micros('2024-04-02T00:00:00Z');
    const all = drain(
      cronTicks(cron('* * * * * *'), zone, from, from + 10 * MICROS_PER_DAY),
      undefined,
      4096,
    );
    expect(all).toHaveLength(864_001);
    expect(all.every((tick, i) => tick === from + i * MICROS_PER_SECOND)).toBe(true);
    expect(asked()).toBeLessThan(4);
  });
});

test('reading with any buffer lengths, or beginning anew after any tick, gives the same stream', () => {
  const text = fc.constantFrom(
    '*/7 * * * *',
    '*/25 */10 1-4 * * *',
    '30 2 * * *',
    '0,30 1-3 * * *',
    '0 0 L * 5#1',
  );
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
  const start = fc.constantFrom(
    '2024-03-09T00:00:00Z',
    '2024-03-30T12:34:56Z',
    '2024-04-06T00:00:00Z',
    '2024-10-26T20:00:00Z',
  );
  const lengths = fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(text, zone, start, lengths, (expressionText, zoneId, from, sizes) => {
      const make = (at: number) => cronTicks(cron(expressionText), zoneNamed(zoneId), at, NEVER);
      const whole = drain(make(micros(from)), 400, 400);
      const [ticks, pieces] = [make(micros(from)), [] as number[]];
      const out = new Float64Array(97);
      for (let i = 0; pieces.length < 400; i++) {
        const count = ticks(out, sizes[i % sizes.length] as number);
        pieces.push(...out.subarray(0, count));
      }
      expect(pieces.slice(0, 400)).toEqual(whole);
      const resumed = drain(make((whole[150] as number) + 1), 249);
      expect(resumed).toEqual(whole.slice(151));
      expect(drain(make(whole[150] as number), 250)).toEqual(whole.slice(150));
    }),
    { numRuns: 60 },
  );
});
