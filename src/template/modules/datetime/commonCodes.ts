import { DAY_NAMES_FROM_MONDAY, MONTH_NAMES } from '../../../domain/time/englishNames.js';
import { type Civil, civilOf, minuteText, secondText, six, two, weekdayOf } from './civil.js';

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
export const commonFormat = (format: string): FormatPart | null => {
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
