import * as E from 'fp-ts/lib/Either.js';
import type { LogTimesCandidate } from '../../../../domain/logTimes.js';
import { compilePattern, type TimestampPattern } from '../../../../domain/timestamps/pattern.js';
import { timestampSpan } from '../../../../domain/timestamps/span.js';
import { couldBeDated, DATED_SOURCE, type Group, groupsOf } from './stamps.js';

export { couldBeDated, DATED_SOURCE };

/** Lines that are searched for timestamps of every kind; the patterns made from them run over all lines. */
const MAX_SEARCHED = 200;
const MAX_COMPARED = 24;
const MAX_CANDIDATES = 8;
/** Candidates within this share of the best one match as well: some lines are always different. */
const AS_GOOD = 0.95;

interface Ranked extends LogTimesCandidate {
  readonly doubt: number;
  readonly position: number;
  /** Spans of the first lines: equal ones are the same guess. */
  readonly spans: string;
  /** Characters of the matched timestamps of the first lines. */
  readonly length: number;
}

const patternOf = ({
  family,
  context,
  texts,
}: Group): { readonly pattern: string; readonly format: string } => {
  const pieces = family.slots.map((slot, at) => slot.pieceOf([...(texts[at] ?? [])]));
  const last = pieces.at(-1)?.pattern ?? '';
  // A number must not go on.
  const edge = context.tail === '' && family.doubt > 0 && /\d|\}$/.test(last) ? '\\b' : context.tail;
  return {
    pattern: `${context.lead}(?P<timestamp>${pieces.map(({ pattern }) => pattern).join('')})${edge}`,
    format: pieces.map(({ format }) => format).join(''),
  };
};

const countOf = (lines: readonly string[], pattern: TimestampPattern): number =>
  lines.reduce((count, line) => count + (timestampSpan(line, pattern) === null ? 0 : 1), 0);

const ranked = (group: Group, lines: readonly string[]): Ranked | null => {
  const { pattern, format } = patternOf(group);
  const compiled = compilePattern(pattern);
  if (E.isLeft(compiled)) return null;
  const spans = lines.slice(0, MAX_SEARCHED).map((line) => timestampSpan(line, compiled.right));
  return {
    name: `${group.family.name}, ${group.context.place}`,
    timestamp_pattern: pattern,
    timestamp_format: format,
    matched: countOf(lines, compiled.right),
    example: group.example,
    doubt: group.family.doubt + group.context.doubt,
    position: group.position,
    spans: spans.join(';'),
    length: spans.reduce((sum, span) => sum + (span === null ? 0 : span[1] - span[0]), 0),
  };
};

const byMerit =
  (most: number) =>
  (a: Ranked, b: Ranked): number => {
    const [first, second] = [a.matched >= most * AS_GOOD, b.matched >= most * AS_GOOD];
    if (first !== second) return first ? -1 : 1;
    if (!first && a.matched !== b.matched) return b.matched - a.matched;
    return a.doubt - b.doubt || a.position - b.position || b.length - a.length || b.matched - a.matched;
  };

/** Where the timestamps of these lines may be, best first; with `has_dates` also dates without a time of day. */
export const guessTimes = (lines: readonly string[], has_dates = false): readonly LogTimesCandidate[] => {
  const found = groupsOf(lines.slice(0, MAX_SEARCHED), has_dates)
    .toSorted((a, b) => b.lines - a.lines || a.family.doubt - b.family.doubt)
    .slice(0, MAX_COMPARED)
    .map((group) => ranked(group, lines))
    .filter((candidate) => candidate !== null);
  const most = Math.max(0, ...found.map(({ matched }) => matched));
  const best = found.toSorted(byMerit(most));
  const isNew = ({ spans }: Ranked, at: number): boolean =>
    best.findIndex((other) => other.spans === spans) === at;
  return best
    .filter(isNew)
    .slice(0, MAX_CANDIDATES)
    .map(({ doubt: _doubt, position: _position, spans: _spans, length: _length, ...candidate }) => candidate);
};
