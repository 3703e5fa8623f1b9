import { MAX_MICROS, MICROS_PER_DAY, MICROS_PER_SECOND, MIN_MICROS, type Micros } from './micros.js';
import { utc, type Zone } from './zone.js';

/** Digits of 0..99 and 0..999: look-ups are several times faster than padding. */
const TWO: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const THREE: readonly string[] = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'));

/** Offsets with cached fractions. */
const MAX_OFFSETS = 64;
const fractions = new Map<string, (fraction: number) => string>();

/**
 * Six digits of a fraction of a second, in microseconds, with an offset. Caches the last text of each millisecond: most
 * schedules repeat their fractions each second, and concatenation took 14 of 37 ns of a line with a timestamp.
 */
const makeFractions = (offset: string): ((fraction: number) => string) => {
  const endings = THREE.map((digits) => digits + offset);
  const micros = new Int16Array(1000);
  const texts = THREE.map((digits) => `${digits}${endings[0]}`);
  return (fraction) => {
    // Integers of 32 bits: this runs for every event.
    const ms = ((fraction | 0) / 1000) | 0;
    const rest = (fraction | 0) - ms * 1000;
    if (micros[ms] !== rest) {
      micros[ms] = rest;
      texts[ms] = (THREE[ms] as string) + (endings[rest] as string);
    }
    return texts[ms] as string;
  };
};

const fractionsOf = (offset: string): ((fraction: number) => string) => {
  const known = fractions.get(offset);
  if (known !== undefined) return known;
  if (fractions.size === MAX_OFFSETS) fractions.clear();
  const made = makeFractions(offset);
  fractions.set(offset, made);
  return made;
};

/** `+HH:MM`, with `:SS` for offsets with seconds: local mean times before about 1900. */
export const offsetText = (seconds: number): string => {
  const size = Math.abs(seconds);
  const rest = size % 60;
  const sign = seconds < 0 ? '-' : '+';
  const text = `${sign}${TWO[Math.floor(size / 3600)]}:${TWO[Math.floor(size / 60) % 60]}`;
  return rest === 0 ? text : `${text}:${TWO[rest]}`;
};

/** Formats instants as `YYYY-MM-DDTHH:MM:SS[.ffffff]+HH:MM`. Caches the second: later events of it cost one comparison. */
export const isoFormatter = (zone: Zone): ((micros: Micros) => string) => {
  /** Start of the cached second, in microseconds. */
  let begin = Number.NaN;
  let day = Number.NaN;
  let date = '';
  let prefix = '';
  let beforeFraction = '';
  let suffix = '';
  /** `fractionsOf(suffix)`, lazy. */
  let fractionText: ((fraction: number) => string) | null = null;
  const enter = (second: number): void => {
    begin = second * MICROS_PER_SECOND;
    const offset = zone.offsetSecondsAt(begin);
    const local = second + offset;
    const localDay = Math.floor(local / 86_400);
    if (localDay !== day) {
      day = localDay;
      date = new Date(localDay * 86_400_000).toISOString().slice(0, 10);
    }
    const inDay = local - localDay * 86_400;
    const minute = Math.floor(inDay / 60);
    prefix = `${date}T${TWO[Math.floor(minute / 60)]}:${TWO[minute % 60]}:${TWO[inDay % 60]}`;
    beforeFraction = `${prefix}.`;
    suffix = offsetText(offset);
    fractionText = null;
  };
  return (micros) => {
    let fraction = micros - begin;
    if (!(fraction >= 0 && fraction < MICROS_PER_SECOND)) {
      enter(Math.floor(micros / MICROS_PER_SECOND));
      fraction = micros - begin;
    }
    if (fraction === 0) return prefix + suffix;
    fractionText ??= fractionsOf(suffix);
    return beforeFraction + fractionText(fraction);
  };
};

/** ISO 8601 date, extended or basic, with optional time, fraction and offset. */
const ISO =
  /^(\d{4})(?:-(\d{2})-(\d{2})|(\d{2})(\d{2}))(?:[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*([Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?)?$/;

export interface IsoParts {
  /** Local time as if it were UTC, in microseconds. */
  readonly local: number;
  /** Offset in seconds. Null when the text has none. */
  readonly offset: number | null;
}

/** Returns the seconds of `Z`, `+HH`, `+HH:MM` or `+HH:MM:SS`, or null when they are out of range. */
const offsetSeconds = (text: string): number | null => {
  if (/^[Zz]$/.test(text)) return 0;
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.slice(1).replaceAll(':', '').padEnd(6, '0');
  const [hours = 0, minutes = 0, seconds = 0] = [0, 2, 4].map((from) => Number(digits.slice(from, from + 2)));
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return sign * ((hours * 60 + minutes) * 60 + seconds);
};

/** Returns a local time in microseconds, or null when it is not in the calendar. `24:00` is the next midnight. */
export const wallClock = (
  [year, month, day]: readonly [number, number, number],
  [hour, minute, second]: readonly [number, number, number],
  micros: number,
): number | null => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && micros === 0;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 59) return null;
  return date.getTime() * 1000 + ((hour * 60 + minute) * 60 + second) * MICROS_PER_SECOND + micros;
};

/** Parses an ISO 8601 date or date-time without a zone, or `null`. */
export const isoParts = (text: string): IsoParts | null => {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, basicMonth, basicDay, hour, minute, second, fraction, offset] = match;
  const local = wallClock(
    [Number(year), Number(month ?? basicMonth), Number(day ?? basicDay)],
    [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)],
    Number((fraction ?? '').padEnd(6, '0').slice(0, 6)),
  );
  if (local === null) return null;
  if (offset === undefined) return { local, offset: null };
  const seconds = offsetSeconds(offset);
  return seconds === null ? null : { local, offset: seconds };
};

const isoInUtc = isoFormatter(utc);

/** An instant in UTC, `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`. */
export const utcText = (micros: Micros): string => isoInUtc(micros).replace('+00:00', 'Z');

/** Returns the instant of an ISO text, in the zone if it has no offset. Null when it is malformed or out of range. */
export const parseIso = (text: string, zone: Zone): Micros | null => {
  const parts = isoParts(text);
  if (parts === null) return null;
  const instant =
    parts.offset === null ? zone.instantOf(parts.local) : parts.local - parts.offset * MICROS_PER_SECOND;
  return instant > MAX_MICROS || instant < MIN_MICROS ? null : instant;
};

/** Returns the number of a day since 1970, or null when the text is no date such as 2026-03-10. */
export const dayNumber = (date: string): number | null => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? parseIso(`${date}T00:00:00`, utc) : null;
  return at === null ? null : Math.floor(at / MICROS_PER_DAY);
};
