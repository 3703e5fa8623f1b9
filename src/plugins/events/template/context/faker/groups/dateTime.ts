import { type PyDateTime, UTC_ZONE, type Value, zoneValue } from '../../../../../../template/index.js';
import { pick, wholeBetween } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import {
  civilSeconds,
  dateAt,
  type FakePeriod,
  momentAt,
  nowSeconds,
  periodOf,
  secondBetween,
  secondsFrom,
  startOfDay,
  type WallSeconds,
} from '../moments.js';
import { type Functions, fakeText, flag, type Group, whole } from '../providers.js';

const DAY = 86_400;

export const timezoneName = ({ of }: LoadedLocale): string => of((faker) => faker.location.timeZone());
export const monthName = ({ of }: LoadedLocale): string => of((faker) => faker.date.month());
export const weekdayName = ({ of }: LoadedLocale): string => of((faker) => faker.date.weekday());

/** Functions relative to the locale's now. */
const clockOf = (locale: LoadedLocale) => {
  const { random, zone } = locale;
  const now = (tzinfo: Value = null): WallSeconds => nowSeconds(locale, tzinfo);
  /** End of a range, in seconds or days from now. */
  const end = (
    value: Value | undefined,
    at: WallSeconds,
    fallback: WallSeconds,
    unit: number,
  ): WallSeconds => ((value ?? null) === null ? fallback : secondsFrom(value ?? null, at, zone, unit));
  return {
    now,
    /** From `start` to `value`; None: now. */
    until: (value: Value | undefined, tzinfo: Value = null, start = 0): PyDateTime => {
      const at = now(tzinfo);
      return momentAt(secondBetween(random, start, end(value, at, at, 1)), tzinfo);
    },
    moment: (from: Value | undefined, to: Value | undefined, tzinfo: Value = null): PyDateTime => {
      const at = now(tzinfo);
      return momentAt(secondBetween(random, end(from, at, 0, 1), end(to, at, at, 1)), tzinfo);
    },
    date: (from: Value | undefined, to: Value | undefined): Value => {
      const today = startOfDay(now());
      const first = startOfDay(end(from, today, 0, DAY));
      return dateAt(secondBetween(random, first, startOfDay(end(to, today, today, DAY)) + DAY - 1));
    },
    between: (first: WallSeconds, last: WallSeconds): WallSeconds => secondBetween(random, first, last),
  };
};

type Clock = ReturnType<typeof clockOf>;

const PERIODS: readonly FakePeriod[] = ['month', 'year', 'decade', 'century'];

/** `date_this_year`, `date_time_this_year` and the other periods. */
const periods = ({ now, between }: Clock): Functions =>
  Object.fromEntries(
    PERIODS.flatMap((period): [string, Functions[string]][] => [
      [
        `date_this_${period}(before_today=True, after_today=False)`,
        (isBefore, isAfter) => {
          const today = startOfDay(now());
          const [start, next] = periodOf(today, period);
          // Tomorrow may be in the next period: then only today is left.
          const first = flag(isBefore) ? start : flag(isAfter) ? Math.min(today + DAY, next - DAY) : today;
          return dateAt(between(first, flag(isAfter) ? next - 1 : today + DAY - 1));
        },
      ],
      [
        `date_time_this_${period}(before_now=True, after_now=False, tzinfo=None)`,
        (isBefore, isAfter, tzinfo = null) => {
          const at = now(tzinfo);
          const [start, next] = periodOf(at, period);
          return momentAt(between(flag(isBefore) ? start : at, flag(isAfter) ? next - 1 : at), tzinfo);
        },
      ],
    ]),
  );

const parts = (locale: LoadedLocale, { until }: Clock): Functions => ({
  'am_pm()': () => until(null).format('%p'),
  'century()': () =>
    pick(
      locale.random,
      'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI'.split(' '),
    ),
  'year()': () => until(null).format('%Y'),
  'month()': () => until(null).format('%m'),
  'month_name()': () => monthName(locale),
  'day_of_month()': () => until(null).format('%d'),
  'day_of_week()': () => weekdayName(locale),
  'timezone()': () => timezoneName(locale),
  'pytimezone()': () => zoneValue(timezoneName(locale)) ?? UTC_ZONE,
});

export const dateTime: Group = (locale) => {
  const clock = clockOf(locale);
  const { now, until, moment, date } = clock;
  const { random } = locale;
  return {
    "date(pattern='%Y-%m-%d', end_datetime=None)": (pattern, end) =>
      until(end).format(fakeText(pattern, 'pattern')),
    "time(pattern='%H:%M:%S', end_datetime=None)": (pattern, end) =>
      until(end).format(fakeText(pattern, 'pattern')),
    'date_object(end_datetime=None)': (end) => until(end).callMethod('date', [], null) ?? null,
    'time_object(end_datetime=None)': (end) => until(end).callMethod('time', [], null) ?? null,
    'date_time(tzinfo=None, end_datetime=None)': (zone, end) => until(end, zone),
    'date_time_ad(tzinfo=None, end_datetime=None)': (zone, end) => until(end, zone, civilSeconds(1, 1, 1)),
    "iso8601(tzinfo=None, end_datetime=None, sep='T', timespec='auto')": (zone, end, separator, precision) =>
      until(end, zone).isoformat(fakeText(separator, 'sep'), fakeText(precision, 'timespec')),
    'unix_time(end_datetime=None, start_datetime=None)': (end, start) =>
      Number(moment(start, end).instant / 1_000_000n),
    "date_between(start_date='-30y', end_date='today')": (from, to) => date(from, to),
    'date_between_dates(date_start=None, date_end=None)': (from, to) => date(from, to),
    "date_time_between(start_date='-30y', end_date='now', tzinfo=None)": (from, to, zone) =>
      moment(from, to, zone),
    'date_time_between_dates(datetime_start=None, datetime_end=None, tzinfo=None)': (from, to, zone) =>
      moment(from, to, zone),
    "past_date(start_date='-30d', tzinfo=None)": (from) => date(from, '-1d'),
    "future_date(end_date='+30d', tzinfo=None)": (to) => date('+1d', to),
    "past_datetime(start_date='-30d', tzinfo=None)": (from, zone) => moment(from, '-1s', zone),
    "future_datetime(end_date='+30d', tzinfo=None)": (to, zone) => moment('+1s', to, zone),
    'date_of_birth(tzinfo=None, minimum_age=0, maximum_age=115)': (zone, min, max) => {
      const [least, most] = [whole(min, 'minimum_age'), whole(max, 'maximum_age')];
      const age = wholeBetween(random, least, most, 'the ages');
      const today = new Date(startOfDay(now(zone)) * 1_000);
      const [year, month, day] = [today.getUTCFullYear() - age, today.getUTCMonth() + 1, today.getUTCDate()];
      // One day after the birthday at which they would be a year older.
      const oldest = civilSeconds(year - 1, month, day) + DAY;
      return dateAt(secondBetween(random, oldest, civilSeconds(year, month, day)));
    },
    ...periods(clock),
    ...parts(locale, clock),
  };
};
