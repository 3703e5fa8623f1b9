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
