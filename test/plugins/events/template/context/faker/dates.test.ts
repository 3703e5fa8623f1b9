import { beforeAll, describe, expect, test } from '@jest/globals';
import { UTC_ZONE, zoneValue } from '../../../../../../src/template/index.js';
import { englishRendering, NOW, type Rendering } from './support.js';

let english: Rendering;
beforeAll(async () => {
  english = await englishRendering();
});

/** Now is 2026-11-21 08:05:07. */
describe('dates lie between their ends', () => {
  test.each([
    ["f.date_between('-1d', 'today')", '2026-11-20', '2026-11-21'],
    ["f.date_between('today', '+2d')", '2026-11-21', '2026-11-23'],
    ['f.date_between(-1, 1)', '2026-11-20', '2026-11-22'],
    [
      "f.date_between_dates(f.date_object('now').replace(2020, 2, 28), f.date_object('now').replace(2020, 2, 29))",
      '2020-02-28',
      '2020-02-29',
    ],
    ["f.past_date('-2d')", '2026-11-19', '2026-11-20'],
    ["f.future_date('+2d')", '2026-11-22', '2026-11-23'],
    ['f.date_this_month(before_today=False, after_today=True)', '2026-11-22', '2026-11-30'],
    ['f.date_this_month(True, True)', '2026-11-01', '2026-11-30'],
    ['f.date_this_year(False, False)', '2026-11-21', '2026-11-21'],
    ['f.date_of_birth(minimum_age=30, maximum_age=31)', '1994-11-22', '1996-11-21'],
    ["f.date_time_between('-2s', 'now')", '2026-11-21 08:05:05', '2026-11-21 08:05:07'],
    ["f.date_time_between('-1m1s', '-1m')", '2026-11-21 08:04:06', '2026-11-21 08:04:07'],
    ["f.date_time_between('-1h', '-59m')", '2026-11-21 07:05:07', '2026-11-21 07:06:07'],
    ["f.date_time_between('-1w', '-6d')", '2026-11-14 08:05:07', '2026-11-15 08:05:07'],
    ['f.date_time_between(-5, 5)', '2026-11-21 08:05:02', '2026-11-21 08:05:12'],
    ["f.past_datetime('-3s')", '2026-11-21 08:05:04', '2026-11-21 08:05:06'],
    ["f.future_datetime('+3s')", '2026-11-21 08:05:08', '2026-11-21 08:05:10'],
    ['f.date_time_this_month(False, True)', '2026-11-21 08:05:07', '2026-11-30 23:59:59'],
    ['f.date_time_this_year(False, False)', '2026-11-21 08:05:07', '2026-11-21 08:05:07'],
    ["f.unix_time(start_datetime='-1s')", '1795248306', '1795248307'],
    ['m.datetime.date(start=2020, end=2020)', '2020-01-01', '2020-12-31'],
    ['m.person.birthdate(1990, 1990)', '1990-01-01', '1990-12-31'],
    ['m.datetime.year(2026)', '2026', '2026'],
  ])('%s', (expression, first, last) => {
    const values = [...english.many(expression, 100)].sort();
    expect(values.filter((value) => value < first || value > last)).toEqual([]);
    // Few values between the ends: both are drawn.
    if (Date.parse(`${last}Z`) - Date.parse(`${first}Z`) < 5_000) {
      expect([values[0], values.at(-1)]).toEqual([first, last]);
    }
  });
});

describe('formats', () => {
  test.each([
    ["f.date('%d.%m.%Y')", /^\d\d\.\d\d\.\d{4}$/],
    ["f.date(pattern='%Y', end_datetime='-50y')", /^197[0-6]$/],
    ["f.time('%H')", /^[012]\d$/],
    ["f.iso8601(sep=' ', timespec='minutes')", /^\d{4}-\d\d-\d\d \d\d:\d\d$/],
    ['f.date_time(tzinfo=f.pytimezone())', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d/],
    ["f.iso8601(m.datetime.datetime(timezone='UTC').tzinfo)", /\+00:00$/],
    ["m.datetime.formatted_date('%Y/%m')", /^\d{4}\/\d\d$/],
    ["m.datetime.datetime(timezone='Europe/Berlin')", /\+0[12]:00$/],
    ['m.datetime.timestamp(module.mimesis.enums.TimestampFormat.RFC_3339)', /^\d{4}-.*T.*Z$/],
    ['m.datetime.timezone(module.mimesis.enums.TimezoneRegion.EUROPE)', /^Europe\//],
  ])('%s', (expression, shape) => {
    for (const value of english.many(expression)) expect(value).toMatch(shape);
  });
});

describe('now', () => {
  test('follows the events', async () => {
    let now = NOW;
    const { shown } = await englishRendering({ now: () => now });
    expect(shown("f.date_time_between('now', 'now')")).toBe('2026-11-21 08:05:07');
    now += 1_500_000;
    expect(shown("f.date_time_between('now', 'now')")).toBe('2026-11-21 08:05:08');
  });

  test('is of the wall clock of the generator', async () => {
    const { shown } = await englishRendering({ zone: zoneValue('Asia/Tokyo') ?? UTC_ZONE });
    expect(shown("f.date_time_between('now', 'now')")).toBe('2026-11-21 17:05:07');
    expect(shown("f.date_time_between('now', 'now', f.date_time().tzinfo)")).toBe('2026-11-21 17:05:07');
    expect(shown("f.date_time_between('now', 'now', m.datetime.datetime(timezone='UTC').tzinfo)")).toBe(
      '2026-11-21 08:05:07+00:00',
    );
    expect(
      shown(
        "f.date_time_between_dates(m.datetime.datetime(2020, 2020, 'UTC'), '+0d') >= f.date_time(none, '-50y')",
      ),
    ).toBe('True');
  });
});

describe('dates that are wrong', () => {
  test.each([
    [
      "f.date_between('yesterday')",
      "ValueError: 'yesterday' is not a date; write now, today, or an offset such as -30d",
    ],
    ["f.date_between('+1d', '-1d')", 'ValueError: the start date is after the end date'],
    ['f.date_between(1.5)', 'TypeError: a date must be a date-time'],
    ["f.date_time(tzinfo='UTC')", 'TypeError'],
    ['f.date_of_birth(minimum_age=5, maximum_age=4)', 'ValueError: the ages'],
    ['m.datetime.date(start=0)', 'ValueError: start must be a year from 1 to 9999'],
    ["m.datetime.datetime(timezone='Mars/Base')", "ValueError: unknown time zone 'Mars/Base'"],
    ["m.datetime.timezone('Mars')", "ValueError: no time zone in the region 'Mars'"],
  ])('%s', (expression, message) => {
    expect(english.error(expression)).toContain(message);
  });

  test('dates too far away are the first and the last there are', () => {
    expect(english.shown("f.date_between('-99999y', '-99998y')")).toBe('0001-01-01');
    expect(english.shown("f.date_time_between('+99999999999999y', '+99999999999999y')")).toBe(
      '9999-12-31 23:59:59',
    );
  });
});
