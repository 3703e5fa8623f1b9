import { DAY_NAMES_FROM_MONDAY, MONTH_NAMES } from '../../../domain/time/englishNames.js';
import { type Civil, civilOf, minuteText, secondText, six, two, weekdayOf } from './civil.js';

/**
 * The codes of `strftime` that nearly all formats consist of, written from tables. `compileStrftime` of the
 * domain knows them all and keeps one second; here the text of a day is kept, so that the event times of many
 * seconds, and several times of one event, cost the same.
 */

type OfDay = (civil: Civil, weekday: number) => string;
/** Of the microseconds of a day. */
type OfClock = (micros: number) => string;

const DAY_CODES: Readonly<Record<string, OfDay>> = {
  // Callers see to it that the year has four digits.
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

/** With the sequences that nearly all formats have. */
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

type Part = (day: number, micros: number) => string;

/** Parts of a date in a row, with the texts between them: kept for the day they were last asked for. */
const dayPart = (texts: readonly (string | OfDay)[]): Part => {
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

/** A format as function of the day (of a year with four digits) and its microseconds; `null` for one with other codes. */
export const commonFormat = (format: string): Part | null => {
  const parts: Part[] = [];
  let texts: (string | OfDay)[] = [];
  const flush = (): void => {
    if (texts.length === 0) return;
    const last = parts.at(-1);
    const text = texts.every((each) => typeof each === 'string') ? texts.join('') : null;
    // A text between times of day goes with the one before it.
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
    for (let i = 0; i < parts.length; i++) text += (parts[i] as Part)(day, micros);
    return text;
  };
};
