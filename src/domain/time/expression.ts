import * as E from 'fp-ts/lib/Either.js';
import { type IsoParts, isoParts, wallClock } from './iso.js';
import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  MIN_MICROS,
  type Micros,
  NEVER,
} from './micros.js';
import type { Zone } from './zone.js';

/** A date-time expression: parsed without a zone, resolved when generation starts. `source`: as written, for read-back. */
export type DateTimeExpression = { readonly source: string | number } & (
  | { readonly kind: 'unix'; readonly micros: Micros }
  | { readonly kind: 'absolute'; readonly parts: IsoParts }
  | { readonly kind: 'timeOfDay'; readonly micros: number }
  | { readonly kind: 'now' }
  | { readonly kind: 'never' }
  | { readonly kind: 'relative'; readonly micros: number }
  | { readonly kind: 'human'; readonly text: string }
);

/** Parses human text (`yesterday`, `in 2 hours`). Returns null when it has no meaning. */
export type ReadHuman = (text: string, now: Micros, zone: Zone) => Micros | null;

const TIME_OF_DAY = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:[Zz]|[+-]\d{2}:?\d{2})?$/;
/** Malformed times of day, for a clearer error than chrono's. */
const NEARLY_TIME_OF_DAY = /^\d+:[\d:.,]*$/;
const RELATIVE = /^([+-])?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
/** Malformed durations: as human text they would mean another time. */
const NEARLY_RELATIVE = /^[+-]$|^[+-]\s*\d|^(?:\d+(?:\.\d+)?\s?(?:ms|us|[wdhms]))+$/i;

const RELATIVE_HINT =
  'a duration is days, hours, minutes, seconds in this order, each a whole number given once, like +1h, -30m or 1d12h30m (a week is 7d)';

/** Parsing human text takes more than linear time. */
export const MAX_EXPRESSION_LENGTH = 256;

const TOO_LONG = `must have at most ${MAX_EXPRESSION_LENGTH} characters`;

const OUT_OF_RANGE = 'lies outside the years 1684 to 2255, where microseconds are exact';

const NO_CALENDAR_DATE =
  'is no date-time of the calendar in ISO 8601, like 2026-01-01, 2026-01-01 09:00 or 2026-01-01T09:00:00Z';
const NO_TIME_OF_DAY = 'is no time of day, like 14:30 or 14:30:00';
export const NOT_UNDERSTOOD =
  'is no date or time that is understood; write one like 2026-01-01T09:00:00Z, 14:30, now, +1h or "tomorrow at 9:00"';

const inRange = (micros: Micros): E.Either<string, Micros> =>
  micros >= MIN_MICROS && micros <= MAX_MICROS ? E.right(micros) : E.left(OUT_OF_RANGE);

const relativeMicros = (text: string): number | null => {
  const match = RELATIVE.exec(text);
  if (match === null || !/\d/.test(text)) return null;
  const [, sign, days, hours, minutes, seconds] = match;
  const size =
    Number(days ?? 0) * MICROS_PER_DAY +
    Number(hours ?? 0) * MICROS_PER_HOUR +
    Number(minutes ?? 0) * MICROS_PER_MINUTE +
    Number(seconds ?? 0) * MICROS_PER_SECOND;
  return sign === '-' ? -size : size;
};

const timeOfDay = (text: string): number | null => {
  const match = TIME_OF_DAY.exec(text);
  if (match === null) return null;
  const [, hour, minute, second, fraction] = match;
  const micros = Number((fraction ?? '').padEnd(6, '0').slice(0, 6));
  return wallClock([1970, 1, 1], [Number(hour), Number(minute), Number(second ?? 0)], micros);
};

const unix = (source: string | number, seconds: number): E.Either<string, DateTimeExpression> => {
  const micros = Math.round(seconds * MICROS_PER_SECOND);
  return E.map((at: Micros): DateTimeExpression => ({ source, kind: 'unix', micros: at }))(inRange(micros));
};

/** An absolute time. Without offset it depends on the zone: only times out of range in every zone are rejected here. */
const absolute = (source: string | number, parts: IsoParts): E.Either<string, DateTimeExpression> => {
  const { local, offset } = parts;
  const nearest =
    offset === null
      ? Math.sign(local) * Math.max(0, Math.abs(local) - MICROS_PER_DAY)
      : local - offset * MICROS_PER_SECOND;
  return E.map((): DateTimeExpression => ({ source, kind: 'absolute', parts }))(inRange(nearest));
};

const relative = (source: string, micros: number): E.Either<string, DateTimeExpression> =>
  Math.abs(micros) > MAX_MICROS ? E.left(OUT_OF_RANGE) : E.right({ source, kind: 'relative', micros });

const parseText = (source: string): E.Either<string, DateTimeExpression> => {
  if (source.length > 2 * MAX_EXPRESSION_LENGTH || [...source].length > MAX_EXPRESSION_LENGTH)
    return E.left(TOO_LONG);
  const text = source.trim();
  if (text === '') return E.left('must not be empty');
  const parts = isoParts(text);
  if (parts !== null) return absolute(source, parts);
  if (/^\d+(?:\.\d+)?$/.test(text)) return unix(source, Number(text));
  if (/^\d{4}-?\d{2}-?\d{2}/.test(text)) return E.left(NO_CALENDAR_DATE);
  const clock = timeOfDay(text);
  if (clock !== null) return E.right({ source, kind: 'timeOfDay', micros: clock });
  if (NEARLY_TIME_OF_DAY.test(text)) return E.left(NO_TIME_OF_DAY);
  if (/^now$/i.test(text)) return E.right({ source, kind: 'now' });
  if (/^never$/i.test(text)) return E.right({ source, kind: 'never' });
  const duration = relativeMicros(text);
  if (duration !== null) return relative(source, duration);
  if (NEARLY_RELATIVE.test(text)) return E.left(`is no duration: ${RELATIVE_HINT}`);
  return E.right({ source, kind: 'human', text });
};

/**
 * Parses an expression, in this order: absolute date or date-time, time of day, `now` and `never`, relative duration,
 * human text. Digits are Unix time in seconds, but eight digits that form a date (`20260101`) are that date (ISO 8601
 * basic form). The error says the problem without the text, which may hold a secret.
 */
export const parseExpression = (source: string | number): E.Either<string, DateTimeExpression> => {
  if (typeof source === 'string') return parseText(source);
  const date = isoParts(String(source));
  return date === null ? unix(source, source) : absolute(source, date);
};

export interface ResolveContext {
  readonly now: Micros;
  readonly zone: Zone;
  readonly readHuman: ReadHuman;
}

/** The instant of an expression; `base`: for relative times and times of day. */
export const resolveExpression = (
  expression: DateTimeExpression,
  base: Micros,
  { now, zone, readHuman }: ResolveContext,
): E.Either<string, Micros> => {
  switch (expression.kind) {
    case 'unix':
      return E.right(expression.micros);
    case 'absolute': {
      const { local, offset } = expression.parts;
      return inRange(offset === null ? zone.instantOf(local) : local - offset * MICROS_PER_SECOND);
    }
    case 'timeOfDay': {
      const local = base + zone.offsetSecondsAt(base) * MICROS_PER_SECOND;
      const midnight = Math.floor(local / MICROS_PER_DAY) * MICROS_PER_DAY;
      return inRange(zone.instantOf(midnight + expression.micros));
    }
    case 'now':
      return E.right(now);
    case 'never':
      return E.right(NEVER);
    case 'relative':
      return inRange(base + expression.micros);
    case 'human': {
      const instant = readHuman(expression.text, now, zone);
      if (instant === null) return E.left(NOT_UNDERSTOOD);
      return inRange(instant);
    }
  }
};

export interface RangeProblem {
  readonly at: 'start' | 'end';
  readonly reason: string;
}

/**
 * Resolves a range: `start` relative to now (default now), `end` to the start (default never). Returns an error for
 * `start: never`, or when the range is reversed.
 */
export const resolveRange = (
  range: { readonly start: DateTimeExpression | null; readonly end: DateTimeExpression | null },
  context: ResolveContext,
): E.Either<RangeProblem, { readonly start: Micros; readonly end: Micros }> => {
  const problem = (at: RangeProblem['at'], reason: string): E.Left<RangeProblem> => ({
    _tag: 'Left',
    left: { at, reason },
  });
  const start =
    range.start === null ? E.right(context.now) : resolveExpression(range.start, context.now, context);
  if (E.isLeft(start)) return problem('start', start.left);
  if (start.right === NEVER) return problem('start', 'must not be never, as nothing would ever start');
  const end = range.end === null ? E.right(NEVER) : resolveExpression(range.end, start.right, context);
  if (E.isLeft(end)) return problem('end', end.left);
  if (start.right > end.right) return problem('end', 'is before start');
  return E.right({ start: start.right, end: end.right });
};

type Beginning = Extract<DateTimeExpression, { readonly kind: 'now' | 'relative' | 'absolute' | 'unix' }>;

const HINT = 'must be a duration before the start, like -7d or -1h30m, or a time in ISO 8601';

const parseBeginning = (text: string): E.Either<string, Beginning> => {
  const parsed = parseExpression(text);
  if (E.isLeft(parsed)) return parsed;
  const { right } = parsed;
  switch (right.kind) {
    case 'relative':
      // `7d` without its minus would wait for a week.
      return right.micros > 0 ? E.left(HINT) : E.right(right);
    case 'now':
    case 'absolute':
    case 'unix':
      return E.right(right);
    case 'timeOfDay':
    case 'never':
    case 'human':
      return E.left(HINT);
  }
};

/** Returns why a text is no beginning, or null when it is one. */
export const checkBeginning = (text: string): string | null => {
  const parsed = parseBeginning(text);
  return E.isLeft(parsed) ? parsed.left : null;
};

/**
 * Returns where a stream begins: `-7d` is seven days before `now`; an ISO 8601 time without an offset is one of the
 * zone. The error says the problem.
 */
export const resolveBeginning = (text: string, now: Micros, zone: Zone): E.Either<string, Micros> =>
  E.flatMap((beginning: Beginning) =>
    resolveExpression(beginning, now, { now, zone, readHuman: () => null }),
  )(parseBeginning(text));

type Origin = 'utc' | 'wallClock' | 'midnight' | 'now';

interface Comparable {
  readonly from: Origin;
  readonly micros: number;
}

/** A time comparable without zone and clock, or `null`. No start means now. */
const comparable = (expression: DateTimeExpression | null): Comparable | null => {
  switch (expression?.kind) {
    case undefined:
    case 'now':
      return { from: 'now', micros: 0 };
    case 'relative':
      return { from: 'now', micros: expression.micros };
    case 'timeOfDay':
      return { from: 'midnight', micros: expression.micros };
    case 'unix':
      return { from: 'utc', micros: expression.micros };
    case 'absolute': {
      const { local, offset } = expression.parts;
      return offset === null
        ? { from: 'wallClock', micros: local }
        : { from: 'utc', micros: local - offset * MICROS_PER_SECOND };
    }
    default:
      return null;
  }
};

/** Margin by which `start` is later than `end` in every zone: offsets stay within 16 hours. */
const slack = (start: Origin, end: Origin): number | null => {
  if (start === end) return 0;
  const isAbsolute = (origin: Origin): boolean => origin === 'utc' || origin === 'wallClock';
  return isAbsolute(start) && isAbsolute(end) ? MICROS_PER_DAY : null;
};

const BACKWARDS: RangeProblem = { at: 'end', reason: 'is before start' };

/** Checks a range without zone and clock: `start: never`, a negative relative end, an order reversed in every zone. */
export const checkRange = (
  start: DateTimeExpression | null,
  end: DateTimeExpression | null,
): RangeProblem | null => {
  if (start?.kind === 'never')
    return { at: 'start', reason: 'must not be never, as nothing would ever start' };
  if (end === null) return null;
  // A relative end counts from the start.
  if (end.kind === 'relative') return end.micros < 0 ? BACKWARDS : null;
  const from = comparable(start);
  const to = comparable(end);
  if (from === null || to === null) return null;
  const margin = slack(from.from, to.from);
  return margin !== null && from.micros - to.micros > margin ? BACKWARDS : null;
};
