import * as E from 'fp-ts/lib/Either.js';
import type { LogTimesCheck, LogTimesFlaw, LogTimesLine } from '../../../../domain/preview.js';
import type { Micros } from '../../../../domain/time/micros.js';
import { compileStrftime } from '../../../../domain/time/strftime.js';
import type { Zone } from '../../../../domain/time/zone.js';
import { compilePattern } from '../../../../domain/timestamps/pattern.js';
import { type Span, timestampSpan } from '../../../../domain/timestamps/span.js';
import { lookOf } from './lookOf.js';

const FIRST_LINES = 20;
const FIRST_WITHOUT = 10;
/** Characters of a line that are shown, and of those before the timestamp. */
const SHOWN_LENGTH = 1_000;
const SHOWN_BEFORE = 300;

const shown = (line: string, number: number, span: Span | null): LogTimesLine => {
  const from = span === null || span[1] <= SHOWN_LENGTH ? 0 : Math.max(0, span[0] - SHOWN_BEFORE);
  const to = from + SHOWN_LENGTH;
  const lead = from > 0 ? '…' : '';
  const text = `${lead}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
  const placed = (at: number): number => Math.min(at, to) - from + lead.length;
  return {
    number,
    text,
    start: span === null ? null : placed(span[0]),
    end: span === null ? null : placed(span[1]),
  };
};

export interface LogTimesClock {
  readonly now: Micros;
  readonly zone: Zone;
}

interface Given {
  readonly timestamp_pattern: string;
  readonly timestamp_format: string | null;
}

const formatOf = (format: string, { now, zone }: LogTimesClock) =>
  E.flatMap((look: RegExp) =>
    E.map((textOf: (micros: Micros) => string) => ({ look, written: textOf(now) }))(
      compileStrftime(format, zone),
    ),
  )(lookOf(format));

const flaw =
  (field: keyof Given) =>
  (message: string): LogTimesFlaw => ({ field, message });

/** Runs a pattern over lines as the plugin does. A pattern that is not linear may backtrack without end. */
export const checkTimes = (
  lines: readonly { readonly number: number; readonly text: string }[],
  { timestamp_pattern, timestamp_format }: Given,
  clock: LogTimesClock,
): E.Either<LogTimesFlaw, LogTimesCheck> => {
  const pattern = E.mapLeft(flaw('timestamp_pattern'))(compilePattern(timestamp_pattern));
  if (E.isLeft(pattern)) return pattern;
  const format =
    timestamp_format === null ? null : E.mapLeft(flaw('timestamp_format'))(formatOf(timestamp_format, clock));
  if (format !== null && E.isLeft(format)) return format;
  const first: LogTimesLine[] = [];
  const without: LogTimesLine[] = [];
  let matched = 0;
  let alike = 0;
  for (const { text, number } of lines) {
    const span = timestampSpan(text, pattern.right);
    if (span !== null) {
      matched += 1;
      if (format?.right.look.test(text.slice(...span)) === true) alike += 1;
    }
    if (first.length < FIRST_LINES) first.push(shown(text, number, span));
    else if (span === null && without.length < FIRST_WITHOUT) without.push(shown(text, number, span));
  }
  return E.right({
    timestamp_pattern,
    timestamp_format,
    matched,
    alike: format === null ? null : alike,
    written: format?.right.written ?? null,
    lines: [...first, ...without],
  });
};
