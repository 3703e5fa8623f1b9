import { raise } from '../../errors.js';
import { asIndex } from '../../values/operations/subscript.js';
import { textOf } from '../../values/types/markup.js';
import { floatValue, typeName, type Value } from '../../values/value.js';

/** Days and dates of the proleptic Gregorian calendar; day 0 is 1970-01-01. */

export const DAY_MICROS = 86_400_000_000;
export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;
const MIN_YEAR = 1;
const MAX_YEAR = 9999;
export const EPOCH_ORDINAL = 719_163;

export const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export const monthLength = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0);

export const dayOf = (year: number, month: number, day: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.floor(date.getTime() / 86_400_000);
};

export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

interface KnownDay extends Civil {
  readonly number: number;
  readonly text: string;
}

/** Cache of recent days by day number: the days of a run's events repeat. */
const KNOWN_DAYS: (KnownDay | undefined)[] = Array.from({ length: 64 }, () => undefined);

const knownDay = (number: number): KnownDay => {
  const slot = number & 63;
  const known = KNOWN_DAYS[slot];
  if (known !== undefined && known.number === number) return known;
  const date = new Date(number * 86_400_000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const made = { number, year, month, day, text };
  KNOWN_DAYS[slot] = made;
  return made;
};

export const civilOf = (day: number): Civil => knownDay(day);

/** 0 is Monday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Year, week and weekday (1 Monday) of ISO 8601. */
export const isoCalendar = (day: number): readonly [number, number, number] => {
  const weekday = weekdayOf(day);
  const thursday = day - weekday + 3;
  const { year } = civilOf(thursday);
  return [year, Math.floor((thursday - dayOf(year, 1, 1)) / 7) + 1, weekday + 1];
};

const MIN_DAY = dayOf(MIN_YEAR, 1, 1);
const MAX_DAY = dayOf(MAX_YEAR, 12, 31);

/** OverflowError outside Python's calendar. */
export const checkDay = (day: number): number =>
  day >= MIN_DAY && day <= MAX_DAY ? day : raise('OverflowError', 'date value out of range');

export const needWhole = (value: Value): number => {
  const index = asIndex(value);
  if (index !== undefined) return index;
  const type = typeName(value);
  return raise(
    'TypeError',
    floatValue(value) === undefined
      ? `'${type}' object cannot be interpreted as an integer`
      : "'float' object cannot be interpreted as an integer",
  );
};

export const needTextOf = (value: Value, what: string): string =>
  textOf(value) ?? raise('TypeError', `${what} must be str, not ${typeName(value)}`);

export const checkDate = (year: number, month: number, day: number): number => {
  if (year < MIN_YEAR || year > MAX_YEAR) return raise('ValueError', `year ${year} is out of range`);
  if (month < 1 || month > 12) return raise('ValueError', 'month must be in 1..12');
  if (day < 1 || day > monthLength(year, month)) return raise('ValueError', 'day is out of range for month');
  return dayOf(year, month, day);
};

export const checkTime = (hour: number, minute: number, second: number, micro: number): number => {
  if (hour < 0 || hour > 23) return raise('ValueError', 'hour must be in 0..23');
  if (minute < 0 || minute > 59) return raise('ValueError', 'minute must be in 0..59');
  if (second < 0 || second > 59) return raise('ValueError', 'second must be in 0..59');
  if (micro < 0 || micro > 999_999) return raise('ValueError', 'microsecond must be in 0..999999');
  return ((hour * 60 + minute) * 60 + second) * 1_000_000 + micro;
};

/** Two digits for 0..99, three for 0..999: tables are several times faster than padding. */
const TWO: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const THREE: readonly string[] = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'));

/** `HH:MM` by minute of the day. */
const MINUTES: readonly string[] = Array.from(
  { length: 1440 },
  (_, minute) => `${TWO[Math.floor(minute / 60)]}:${TWO[minute % 60]}`,
);

export const two = (value: number): string => TWO[value] ?? String(value);

export const six = (micro: number): string => {
  const ms = Math.floor(micro / 1000);
  return `${THREE[ms]}${THREE[micro - ms * 1000]}`;
};

export const dateText = (day: number): string => knownDay(day).text;

export const clockOf = (micros: number): readonly [number, number, number, number] => {
  const seconds = Math.floor(micros / 1_000_000);
  return [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
    micros - seconds * 1_000_000,
  ];
};

export const minuteText = (micros: number): string => MINUTES[Math.floor(micros / 60_000_000)] ?? '';

export const secondText = (micros: number): string =>
  `${minuteText(micros)}:${two(Math.floor(micros / 1_000_000) % 60)}`;

export const clockText = (micros: number, timespec: string): string => {
  const all = secondText(micros);
  const micro = micros % 1_000_000;
  switch (timespec) {
    case 'auto':
      return micro === 0 ? all : `${all}.${six(micro)}`;
    case 'hours':
      return all.slice(0, 2);
    case 'minutes':
      return minuteText(micros);
    case 'seconds':
      return all;
    case 'milliseconds':
      return `${all}.${six(micro).slice(0, 3)}`;
    case 'microseconds':
      return `${all}.${six(micro)}`;
    default:
      return raise('ValueError', 'Unknown timespec value');
  }
};
