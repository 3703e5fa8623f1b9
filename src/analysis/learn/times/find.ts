import * as E from 'fp-ts/lib/Either.js';
import { matchesOf } from '../../../domain/text/matches.js';
import { MICROS_PER_DAY, type Micros } from '../../../domain/time/micros.js';
import { compilePattern } from '../../../domain/timestamps/pattern.js';
import { timestampSpan } from '../../../domain/timestamps/span.js';
import { couldBeDated, DATED_SOURCE, guessTimes } from '../../../plugins/events/replay/guess/guess.js';
import { hasClock, hasYear, inYear, NO_YEAR, type TimeReader, timeReader } from './parse.js';

/** Values that are looked at, spread over all. */
const MAX_LOOKED_AT = 200;
/** Share of the values that must be written in the format. */
const MIN_SHARE = 0.95;
const COULD_BE_TIME = /\d.*[:./T -].*\d|^1\d{9}|^20\d{6}$/;

export interface TimeFormat {
  readonly format: string;
  readonly read: TimeReader;
}

/** Up to `max` items, evenly spread. */
export const timeSpread = <A>(items: readonly A[], max: number): readonly A[] => {
  if (items.length <= max) return items;
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as A);
};

/** The format of values that are timestamps or dates and nothing else; null: they are not. */
export const timeFormatOf = (values: readonly string[]): TimeFormat | null => {
  const looked = timeSpread(values, MAX_LOOKED_AT);
  if (
    !looked.slice(0, 5).every((value) => value.length >= 7 && value.length <= 64 && COULD_BE_TIME.test(value))
  )
    return null;
  for (const { timestamp_format: format } of guessTimes(looked, true)) {
    const read = timeReader(format);
    const fits = looked.filter((value) => read(value) !== null).length;
    if (fits >= looked.length * MIN_SHARE) return { format, read };
  }
  return null;
};

/** A timestamp in a line. */
export interface FoundTime {
  readonly span: readonly [start: number, end: number];
  /** By the wall clock; without a year in the format, in `NO_YEAR`. */
  readonly at: Micros;
  readonly format: string;
}

export interface LineLocation {
  /** The format of most lines. */
  readonly format: string;
  /** Null when the line has no timestamp there. */
  readonly find: (line: string) => FoundTime | null;
}

/** Locations that are tried in turn: a log may mix programs that write their times differently. */
const MAX_LOCATIONS = 6;
/** Share of the lines that must have a time at a location. */
const MIN_LOCATED = 0.2;

const oneLocationOf = (lines: readonly string[], has_dates: boolean): LineLocation | null => {
  const looked = timeSpread(lines, MAX_LOOKED_AT);
  for (const { timestamp_pattern, timestamp_format: format, matched } of guessTimes(looked, has_dates)) {
    const pattern = compilePattern(timestamp_pattern);
    if (E.isLeft(pattern) || matched < looked.length * MIN_LOCATED) continue;
    const read = timeReader(format);
    return {
      format,
      find: (line) => {
        const span = timestampSpan(line, pattern.right);
        const at = span === null ? null : read(line.slice(...span));
        return span === null || at === null ? null : { span, at, format };
      },
    };
  }
  return null;
};

/** Days between two times, of which one may know no year. */
const daysApart = (a: FoundTime, b: FoundTime): number => {
  if (hasYear(a.format) && hasYear(b.format)) return Math.abs(a.at - b.at) / MICROS_PER_DAY;
  const days = Math.abs(inYear(a.at, NO_YEAR) - inYear(b.at, NO_YEAR)) / MICROS_PER_DAY;
  return Math.min(days, 366 - days);
};

/** Days up to which two times of one log belong together. */
const NEAR_DAYS = 400;

/** Where the timestamps of lines are, if at least a fifth have one. */
export const timeLocationOf = (lines: readonly string[]): LineLocation | null => {
  const first = oneLocationOf(lines, false) ?? oneLocationOf(lines, true);
  if (first === null) return null;
  const locations = [first];
  const known = lines.map(first.find).find((found) => found !== null) ?? null;
  let rest = lines.filter((line) => first.find(line) === null);
  while (rest.length > 0 && locations.length < MAX_LOCATIONS) {
    const next = oneLocationOf(rest, false);
    if (next === null) break;
    const isNear = (found: FoundTime | null): boolean =>
      found !== null && (known === null || daysApart(found, known) <= NEAR_DAYS);
    const left = rest.filter((line) => !isNear(next.find(line)));
    if (left.length === rest.length) break;
    locations.push({
      format: next.format,
      find: (line) => {
        const found = next.find(line);
        return isNear(found) ? found : null;
      },
    });
    rest = left;
  }
  if (locations.length === 1) return first;
  return {
    format: first.format,
    find: (line) => {
      for (const { find } of locations) {
        const found = find(line);
        if (found !== null) return found;
      }
      return null;
    },
  };
};

/** What a person takes for a time. */
const LOOKS_TIMED =
  /(?<!\d)\d{1,2}:\d{2}:\d{2}(?!\d)|(?<![\d.])(?:19|20)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}(?![\d.])|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} {1,2}\d{1,2}\b|^1\d{9}(?:\D|\d{3}\D|$)/;

/** Whether a line without a known time seems to hold one. */
export const looksTimed = (line: string): boolean => LOOKS_TIMED.test(line.slice(0, 2_000));

export interface TimeRange {
  readonly from: Micros;
  readonly to: Micros;
}

const SLACK = 2 * MICROS_PER_DAY;

/** Whether digits are a Unix time close to the range: else they are a number like any other. */
export const isUnixTimeIn = (text: string, range: TimeRange | null): boolean => {
  if (range === null || !/^1\d{9}(?:\d{3}){0,3}$/.test(text)) return false;
  const micros = Number(text.slice(0, 10)) * 1_000_000;
  return micros >= range.from - SLACK && micros <= range.to + SLACK;
};

const UNIX_SOURCE = '(?<![\\w.-])1\\d{9}(?:\\.\\d{1,6}|(?:\\d{3}){0,3})(?![\\w.])';
const DATED = new RegExp(`(${DATED_SOURCE})|(${UNIX_SOURCE})`, 'g');
/** Dates of one value that are moved. */
const MAX_DATES = 16;
/** Days between a record and a number that is its Unix time. */
const UNIX_DAYS = 2;

/** Spans of the dates in a text, and of Unix times that are close to the time of their record. */
export const datesIn = (text: string, record: FoundTime | null): readonly (readonly [number, number])[] => {
  if (!couldBeDated(text) && !/1\d{9}/.test(text)) return [];
  const spans: (readonly [number, number])[] = [];
  for (const match of matchesOf(text, DATED)) {
    const [whole, dated] = match;
    if (spans.length === MAX_DATES) break;
    if (dated === undefined) {
      const unix: FoundTime = { span: [0, 0], at: Number(whole.slice(0, 10)) * 1e6, format: '%s' };
      if (record === null || daysApart(unix, record) > UNIX_DAYS) continue;
    }
    spans.push([match.index, match.index + whole.length]);
  }
  return spans;
};

/** Seconds from the time of a record to a time of the record, which may know no year or no day. */
export const offsetOf = (own: Micros, record: Micros, format: string): number => {
  if (!/%[-_0]?[dejs]/.test(format)) {
    const [a, b] = [own, record].map((at) => ((at % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY) as [
      number,
      number,
    ];
    const apart = a - b;
    const half = MICROS_PER_DAY / 2;
    return (apart > half ? apart - MICROS_PER_DAY : apart < -half ? apart + MICROS_PER_DAY : apart) / 1e6;
  }
  if (hasYear(format)) {
    // The date alone: whole days from that of the record.
    const from = hasClock(format) ? record : Math.floor(record / MICROS_PER_DAY) * MICROS_PER_DAY;
    return (own - from) / 1e6;
  }
  const year = new Date(Math.floor(record / 1_000)).getUTCFullYear();
  const [best = 0] = [year - 1, year, year + 1]
    .map((near) => (inYear(own, near) - record) / 1e6)
    .toSorted((a, b) => Math.abs(a) - Math.abs(b));
  return best;
};
