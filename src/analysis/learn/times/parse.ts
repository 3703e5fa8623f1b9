import { literalPattern } from '../../../domain/text/pattern.js';
import { MICROS_PER_DAY as DAY, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { MONTH_NAMES } from '../../../domain/time/names.js';

/** Formats without a year mean this one: it has every day. */
export const NO_YEAR = 2024;
/** Formats without a date mean this day. */
const NO_DAY = { month: 0, day: 1 };

const CODES: Readonly<Record<string, string>> = {
  Y: '(\\d{4})',
  y: '(\\d{2})',
  m: '([ \\d]?\\d)',
  d: '([ \\d]?\\d)',
  e: '([ \\d]?\\d)',
  b: '([A-Z][a-z]{2})',
  a: '(?:[A-Z][a-z]{2})',
  H: '([ \\d]?\\d)',
  I: '([ \\d]?\\d)',
  M: '([0-5]\\d)',
  S: '([0-6]\\d)',
  '-M': '([0-5]?\\d)',
  '-S': '([0-6]?\\d)',
  f: '(\\d{1,9})',
  L: '(\\d{1,3})',
  p: '([AP]M)',
  P: '([ap]m)',
  z: '([+-]\\d{2}:?\\d{2})',
  ':z': '([+-]\\d{2}:?\\d{2})',
  Z: '(?:[A-Z]{3,4})',
  s: '(\\d{10})',
};

const CODE = /%(-?)[_0]?(:z|[A-Za-z%])(0*)|([^%]+)/g;

/** The code of milliseconds behind a colon. */
const MILLIS = ':L';

const numberOf = (parts: ReadonlyMap<string, string>, ...codes: readonly string[]): number | null => {
  for (const code of codes) {
    const text = parts.get(code);
    if (text !== undefined) return Number(text);
  }
  return null;
};

/** Fraction of a second in microseconds. Behind a colon it is a number of milliseconds. */
const fractionOf = (parts: ReadonlyMap<string, string>): number => {
  const millis = parts.get(MILLIS);
  if (millis !== undefined) return Number(millis) * 1_000;
  return Math.floor(Number(`0.${parts.get('f') ?? parts.get('L') ?? '0'}`) * MICROS_PER_SECOND);
};

const hourOf = (parts: ReadonlyMap<string, string>): number => {
  const half = (parts.get('p') ?? parts.get('P') ?? '').toUpperCase();
  const hour = numberOf(parts, 'H', 'I') ?? 0;
  if (half === '') return hour;
  return (hour % 12) + (half === 'PM' ? 12 : 0);
};

const monthOf = (parts: ReadonlyMap<string, string>): number | null => {
  const name = parts.get('b');
  if (name !== undefined) return MONTH_NAMES.findIndex((month) => month.startsWith(name));
  const month = numberOf(parts, 'm');
  return month === null ? null : month - 1;
};

const microsOf = (parts: ReadonlyMap<string, string>): Micros => {
  const seconds = numberOf(parts, 's');
  if (seconds !== null) return seconds * MICROS_PER_SECOND + fractionOf(parts);
  const short = numberOf(parts, 'y');
  const year = numberOf(parts, 'Y') ?? (short === null ? NO_YEAR : 2000 + short);
  const month = monthOf(parts) ?? NO_DAY.month;
  const day = numberOf(parts, 'd', 'e') ?? NO_DAY.day;
  const [hour, minute, second] = [hourOf(parts), numberOf(parts, 'M') ?? 0, numberOf(parts, 'S') ?? 0];
  if (month < 0 || month > 11 || day < 1 || day > 31 || hour > 24) return Number.NaN;
  return Date.UTC(year, month, day, hour, minute, second) * 1_000 + fractionOf(parts);
};

export type TimeReader = (text: string) => Micros | null;

/** A wall-clock reader for a strftime format as the guess of timestamps makes them. Offsets are not applied. */
export const timeReader = (format: string): TimeReader => {
  const codes: string[] = [];
  const source = format.replace(
    CODE,
    (_whole, flag: string, code: string | undefined, zeros = '', literal = '', at = 0) => {
      if (code === undefined) return literalPattern(literal as string);
      if (code === '%') return `%${zeros}`;
      const pattern = CODES[flag + code] ?? CODES[code] ?? '';
      const isMillis = code === 'L' && format[at - 1] === ':';
      if (pattern.startsWith('(') && !pattern.startsWith('(?:'))
        codes.push(isMillis ? MILLIS : code === ':z' ? 'z' : code);
      return pattern;
    },
  );
  const look = new RegExp(`^${source}$`);
  return (text) => {
    const match = look.exec(text);
    if (match === null) return null;
    const micros = microsOf(new Map(codes.map((code, at) => [code, match[at + 1] ?? ''])));
    return Number.isFinite(micros) ? micros : null;
  };
};

/** Whether a format holds a date; without it only the time of day is known. */
export const hasDate = (format: string): boolean => /%[-_0]?[dejs]/.test(format);

/** Whether a format tells the year. */
export const hasYear = (format: string): boolean => /%[-_0]?[Yys]/.test(format);

/** Whether a format tells the time of day. */
export const hasClock = (format: string): boolean => /%[-_0]?[HIs]/.test(format);

/** The same day and time in another year. */
export const inYear = (at: Micros, year: number): Micros => {
  const date = new Date(Math.floor(at / 1_000));
  return Date.UTC(year, date.getUTCMonth(), date.getUTCDate()) * 1_000 + (((at % DAY) + DAY) % DAY);
};

export const yearOf = (at: Micros): number => new Date(Math.floor(at / 1_000)).getUTCFullYear();
