import { MAX_MICROS, MICROS_PER_SECOND, MIN_MICROS, type Micros } from './micros.js';
import type { Zone } from './zone.js';

/** ISO 8601 calendar date, extended or basic, and a time with optional fraction and offset. */
const ISO =
  /^(\d{4})(?:-(\d{2})-(\d{2})|(\d{2})(\d{2}))(?:[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*([Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?)?$/;

export interface IsoParts {
  /** Wall clock as if it were UTC, microseconds. */
  readonly local: number;
  /** Offset in seconds; `null` when the text has none. */
  readonly offset: number | null;
}

/** Seconds of `Z`, `+HH`, `+HH:MM` or `+HH:MM:SS`; `null` where a part is beyond 23 hours, 59 minutes or seconds. */
const offsetSeconds = (text: string): number | null => {
  if (/^[Zz]$/.test(text)) return 0;
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.slice(1).replaceAll(':', '').padEnd(6, '0');
  const [hours = 0, minutes = 0, seconds = 0] = [0, 2, 4].map((from) => Number(digits.slice(from, from + 2)));
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return sign * ((hours * 60 + minutes) * 60 + seconds);
};

/** Microseconds of a wall clock; `null` when the calendar has no such time. `24:00` is the next midnight. */
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

/** Reads the text without a zone; `null` when it is no ISO 8601 date or date-time of the calendar. */
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

/** The instant of an ISO text; without an offset it is a wall clock of the zone. `null`: not one, or out of range. */
export const parseIso = (text: string, zone: Zone): Micros | null => {
  const parts = isoParts(text);
  if (parts === null) return null;
  const instant =
    parts.offset === null ? zone.instantOf(parts.local) : parts.local - parts.offset * MICROS_PER_SECOND;
  return instant > MAX_MICROS || instant < MIN_MICROS ? null : instant;
};
