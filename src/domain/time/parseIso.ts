import { MAX_MICROS, MICROS_PER_SECOND, MIN_MICROS, type Micros } from './micros.js';
import type { Zone } from './zone.js';

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

/** Returns the instant of an ISO text, in the zone if it has no offset. Null when it is malformed or out of range. */
export const parseIso = (text: string, zone: Zone): Micros | null => {
  const parts = isoParts(text);
  if (parts === null) return null;
  const instant =
    parts.offset === null ? zone.instantOf(parts.local) : parts.local - parts.offset * MICROS_PER_SECOND;
  return instant > MAX_MICROS || instant < MIN_MICROS ? null : instant;
};
