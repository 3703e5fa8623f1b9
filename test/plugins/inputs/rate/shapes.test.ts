import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NOW } from '../../../support/pipelines/inputs.js';
import { countsOf, microsOf, problemOf, rate } from './support.js';

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

describe('ramp', () => {
  test('integrates to the right total, second by second', async () => {
    const params = { events_per_second: 100, shape: 'ramp', ramp: { from: 0, to: 2 }, end: '+100s' };
    const counts = countsOf(microsOf(await rate(params)), NOW, SECOND, 100);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10_000);
    // Second i has the integral of 2 t from i to i + 1.
    for (const [i, count] of counts.entries()) expect(Math.abs(count - (2 * i + 1))).toBeLessThanOrEqual(1);
  });

  test('downwards to zero, it ends with the last timestamp', async () => {
    const params = {
      events_per_second: 100,
      shape: 'ramp',
      ramp: { from: 1, to: 0, seconds: 10 },
      end: '+1h',
    };
    const micros = microsOf(await rate(params));
    expect(micros.length).toBe(500);
    expect(micros.at(-1)).toBeLessThan(NOW + 10 * SECOND);
  });

  test('lasts at its end', async () => {
    const params = {
      events_per_second: 10,
      shape: 'ramp',
      ramp: { from: 0, to: 1, seconds: 20 },
      end: '+30s',
    };
    const counts = countsOf(microsOf(await rate(params)), NOW, 10 * SECOND, 3);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200);
    expect(counts[2]).toBe(100);
  });

  test('skipping leaves its remaining part', async () => {
    const params = {
      events_per_second: 10,
      shape: 'ramp',
      ramp: { from: 0, to: 1, seconds: 20 },
      start: '-10s',
      end: '+20s',
    };
    expect(microsOf(await rate(params, { skipPast: true })).length).toBe(75);
  });
});

describe('steps and spikes', () => {
  const levels = [
    { factor: 1, seconds: 2 },
    { factor: 0, seconds: 3 },
    { factor: 4, seconds: 1 },
  ];

  test('steps repeat, or the last one lasts', async () => {
    const given = { events_per_second: 10, shape: 'steps', end: '+12s' };
    const repeated = microsOf(await rate({ ...given, steps: { levels, repeat: true } }));
    expect(countsOf(repeated, NOW, SECOND, 12)).toEqual([10, 10, 0, 0, 0, 40, 10, 10, 0, 0, 0, 40]);
    const once = microsOf(await rate({ ...given, steps: { levels } }));
    expect(countsOf(once, NOW, SECOND, 12)).toEqual([10, 10, 0, 0, 0, 40, 40, 40, 40, 40, 40, 40]);
  });

  test('the input ends when the last step is zero', async () => {
    const steps = { levels: levels.slice(0, 2) };
    expect(microsOf(await rate({ events_per_second: 10, shape: 'steps', steps })).length).toBe(20);
  });

  test('a spike is a peak over the target', async () => {
    const spike = { factor: 5, after: 2, seconds: 1 };
    const once = microsOf(await rate({ events_per_second: 10, shape: 'spike', spike, end: '+7s' }));
    expect(countsOf(once, NOW, SECOND, 7)).toEqual([10, 10, 50, 10, 10, 10, 10]);
    const given = { events_per_second: 10, shape: 'spike', spike: { ...spike, repeat: true }, end: '+6s' };
    expect(countsOf(microsOf(await rate(given)), NOW, SECOND, 6)).toEqual([10, 10, 50, 10, 10, 50]);
  });
});

describe('daily', () => {
  const berlin = { zoneId: 'Europe/Berlin' };
  const onlyNine = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 24 : 0));

  test('a week has the target, hours and weekdays their share', async () => {
    // A Monday.
    const start = Date.parse('2026-06-01T00:00:00Z') * 1000;
    const daily = { weekdays: [1, 1, 1, 1, 1, 0.5, 0.4] };
    const params = { events_per_second: 0.5, shape: 'daily', daily, start: '2026-06-01', end: '+7d' };
    const micros = microsOf(await rate(params));
    expect(Math.abs(micros.length - 7 * 43_200)).toBeLessThanOrEqual(1);
    const hours = countsOf(micros, start, HOUR, 7 * 24);
    const [night = 0, noon = 0, saturday = 0] = [hours[2], hours[13], hours[5 * 24 + 13]];
    expect(noon / night).toBeCloseTo(12, 0);
    expect(noon / saturday).toBeCloseTo(2, 1);
  });

  test('follows the wall clock over a clock change', async () => {
    const daily = { hours: onlyNine, weekdays: new Array(7).fill(1) };
    // Clocks go forward on Sunday 29 March 2026 in Berlin.
    const given = {
      events_per_second: 1 / 3600,
      shape: 'daily',
      daily,
      start: '2026-03-28',
      end: '2026-03-31',
    };
    const micros = microsOf(await rate(given, berlin));
    const hours = micros.map((at) => new Date(at / 1000).toISOString().slice(8, 13));
    expect(new Set(hours)).toEqual(new Set(['28T08', '29T07', '30T07']));
    expect(micros.length).toBe(72);
  });

  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-14', 24],
  ])('%s has %i hours of timestamps', async (start, hours) => {
    const daily = { hours: new Array(24).fill(1), weekdays: new Array(7).fill(1) };
    const given = { events_per_second: 0.1, shape: 'daily', daily, start };
    const end = start.replace(/\d\d$/, (day) => String(Number(day) + 1));
    const micros = microsOf(await rate({ ...given, end }, berlin));
    expect(micros.length).toBe(hours * 360);
    expect(micros).toEqual(micros.map((_, i) => (micros[0] as number) + i * 10 * SECOND));
  });
});

describe('curve', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'spate-rate-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const curve = (text: string): object => {
    writeFileSync(join(directory, 'curve.csv'), text);
    return { events_per_second: 10, shape: 'curve', curve: { file: 'curve.csv' } };
  };

  test('over time: straight between rows, constant outside', async () => {
    const at = (seconds: number): string => new Date(NOW / 1000 + seconds * 1000).toISOString();
    const text = `\uFEFFTime, Factor\r\n${at(10)},0\r\n"${at(20)}",4\n\n${at(30)},1\n`;
    const micros = microsOf(await rate({ ...curve(text), end: '+40s' }, { directory }));
    expect(countsOf(micros, NOW, 10 * SECOND, 4)).toEqual([0, 200, 250, 100]);
  });

  test('over hours: straight over midnight too, with the target as mean', async () => {
    const start = Date.parse('2026-06-01T00:00:00Z') * 1000;
    const params = {
      ...curve('hour,factor\n6,1\n18,3\n'),
      events_per_second: 1,
      start: '2026-06-01',
      end: '+1d',
    };
    const micros = microsOf(await rate(params, { directory }));
    expect(Math.abs(micros.length - 86_400)).toBeLessThanOrEqual(1);
    const quarters = countsOf(micros, start, 6 * HOUR, 4);
    for (const [i, wanted] of [16_200, 16_200, 27_000, 27_000].entries()) {
      expect(Math.abs((quarters[i] as number) - wanted)).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ['', /curve\.csv:1: the header/],
    ['hour,factor\n', /curve\.csv:1: no row/],
    ['hour,factor\n3,1\n2,1', /curve\.csv:3: 2 is not after/],
    ['hour,factor\n24,1', /curve\.csv:2: "24" is no hour/],
    ['hour,factor\n1,-1', /curve\.csv:2: "-1" is no factor/],
    ['hour,factor\n1,', /curve\.csv:2: "" is no factor/],
    ['hour,factor\n1,2,3', /curve\.csv:2: a row has two columns/],
    ['hour,factor\n1,0', /curve\.csv:2: all factors are 0/],
    ['time,factor\nnoon,1', /curve\.csv:2: "noon" is no ISO 8601/],
  ])('%j is refused, with file and line', async (text, problem) => {
    expect(await problemOf(curve(text), { directory })).toMatch(problem);
  });

  test('a missing file is named', async () => {
    const params = { events_per_second: 10, shape: 'curve', curve: { file: 'none.csv' } };
    expect(await problemOf(params, { directory })).toMatch(/none\.csv cannot be read/);
  });
});
