import * as E from 'fp-ts/lib/Either.js';
import { offsetText } from '../../../domain/time/iso.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import type { Zone } from '../../../domain/time/zone.js';
import { raise } from '../../values/fault.js';
import { civilOf, MICROS_PER_DAY } from './civil.js';

/** What `strftime` needs of a date-time. */
export interface Stamp {
  readonly day: number;
  readonly micros: number;
  /** Offset in seconds; `null` when there is no zone. */
  readonly offset: number | null;
  readonly name: () => string;
}

const CACHE = new Map<string, (micros: number) => string>();
const MAX_CACHED = 1_000;

/** A zone of one offset. Its names are written into the format before, so none is asked of it. */
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

/** Years beyond which microseconds are not exact, and the length of the calendar's cycle in days. */
const EXACT_YEARS = [1700, 2240] as const;
const CYCLE_DAYS = 146_097;

const escaped = (text: string): string => text.replaceAll('%', '%%');

/** Codes of the zone and, for far years, of the year are replaced by their text. */
const prepared = (format: string, stamp: Stamp, year: number | null): string =>
  format.replace(/%(%|:?z|Z|Y)/g, (whole, code: string) => {
    if (code === 'Z') return stamp.offset === null ? '' : escaped(stamp.name());
    if (code === 'z' || code === ':z') {
      if (stamp.offset === null) return '';
      return code === 'z' ? offsetText(stamp.offset).replaceAll(':', '') : offsetText(stamp.offset);
    }
    return code === 'Y' && year !== null ? String(year) : whole;
  });

/** `strftime` of C for a date-time. ValueError for codes that are unknown. */
export const strftime = (stamp: Stamp, format: string): string => {
  const { year } = civilOf(stamp.day);
  const isFar = year < EXACT_YEARS[0] || year > EXACT_YEARS[1];
  const name = format.includes('%Z') && stamp.offset !== null ? stamp.name() : '';
  const key = `${stamp.offset};${name};${isFar ? year : ''};${format}`;
  let write = CACHE.get(key);
  if (write === undefined) {
    write =
      format === 'iso8601'
        ? () => format
        : compiled(prepared(format, stamp, isFar ? year : null), stamp.offset ?? 0);
    if (CACHE.size >= MAX_CACHED) CACHE.clear();
    CACHE.set(key, write);
  }
  const day = isFar ? stamp.day + CYCLE_DAYS * Math.round((1970 - year) / 400) : stamp.day;
  return write(day * MICROS_PER_DAY + stamp.micros - (stamp.offset ?? 0) * 1_000_000);
};
