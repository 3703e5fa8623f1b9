import { describe, expect, test } from '@jest/globals';
import {
  dateTimeAt,
  PyDateTime,
  type PyTzinfo,
  UTC_ZONE,
  type Value,
  zoneValue,
} from '../../../../../../src/template/index.js';
import { PyDate } from '../../../../../../src/template/modules/datetime/date.js';
import { even, faultOf, many, seeded, surprise } from './support.js';

const BERLIN = zoneValue('Europe/Berlin');
if (BERLIN === null) throw new Error('no zone Europe/Berlin');

const at = (iso: string, zone: PyTzinfo = UTC_ZONE): PyDateTime => dateTimeAt(Date.parse(iso) * 1_000, zone);

const dateTimes = (count: number, start: Value, end: Value): PyDateTime[] => {
  const rand = seeded();
  return many(count, () => rand('datetime.timestamp', [start, end])).map((value) => {
    if (!(value instanceof PyDateTime)) throw new Error('no date-time');
    return value;
  });
};

describe('datetime.timestamp', () => {
  test('is uniform to the microsecond', () => {
    const start = at('2026-01-31T23:00:00.000Z');
    const end = at('2026-02-01T01:00:00.000Z');
    const drawn = dateTimes(24_000, start, end);
    const parts = drawn.map(({ instant }) => Number((instant - start.instant) / 600_000_000n));
    expect(surprise(parts, even(Array.from({ length: 12 }, (_, i) => i)))).toBeLessThan(5);
    expect(new Set(drawn.map(({ instant }) => instant % 1_000n)).size).toBe(1_000);
  });

  test('includes both ends, also if they are equal', () => {
    const start = new PyDateTime(0, 5, null);
    const end = new PyDateTime(0, 6, null);
    expect(new Set(dateTimes(50, start, end).map(({ micros }) => micros))).toEqual(new Set([5, 6]));
    expect(dateTimes(1, start, start)[0]?.text()).toBe('1970-01-01 00:00:00.000005');
  });

  test('is in the zone of the start, with the offset of its own time', () => {
    const start = at('2026-03-29T00:59:59.000Z', BERLIN);
    const end = at('2026-03-29T01:00:01.000Z');
    const offsets = new Set(dateTimes(50, start, end).map((each) => each.text().slice(-6)));
    // The clocks go from 02:00 +01:00 to 03:00 +02:00 in between.
    expect(offsets).toEqual(new Set(['+01:00', '+02:00']));
    for (const each of dateTimes(50, start, end)) expect(each.zone).toBe(BERLIN);
  });

  test('compares instants where zones differ', () => {
    // 10:30 in Berlin is 09:30 in UTC: later on the clock, earlier in time.
    const start = at('2026-01-01T09:30:00Z', BERLIN);
    const end = at('2026-01-01T10:00:00Z');
    for (const { instant } of dateTimes(50, start, end)) {
      expect(instant >= start.instant && instant <= end.instant).toBe(true);
    }
    expect(faultOf(() => seeded()('datetime.timestamp', [end, start]))).toBe(
      'ValueError: rand.datetime.timestamp: start (2026-01-01 10:00:00+00:00) is later than end ' +
        '(2026-01-01 10:30:00+01:00)',
    );
  });

  test('stays without a zone where neither has one', () => {
    const [drawn] = dateTimes(1, new PyDateTime(20_000, 0, null), new PyDateTime(20_001, 0, null));
    expect(drawn?.zone).toBeNull();
  });

  test('is exact over thousands of years', () => {
    const start = new PyDateTime(-700_000, 86_399_999_999, null);
    const end = new PyDateTime(2_900_000, 1, null);
    const drawn = dateTimes(20_000, start, end);
    for (const { instant } of drawn) expect(instant >= start.instant && instant <= end.instant).toBe(true);
    const parts = drawn.map(({ day }) => Math.floor((day + 700_000) / 360_000)).filter((part) => part < 10);
    expect(surprise(parts, even([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))).toBeLessThan(5);
  });

  test.each<[string, Value, Value, RegExp]>([
    [
      'a text',
      '2026-01-01',
      at('2026-01-01T00:00:00Z'),
      /^TypeError: .*start must be a date-time, such as 'timestamp', not str/,
    ],
    ['a number', at('2026-01-01T00:00:00Z'), 5, /^TypeError: .*end must be a date-time.*, not int \(5\)/],
    ['a date', new PyDate(0), new PyDate(1), /^TypeError: .*start must be a date-time.*, not datetime\.date/],
    ['none', null, null, /^TypeError: .*start must be a date-time.*, not NoneType$/],
    [
      'a zone in front of none',
      at('2026-01-01T00:00:00Z'),
      new PyDateTime(30_000, 0, null),
      /^TypeError: .*start has a time zone and end has none/,
    ],
    [
      'a zone behind none',
      new PyDateTime(0, 0, null),
      at('2026-01-01T00:00:00Z'),
      /^TypeError: .*end has a time zone and start has none/,
    ],
    [
      'a later start',
      new PyDateTime(0, 1, null),
      new PyDateTime(0, 0, null),
      /^ValueError: .*start \(1970-01-01 00:00:00\.000001\) is later than end/,
    ],
  ])('refuses %s', (_, start, end, message) => {
    expect(faultOf(() => seeded()('datetime.timestamp', [start, end]))).toMatch(message);
    expect(faultOf(() => seeded()('datetime.timestamp', [], { end, start }))).toMatch(message);
  });
});
