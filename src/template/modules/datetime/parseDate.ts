import { DAY_NAMES_FROM_MONDAY, MONTH_NAMES } from '../../../domain/time/names.js';
import { raise } from '../../errors.js';
import { textRepr } from '../../values/operations/print.js';
import { checkDate, checkTime, DAY_MICROS, DAYS, dayOf, isoCalendar, MONTHS, weekdayOf } from './civil.js';
import { PyDateTime } from './dateTime.js';
import { timedeltaOf } from './timedelta.js';
import { fixedTimezone, type PyTzinfo, UTC_ZONE } from './zones.js';

const DATE = /^(\d{4})(?:-(\d{2})-(\d{2})|(\d{2})(\d{2})|-?W(\d{2})(?:-?(\d))?)/;
const TIME = /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?$/;

const invalid = (text: string): never => raise('ValueError', `Invalid isoformat string: ${textRepr(text)}`);

export const isoWeekDay = (year: number, week: number, weekday: number): number => {
  const fourth = dayOf(year, 1, 4);
  const monday = fourth - weekdayOf(fourth);
  const day = monday + (week - 1) * 7;
  if (week < 1 || week > 53 || isoCalendar(day)[0] !== year)
    return raise('ValueError', `Invalid week: ${week}`);
  if (weekday < 1 || weekday > 7) return raise('ValueError', `Invalid weekday: ${weekday} (range is [1, 7])`);
  return day + weekday - 1;
};

export const parseIsoDate = (text: string): { readonly day: number; readonly rest: string } => {
  const match = DATE.exec(text);
  if (match === null) return invalid(text);
  const [whole, year, month, date, basicMonth, basicDate, week, weekday] = match;
  const rest = text.slice(whole.length);
  if (week !== undefined) return { day: isoWeekDay(Number(year), Number(week), Number(weekday ?? 1)), rest };
  return { day: checkDate(Number(year), Number(month ?? basicMonth), Number(date ?? basicDate)), rest };
};

const zoneOfText = (text: string | undefined): PyTzinfo | null => {
  if (text === undefined) return null;
  if (text === 'Z') return UTC_ZONE;
  const digits = text.slice(1).replaceAll(':', '').padEnd(6, '0');
  const [hours = 0, minutes = 0, seconds = 0] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2)));
  const size = (hours * 60 + minutes) * 60 + seconds;
  return fixedTimezone(timedeltaOf(BigInt(text.startsWith('-') ? -size : size) * 1_000_000n), null);
};

export const parseIsoTime = (
  text: string,
  source = text,
): { readonly micros: number; readonly zone: PyTzinfo | null } => {
  const match = TIME.exec(text);
  if (match === null) return invalid(source);
  const [, hour, minute, second, fraction, offset] = match;
  const micro = Number((fraction ?? '').padEnd(6, '0').slice(0, 6));
  return {
    micros: checkTime(Number(hour), Number(minute ?? 0), Number(second ?? 0), micro),
    zone: zoneOfText(offset),
  };
};

export const parseIsoText = (text: string): PyDateTime => {
  const { day, rest } = parseIsoDate(text);
  if (rest === '') return new PyDateTime(day, 0, null);
  const [separator = ''] = rest;
  const { micros, zone } = parseIsoTime(rest.slice(separator.length), text);
  return new PyDateTime(day, micros, zone);
};

interface ParsedDate {
  year?: number;
  month?: number;
  date?: number;
  yearDay?: number;
  hour?: number;
  hour12?: number;
  isAfternoon?: boolean;
  minute?: number;
  second?: number;
  micro?: number;
  zone?: PyTzinfo;
}

type StrptimeCode = readonly [pattern: string, set: (found: ParsedDate, text: string) => void];

const place = (names: readonly string[], text: string): number =>
  names.findIndex((name) => name.toLowerCase() === text.toLowerCase());

const CODES: Readonly<Record<string, StrptimeCode>> = {
  Y: ['\\d{4}', (found, text) => (found.year = Number(text))],
  m: ['1[0-2]|0[1-9]|[1-9]', (found, text) => (found.month = Number(text))],
  d: ['3[01]|[12]\\d|0[1-9]|[1-9]| [1-9]', (found, text) => (found.date = Number(text))],
  H: ['2[0-3]|[01]\\d|\\d', (found, text) => (found.hour = Number(text))],
  I: ['1[0-2]|0[1-9]|[1-9]', (found, text) => (found.hour12 = Number(text))],
  M: ['[0-5]\\d|\\d', (found, text) => (found.minute = Number(text))],
  S: ['6[01]|[0-5]\\d|\\d', (found, text) => (found.second = Number(text))],
  f: ['\\d{1,6}', (found, text) => (found.micro = Number(text.padEnd(6, '0')))],
  j: [
    '36[0-6]|3[0-5]\\d|[12]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9]',
    (found, text) => (found.yearDay = Number(text)),
  ],
  y: ['\\d\\d', (found, text) => (found.year = Number(text) + (Number(text) < 69 ? 2000 : 1900))],
  b: [MONTHS.join('|'), (found, text) => (found.month = place(MONTHS, text) + 1)],
  B: [MONTH_NAMES.join('|'), (found, text) => (found.month = place(MONTH_NAMES, text) + 1)],
  a: [DAYS.join('|'), () => undefined],
  A: [DAY_NAMES_FROM_MONDAY.join('|'), () => undefined],
  p: ['AM|PM', (found, text) => (found.isAfternoon = text.toUpperCase() === 'PM')],
  z: [
    '[+-]\\d\\d:?[0-5]\\d(?::?[0-5]\\d)?|Z',
    (found, text) => (found.zone = zoneOfText(text.toUpperCase()) ?? UTC_ZONE),
  ],
  Z: ['UTC|GMT', () => undefined],
  '%': ['%', () => undefined],
};

export const parseFormat = (text: string, format: string): PyDateTime => {
  const codes: StrptimeCode[] = [];
  const pattern = format.replace(/%(.?)|\s+|[\\^$*+?.()|[\]{}]/g, (whole, code?: string) => {
    if (code === undefined) return /\s/.test(whole) ? '\\s+' : `\\${whole}`;
    const found = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
    if (found === undefined) {
      return raise('ValueError', `'${code}' is a bad directive in format ${textRepr(format)}`);
    }
    if (codes.includes(found)) return raise('error', `redefinition of group name '${code}' as group`);
    codes.push(found);
    return `(${found[0]})`;
  });
  const match = new RegExp(`^${pattern}`, 'i').exec(text);
  if (match === null) {
    return raise('ValueError', `time data ${textRepr(text)} does not match format ${textRepr(format)}`);
  }
  if (match[0].length < text.length) {
    return raise('ValueError', `unconverted data remains: ${text.slice(match[0].length)}`);
  }
  const found: ParsedDate = {};
  for (const [index, [, set]] of codes.entries()) set(found, match[index + 1] ?? '');
  const { year = 1900, month = 1, date = 1, minute = 0, second = 0, micro = 0, zone = null } = found;
  const day =
    found.yearDay === undefined ? checkDate(year, month, date) : dayOf(year, 1, 1) + found.yearDay - 1;
  const half = ((found.hour12 ?? 0) % 12) + (found.isAfternoon === true ? 12 : 0);
  const hour = found.hour ?? (found.hour12 === undefined ? 0 : half);
  return new PyDateTime(day, checkTime(hour, minute, second, micro) % DAY_MICROS, zone);
};
