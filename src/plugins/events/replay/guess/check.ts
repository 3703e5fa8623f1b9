import * as E from 'fp-ts/lib/Either.js';
import type { LogTimesCheck, LogTimesFlaw, LogTimesLine } from '../../../../domain/preview.js';
import { literalPattern } from '../../../../domain/text/pattern.js';
import type { Micros } from '../../../../domain/time/micros.js';
import { compileStrftime } from '../../../../domain/time/strftime.js';
import { utc, type Zone } from '../../../../domain/time/zone.js';
import { compilePattern } from '../../../../domain/timestamps/pattern.js';
import { type Span, timestampSpan } from '../../../../domain/timestamps/span.js';

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
  const located = (at: number): number => Math.min(at, to) - from + lead.length;
  return {
    number,
    text,
    start: span === null ? null : located(span[0]),
    end: span === null ? null : located(span[1]),
  };
};

interface LogTimesClock {
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

/** Digits of the codes that write numbers, and their blank padding. */
const TWO = 'CdgHIMmSUVWy';
const BLANK = 'ekl';
const PATTERNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...TWO].map((code) => [code, '\\d{2}'])),
  ...Object.fromEntries([...BLANK].map((code) => [code, '[ \\d]\\d'])),
  G: '\\d{4}',
  Y: '\\d{4}',
  j: '\\d{3}',
  s: '\\d{1,11}',
  u: '[1-7]',
  w: '[0-6]',
  A: '[A-Z][a-z]{5,8}',
  a: '[A-Z][a-z]{2}',
  B: '[A-Z][a-z]{2,8}',
  b: '[A-Z][a-z]{2}',
  h: '[A-Z][a-z]{2}',
  P: '[ap]m',
  p: '[AP]M',
  Z: '[A-Za-z+-][\\w:+-]{0,9}',
  z: '[+-]\\d{4}',
  ':z': '[+-]\\d{2}:\\d{2}',
  n: '\\n',
  t: '\\t',
  '%': '%',
  f: '\\d{6}',
  L: '\\d{3}',
  c: '[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}',
  D: '\\d{2}/\\d{2}/\\d{2}',
  F: '\\d{4}-\\d{2}-\\d{2}',
  R: '\\d{2}:\\d{2}',
  r: '\\d{2}:\\d{2}:\\d{2} [AP]M',
  T: '\\d{2}:\\d{2}:\\d{2}',
  X: '\\d{2}:\\d{2}:\\d{2}',
  x: '\\d{2}/\\d{2}/\\d{2}',
};

const UNPADDED: Readonly<Record<string, string>> = { '-': '\\d{1,4}', _: '[ \\d]\\d{0,3}' };

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?[+-]\d{2}:\d{2}$/;

const isNumber = (code: string): boolean => /^[CdgHIMmSUVWyekljGYsuw]$/.test(code);

/** Returns a pattern of what a format writes, or an error that says why the format is refused. */
export const lookOf = (format: string): E.Either<string, RegExp> => {
  const compiled = compileStrftime(format, utc);
  if (E.isLeft(compiled)) return compiled;
  if (format === 'iso8601') return E.right(ISO);
  const source = format.replace(
    /(?<=%f)0+|%([-_0]?)(:z|[A-Za-z%])|([^%]+)/g,
    (whole: string, flag: string | undefined, code: string | undefined, literal: string | undefined) => {
      // Digits that are finer than microseconds.
      if (whole.startsWith('0') && code === undefined) return `\\d{${whole.length}}`;
      if (literal !== undefined) return literalPattern(literal);
      const unpadded = isNumber(code ?? '') ? UNPADDED[flag ?? ''] : undefined;
      return unpadded ?? PATTERNS[code ?? ''] ?? '';
    },
  );
  return E.right(new RegExp(`^${source}$`));
};
