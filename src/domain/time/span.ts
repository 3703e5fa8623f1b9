import * as E from 'fp-ts/lib/Either.js';
import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from './micros.js';
import type { Zone } from './zone.js';

/** Units of a span expression, in their order. */
const UNITS: readonly (readonly [name: string, micros: number])[] = [
  ['w', 7 * MICROS_PER_DAY],
  ['d', MICROS_PER_DAY],
  ['h', MICROS_PER_HOUR],
  ['m', MICROS_PER_MINUTE],
  ['s', MICROS_PER_SECOND],
  ['ms', MICROS_PER_MS],
];

const NUMBER = '\\d+(?:\\.\\d+)?';

/** `1w2d3h4m5s6ms`, every part optional. */
const SHORT_FORM = new RegExp(`^${UNITS.map(([unit]) => `(?:(${NUMBER})${unit})?`).join('')}$`);

/** ISO 8601 duration without years and months, which have no fixed length. */
const ISO_FORM = new RegExp(
  `^P(?:(${NUMBER})W)?(?:(${NUMBER})D)?(?:T(?:(${NUMBER})H)?(?:(${NUMBER})M)?(?:(${NUMBER})S)?)?$`,
);

const AUTOMATIC_SPANS: readonly Micros[] = [
  ...[1, 5, 10, 15, 30].map((count) => count * MICROS_PER_SECOND),
  ...[1, 5, 10, 15, 30].map((count) => count * MICROS_PER_MINUTE),
  ...[1, 2, 4, 6, 12].map((count) => count * MICROS_PER_HOUR),
  ...[1, 7, 30].map((count) => count * MICROS_PER_DAY),
];

const BAD_SPAN =
  "is not a span: write numbers with units, largest first, like '30s', '1h30m' or '7d' (units ms s m h d w), or an ISO 8601 duration like 'PT30S'";

/**
 * Microseconds of a span expression: numbers with the units `ms s m h d w`, largest first (`1h30m`), or an ISO 8601
 * duration (section 5.5.2.4) without years and months. At least 1 ms. The error is one sentence.
 */
export const parseSpan = (text: string): E.Either<string, Micros> => {
  const match = SHORT_FORM.exec(text) ?? ISO_FORM.exec(text);
  const parts: readonly (string | undefined)[] = match?.slice(1) ?? [];
  if (text.length > 100 || parts.every((part) => part === undefined))
    return E.left(`'${text.slice(0, 100)}' ${BAD_SPAN}.`);
  // The groups of both forms are in the order of UNITS; ISO 8601 lacks the last.
  const total = Math.round(
    UNITS.reduce((sum, [, micros], index) => sum + Number(parts[index] ?? 0) * micros, 0),
  );
  if (total < MICROS_PER_MS) return E.left(`The span '${text}' is shorter than 1ms, the shortest allowed.`);
  if (total > MAX_MICROS)
    return E.left(`The span '${text}' is longer than the range of time stamps (about 285 years).`);
  return E.right(total);
};

/** Inverse of `parseSpan`, in whole milliseconds. */
export const formatSpan = (span: Micros): string => {
  let rest = Math.round(span / MICROS_PER_MS) * MICROS_PER_MS;
  let text = '';
  for (const [unit, micros] of UNITS) {
    const count = Math.floor(rest / micros);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * micros;
  }
  return text === '' ? '0ms' : text;
};

/** The largest of a fixed list (1 s to 30 d) up to (last - first) / min(30, count), at least 1 s. */
export const automaticSpan = (first: Micros, last: Micros, count: number): Micros => {
  const target = (last - first) / Math.max(1, Math.min(30, count));
  return AUTOMATIC_SPANS.findLast((span) => span <= target) ?? MICROS_PER_SECOND;
};

export const MAX_SPANS = 10_000;

const LOOK_AHEAD = 400 * MICROS_PER_DAY;

/** Sorted timestamps, each with the number of its input, from 0; `length` entries are in use. */
interface SpanSample {
  readonly micros: ArrayLike<Micros>;
  readonly inputs: ArrayLike<number>;
  readonly length: number;
}

export interface SpanCounts {
  /** Length of one span; 0 without timestamps. */
  readonly span: Micros;
  /** The left edge of every span from the first used to the last used one, gaps included, ascending. */
  readonly edges: readonly Micros[];
  /** Timestamps per edge, by the number of the input from 1. */
  readonly counts: Readonly<Record<string, readonly number[]>>;
}

interface Span {
  readonly length: Micros;
  readonly zone: Zone;
}

const offsetAt = (zone: Zone, at: Micros): Micros => zone.offsetSecondsAt(at) * MICROS_PER_SECOND;

/** Number of the span of a local time, counted from 1970-01-01T00:00 local time. */
const indexOf = (local: number, span: Span): number => Math.floor(local / span.length);

/** Start of the span of `at`: the latest instant up to it with a multiple of the span as local time. */
const edgeBefore = (at: Micros, span: Span): Micros => {
  const local = indexOf(at + offsetAt(span.zone, at), span) * span.length;
  if (span.length >= MICROS_PER_DAY) return Math.min(at, span.zone.instantOf(local));
  const passes = span.zone.instantsOf(local).filter((instant) => instant <= at);
  return passes.at(-1) ?? Math.min(at, span.zone.instantOf(local));
};

/** First offset change in `(from, to]`, else `to + 1`. */
const changeAfter = (zone: Zone, from: Micros, to: Micros): Micros => {
  for (let cursor = from; cursor <= to; cursor += LOOK_AHEAD) {
    const change = zone.nextTransition(cursor);
    if (change !== null) return Math.min(change, to + 1);
  }
  return to + 1;
};

/**
 * Returns the left edges from the span of `first` to that of `last`, or null for more than `MAX_SPANS`. Edges are
 * evenly spaced between offset changes. In a gap of local time one span starts at the change; in a repeated hour spans
 * shorter than a day start in both passes, longer ones once.
 */
const edgesOf = (first: Micros, last: Micros, span: Span): Micros[] | null => {
  if ((last - first) / span.length > MAX_SPANS) return null;
  const start = edgeBefore(first, span);
  const edges = [start];
  let index = indexOf(start + offsetAt(span.zone, start), span);
  let from = start;
  while (from <= last) {
    const offset = offsetAt(span.zone, from);
    const to = changeAfter(span.zone, from, last);
    const here = indexOf(from + offset, span);
    // After a change the local time may be in another span.
    const isRepeated = here <= index && span.length < MICROS_PER_DAY && from > start;
    if (here > index || (isRepeated && here * span.length === from + offset)) edges.push(from);
    index = span.length < MICROS_PER_DAY ? here : Math.max(index, here);
    for (let edge = (index + 1) * span.length - offset; edge < to; edge += span.length) {
      if (edge > last) break;
      edges.push(edge);
      index += 1;
      if (edges.length > MAX_SPANS) return null;
    }
    from = to;
  }
  // After a change backward a span may begin later than its edge.
  const used = Math.max(
    0,
    edges.findLastIndex((edge) => edge <= first),
  );
  return edges.length > MAX_SPANS ? null : edges.slice(used);
};

/** Smallest span within `MAX_SPANS`, in whole milliseconds, to within 0.1 percent. */
const smallestSpan = (first: Micros, last: Micros, zone: Zone): Micros => {
  const toMs = (micros: number): Micros => Math.ceil(micros / MICROS_PER_MS) * MICROS_PER_MS;
  let length = toMs((last - first) / (MAX_SPANS - 1));
  while (edgesOf(first, last, { length, zone }) === null) length = toMs(length * 1.001);
  return length;
};

const countPerEdge = (sample: SpanSample, inputs: number, edges: readonly Micros[]): SpanCounts['counts'] => {
  const columns = Array.from({ length: inputs }, () => new Array<number>(edges.length).fill(0));
  let edge = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const at = sample.micros[index] as Micros;
    while (edge + 1 < edges.length && (edges[edge + 1] as Micros) <= at) edge += 1;
    const column = columns[sample.inputs[index] as number];
    if (column !== undefined) column[edge] = (column[edge] as number) + 1;
  }
  return Object.fromEntries(columns.map((column, input) => [String(input + 1), column]));
};

/**
 * Counts timestamps in spans aligned to 1970-01-01T00:00 local time, for each of `inputs` inputs. `span` is in
 * microseconds; null stands for `automaticSpan`. Returns an error with the smallest span allowed when there are more
 * than `MAX_SPANS`.
 */
export const previewSpans = (
  sample: SpanSample,
  inputs: number,
  span: Micros | null,
  zone: Zone,
): E.Either<string, SpanCounts> => {
  if (sample.length === 0) return E.right({ span: 0, edges: [], counts: countPerEdge(sample, inputs, []) });
  const first = sample.micros[0] as Micros;
  const last = sample.micros[sample.length - 1] as Micros;
  const length = span ?? automaticSpan(first, last, sample.length);
  const edges = edgesOf(first, last, { length, zone });
  if (edges === null)
    return E.left(
      `The span ${formatSpan(length)} makes more than ${MAX_SPANS} spans; the smallest span allowed here is ${formatSpan(smallestSpan(first, last, zone))}.`,
    );
  return E.right({ span: length, edges, counts: countPerEdge(sample, inputs, edges) });
};
