import * as E from 'fp-ts/lib/Either.js';
import { offsetText } from '../../../domain/time/iso.js';
import { DAY_NAMES_FROM_MONDAY, MONTH_NAMES } from '../../../domain/time/names.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import type { Zone } from '../../../domain/time/zone.js';
import { raise } from '../../errors.js';
import { checkLonger, checkText, spend } from '../../limits.js';
import {
  type Civil,
  civilOf,
  DAY_MICROS,
  dayOf,
  minuteText,
  secondText,
  six,
  two,
  weekdayOf,
} from './civil.js';

interface Stamp {
  readonly day: number;
  readonly micros: number;
  /** Offset in seconds; `null` without a zone. */
  readonly offset: number | null;
  readonly name: () => string;
}

/** A zone of one offset. Zone names are replaced before, so it needs none. */
const zoneWith = (offset: number): Zone => ({
  id: 'UTC',
  offsetSecondsAt: () => offset,
  instantsOf: (local) => [local - offset * 1_000_000],
  instantOf: (local) => local - offset * 1_000_000,
  nextTransition: () => null,
});

const compiled = (format: string, offset: number): ((micros: number) => string) => {
  const made = compileStrftime(format, zoneWith(offset));
  return E.isLeft(made) ? raise('ValueError', `Invalid format string: ${made.left}`) : made.right;
};

/** Years with exact microseconds, and the days of a calendar cycle. */
const EXACT_YEARS = [1700, 2240] as const;
const FIRST_EXACT_DAY = dayOf(EXACT_YEARS[0], 1, 1);
const LAST_EXACT_DAY = dayOf(EXACT_YEARS[1], 12, 31);
const CYCLE_DAYS = 146_097;

const escaped = (text: string): string => text.replaceAll('%', '%%');

/** Replaces zone codes, and year codes of far years, by text. */
const prepared = (format: string, stamp: Stamp, year: number | null): string =>
  format.replace(/%(%|:?z|Z|Y)/g, (whole, code: string) => {
    if (code === 'Z') return stamp.offset === null ? '' : escaped(stamp.name());
    if (code === 'z' || code === ':z') {
      if (stamp.offset === null) return '';
      return code === 'z' ? offsetText(stamp.offset).replaceAll(':', '') : offsetText(stamp.offset);
    }
    return code === 'Y' && year !== null ? String(year) : whole;
  });

type Write = (micros: number) => string;

interface CachedFormat {
  readonly common: ((day: number, micros: number) => string) | null;
  readonly hasZoneName: boolean;
  /** By offset, zone name, and far year. */
  readonly writers: Map<string, Write>;
}

const KNOWN = new Map<string, CachedFormat>();
const MAX_KNOWN = 1_000;
/** Writers cached per format. */
const MAX_WRITERS = 100;

/** Longer formats are compiled and charged at each use. */
const LONG_FORMAT = 1_024;

const knownFormat = (format: string): CachedFormat => {
  const known = KNOWN.get(format);
  if (known !== undefined) return known;
  spend(format.length);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  const made: CachedFormat = {
    common: commonFormat(format),
    hasZoneName: format.includes('%Z'),
    writers: new Map(),
  };
  if (format.length <= LONG_FORMAT) KNOWN.set(format, made);
  return made;
};

/** Output characters per character of a code, at most (`%c`: 24 for two). */
const LONGEST_OF_CODE = 12;

/** The domain has a format of this name; here it is text. */
const ISO = 'iso8601';

/** C's `strftime`. ValueError for unknown codes. */
export const strftime = (stamp: Stamp, format: string): string => {
  if (format.length > LONG_FORMAT) checkLonger(format.length * LONGEST_OF_CODE);
  return checkText(written(stamp, format));
};

const written = (stamp: Stamp, format: string): string => {
  if (format === ISO) return ISO;
  const { common, hasZoneName, writers } = knownFormat(format);
  const isFar = stamp.day < FIRST_EXACT_DAY || stamp.day > LAST_EXACT_DAY;
  if (common !== null && !isFar) return common(stamp.day, stamp.micros);
  const { year } = civilOf(stamp.day);
  const name = hasZoneName && stamp.offset !== null ? stamp.name() : '';
  const key = `${stamp.offset};${name};${isFar ? year : ''}`;
  let write = writers.get(key);
  if (write === undefined) {
    write = compiled(prepared(format, stamp, isFar ? year : null), stamp.offset ?? 0);
    if (writers.size >= MAX_WRITERS) writers.clear();
    writers.set(key, write);
  }
  const day = isFar ? stamp.day + CYCLE_DAYS * Math.round((1970 - year) / 400) : stamp.day;
  return write(day * DAY_MICROS + stamp.micros - (stamp.offset ?? 0) * 1_000_000);
};

/**
 * Fast path for the common codes of `strftime`, from tables. `compileStrftime` of the domain handles all
 * codes and caches a second; this caches a day's text, so event times of many seconds cost the same.
 */

type OfDay = (civil: Civil, weekday: number) => string;
type OfClock = (micros: number) => string;

const DAY_CODES: Readonly<Record<string, OfDay>> = {
  // Callers pass four-digit years only.
  Y: ({ year }) => String(year),
  y: ({ year }) => two(year % 100),
  m: ({ month }) => two(month),
  d: ({ day }) => two(day),
  e: ({ day }) => String(day).padStart(2),
  b: ({ month }) => (MONTH_NAMES[month - 1] ?? '').slice(0, 3),
  B: ({ month }) => MONTH_NAMES[month - 1] ?? '',
  a: (_, weekday) => (DAY_NAMES_FROM_MONDAY[weekday] ?? '').slice(0, 3),
  A: (_, weekday) => DAY_NAMES_FROM_MONDAY[weekday] ?? '',
};

const hourOf = (micros: number): number => Math.floor(micros / 3_600_000_000);

const CLOCK_CODES: Readonly<Record<string, OfClock>> = {
  'H:%M:%S': (micros) => secondText(micros),
  'H:%M': (micros) => minuteText(micros),
  H: (micros) => two(hourOf(micros)),
  I: (micros) => two(hourOf(micros) % 12 || 12),
  M: (micros) => two(Math.floor(micros / 60_000_000) % 60),
  S: (micros) => two(Math.floor(micros / 1_000_000) % 60),
  f: (micros) => six(micros % 1_000_000),
  p: (micros) => (hourOf(micros) < 12 ? 'AM' : 'PM'),
};

const TOKEN = /%H:%M(?::%S)?|%[\s\S]?|[^%]+/g;

type FormatPart = (day: number, micros: number) => string;

/** Date codes and the text between them; caches the last day's text. */
const dayPart = (texts: readonly (string | OfDay)[]): FormatPart => {
  let known = Number.NaN;
  let text = '';
  return (day) => {
    if (day !== known) {
      const civil = civilOf(day);
      const weekday = weekdayOf(day);
      text = texts.map((each) => (typeof each === 'string' ? each : each(civil, weekday))).join('');
      known = day;
    }
    return text;
  };
};

/** `null` for a format with other codes. Expects four-digit years. */
const commonFormat = (format: string): FormatPart | null => {
  const parts: FormatPart[] = [];
  let texts: (string | OfDay)[] = [];
  const flush = (): void => {
    if (texts.length === 0) return;
    const last = parts.at(-1);
    const text = texts.every((each) => typeof each === 'string') ? texts.join('') : null;
    if (text !== null && last !== undefined)
      parts[parts.length - 1] = (day, micros) => last(day, micros) + text;
    else parts.push(dayPart(texts));
    texts = [];
  };
  for (const token of format.match(TOKEN) ?? []) {
    const code = token.slice(1);
    const ofDay = Object.hasOwn(DAY_CODES, code) ? DAY_CODES[code] : undefined;
    const ofClock = Object.hasOwn(CLOCK_CODES, code) ? CLOCK_CODES[code] : undefined;
    if (!token.startsWith('%')) texts.push(token);
    else if (code === '%') texts.push('%');
    else if (ofDay !== undefined) texts.push(ofDay);
    else if (ofClock !== undefined) {
      flush();
      parts.push((_, micros) => ofClock(micros));
    } else return null;
  }
  flush();
  return (day, micros) => {
    let text = '';
    for (let i = 0; i < parts.length; i++) text += (parts[i] as FormatPart)(day, micros);
    return text;
  };
};
