import * as E from 'fp-ts/lib/Either.js';
import type { Micros } from '../../domain/time/micros.js';
import { compilePattern } from '../../domain/timestamps/pattern.js';
import { timestampSpan } from '../../domain/timestamps/span.js';
import { guessTimes } from '../../plugins/events/replay/guess/guess.js';
import { type ReadTime, timeReader } from './parse.js';

/** Values that are looked at, spread over all. */
const MAX_LOOKED_AT = 200;
/** Share of the values that must be written in the format. */
const MIN_SHARE = 0.95;
const COULD_BE_TIME = /\d.*[:.T -].*\d|^1\d{9}/;

export interface TimeFormat {
  readonly format: string;
  readonly read: ReadTime;
}

/** Up to `max` items, evenly spread. */
export const spread = <A>(items: readonly A[], max: number): readonly A[] => {
  if (items.length <= max) return items;
  return Array.from({ length: max }, (_, at) => items[Math.floor((at * items.length) / max)] as A);
};

const isUnix = (format: string): boolean => format.includes('%s');

/** The format of values that are timestamps and nothing else; null: they are not. */
export const timeFormatOf = (values: readonly string[]): TimeFormat | null => {
  const looked = spread(values, MAX_LOOKED_AT);
  if (
    !looked.slice(0, 5).every((value) => value.length >= 8 && value.length <= 64 && COULD_BE_TIME.test(value))
  )
    return null;
  for (const { timestamp_format: format } of guessTimes(looked)) {
    const read = timeReader(format);
    const fits = looked.filter((value) => read(value) !== null).length;
    if (fits >= looked.length * MIN_SHARE) return { format, read };
  }
  return null;
};

export interface LinePlace {
  readonly format: string;
  readonly read: ReadTime;
  /** Start and end in the line; null: it has no timestamp there. */
  readonly span: (line: string) => readonly [number, number] | null;
}

/** Where the timestamps of lines are, if at least a fifth have one. */
export const timePlaceOf = (lines: readonly string[]): LinePlace | null => {
  const looked = spread(lines, MAX_LOOKED_AT);
  for (const { timestamp_pattern, timestamp_format, matched } of guessTimes(looked)) {
    const pattern = compilePattern(timestamp_pattern);
    if (E.isLeft(pattern) || matched < looked.length / 5) continue;
    const read = timeReader(timestamp_format);
    return {
      format: timestamp_format,
      read,
      span: (line) => {
        const found = timestampSpan(line, pattern.right);
        return found !== null && read(line.slice(...found)) !== null ? found : null;
      },
    };
  }
  return null;
};

export interface TimeRange {
  readonly from: Micros;
  readonly to: Micros;
}

const SLACK = 2 * 86_400_000_000;

/** Whether digits are a Unix time close to the range: else they are a number like any other. */
export const isUnixTimeIn = (text: string, range: TimeRange | null): boolean => {
  if (range === null || !/^1\d{9}(?:\d{3}){0,3}$/.test(text)) return false;
  const micros = Number(text.slice(0, 10)) * 1_000_000;
  return micros >= range.from - SLACK && micros <= range.to + SLACK;
};

/** Whether values in this format may be times: Unix times must be close to the range, if there is one. */
export const isPlausible = (
  { format, read }: TimeFormat,
  values: readonly string[],
  range: TimeRange | null,
): boolean =>
  !isUnix(format) ||
  range === null ||
  spread(values, MAX_LOOKED_AT).every((value) => {
    const at = read(value);
    return at !== null && at >= range.from - SLACK && at <= range.to + SLACK;
  });
