import type { Random } from '../../../../../domain/random.js';
import {
  dateTimeAt,
  PyDateTime,
  PyFloat,
  type PyTzinfo,
  raise,
  TemplateObject,
  UTC_ZONE,
  type Value,
} from '../../../../../template/index.js';
import type { FakerPorts } from './locales.js';

/** Seconds since 1970-01-01 00:00:00 of the wall clock. */
export type WallSeconds = number;

const SECONDS_PER_DAY = 86_400;

/** Units of texts such as `-30y`; mean lengths of years and months. */
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  y: 31_556_736,
  M: 2_628_288,
  w: 604_800,
  d: SECONDS_PER_DAY,
  h: 3_600,
  m: 60,
  s: 1,
};

/** Range of date-times. */
const FIRST: WallSeconds = Date.parse('0001-01-01T00:00:00Z') / 1_000;
const LAST: WallSeconds = Date.parse('9999-12-31T23:59:59Z') / 1_000;

const inside = (seconds: number): WallSeconds => Math.min(LAST, Math.max(FIRST, Math.floor(seconds)));

const secondsOf = (moment: PyDateTime): WallSeconds =>
  moment.day * SECONDS_PER_DAY + Math.floor(moment.micros / 1_000_000);

const needDateTime = (value: Value | undefined): PyDateTime =>
  value instanceof PyDateTime ? value : raise('TypeError', 'tzinfo must be a time zone or None');

/** In `tzinfo`, or the generator's zone for None. */
export const nowSeconds = ({ now, zone }: Pick<FakerPorts, 'now' | 'zone'>, tzinfo: Value): WallSeconds => {
  if (tzinfo === null) return secondsOf(dateTimeAt(now(), zone));
  return secondsOf(needDateTime(dateTimeAt(now(), UTC_ZONE).callMethod('astimezone', [tzinfo], null)));
};

/** `tzinfo` None: without a zone. */
export const momentAt = (seconds: WallSeconds, tzinfo: Value): PyDateTime => {
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  const moment = new PyDateTime(day, (seconds - day * SECONDS_PER_DAY) * 1_000_000, null);
  if (tzinfo === null) return moment;
  return needDateTime(moment.callMethod('replace', [], new Map([['tzinfo', tzinfo]])));
};

export const dateAt = (seconds: WallSeconds): Value =>
  momentAt(seconds, null).callMethod('date', [], null) ?? null;

export const startOfDay = (seconds: WallSeconds): WallSeconds =>
  Math.floor(seconds / SECONDS_PER_DAY) * SECONDS_PER_DAY;

const numberOf = (value: Value | undefined): number => {
  if (value instanceof PyFloat) return value.value;
  return typeof value === 'number' ? value : raise('TypeError', 'not a date');
};

const fromText = (text: string, now: WallSeconds): WallSeconds => {
  if (text === 'now') return now;
  if (text === 'today') return startOfDay(now);
  if (!/^(?:[-+]?\d+[yMwdhms])+$/.test(text)) {
    return raise(
      'ValueError',
      `'${text}' is not a date; write now, today, or an offset such as -30d, +1y or -2h`,
    );
  }
  let seconds = now;
  let sign = '+';
  for (const [, own = '', amount = '', unit = ''] of text.matchAll(/([-+]?)(\d+)([yMwdhms])/g)) {
    // A sign applies to the parts after it: -1d12h is a day and a half ago.
    sign = own === '' ? sign : own;
    seconds += Math.round((sign === '-' ? -1 : 1) * Number(amount) * (UNIT_SECONDS[unit] ?? 0));
  }
  return seconds;
};

/** From a date-time, date, timedelta, text relative to `now`, or a number of `unitSeconds` from now. */
export const secondsFrom = (
  value: Value,
  now: WallSeconds,
  zone: PyTzinfo,
  unitSeconds: number,
): WallSeconds => {
  if (typeof value === 'string') return fromText(value, now);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return now + value * unitSeconds;
  if (value instanceof PyDateTime) {
    return secondsOf(value.zone === null ? value : dateTimeAt(Number(value.instant), zone));
  }
  if (value instanceof TemplateObject && value.typeName === 'datetime.date') {
    const [year = 1970, month = 1, day = 1] = ['year', 'month', 'day'].map((part) =>
      numberOf(value.attribute(part)),
    );
    return civilSeconds(year, month, day);
  }
  if (value instanceof TemplateObject && value.typeName === 'datetime.timedelta') {
    return now + Math.floor(numberOf(value.callMethod('total_seconds', [], null)));
  }
  return raise(
    'TypeError',
    'a date must be a date-time, a date, a timedelta, an integer or a string such as -30d',
  );
};

/** Midnight of a day in years 1 to 9999; month 13 is January of the next year. */
export const civilSeconds = (year: number, month: number, day: number): WallSeconds => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 1_000;
};

/** Both ends included; ValueError for an empty range. */
export const secondBetween = (random: Random, start: WallSeconds, end: WallSeconds): WallSeconds =>
  start > end
    ? raise('ValueError', 'the start date is after the end date')
    : random.integer(inside(start), inside(end));

export type FakePeriod = 'month' | 'year' | 'decade' | 'century';

/** Start of the period and of the next one. */
export const periodOf = (seconds: WallSeconds, period: FakePeriod): readonly [WallSeconds, WallSeconds] => {
  const date = new Date(seconds * 1_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  if (period === 'month') return [civilSeconds(year, month, 1), civilSeconds(year, month + 1, 1)];
  const years = { year: 1, decade: 10, century: 100 }[period];
  const first = Math.floor(year / years) * years;
  return [civilSeconds(Math.max(1, first), 1, 1), civilSeconds(first + years, 1, 1)];
};
