import * as E from 'fp-ts/lib/Either.js';
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
import { type IsoParts, isoParts, wallClock } from './parseIso.js';
import type { Zone } from './zone.js';

/**
 * A date-time expression of `start` and `end`: read once without a zone, resolved when generation starts.
 * `source` is what was written, for read-back.
 */
export type DateTimeExpression = { readonly source: string | number } & (
  | { readonly kind: 'unix'; readonly micros: Micros }
  | { readonly kind: 'absolute'; readonly parts: IsoParts }
  | { readonly kind: 'timeOfDay'; readonly micros: number }
  | { readonly kind: 'now' }
  | { readonly kind: 'never' }
  | { readonly kind: 'relative'; readonly micros: number }
  | { readonly kind: 'human'; readonly text: string }
);

/** Reads human text (`yesterday`, `in 2 hours`): an instant, or `null` when it means nothing. */
export type ReadHuman = (text: string, now: Micros, zone: Zone) => Micros | null;

const TIME_OF_DAY = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s*(?:[Zz]|[+-]\d{2}:?\d{2})?$/;
const RELATIVE = /^([+-])?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
/** What only looks like the relative form: a person meant a duration and would get another time. */
const NEARLY_RELATIVE = /^[+-]$|^[+-]\s*\d|^(?:\d+(?:\.\d+)?\s?(?:ms|us|[wdhms]))+$/i;

const RELATIVE_HINT =
  'a duration is days, hours, minutes, seconds in this order, each a whole number given once, like +1h, -30m or 1d12h30m (a week is 7d)';

const OUT_OF_RANGE = 'lies outside the years 1684 to 2255, where microseconds are exact';

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
  const micros = Number((fraction ?? '').padEnd(6, '0'));
  return wallClock([1970, 1, 1], [Number(hour), Number(minute), Number(second ?? 0)], micros);
};

const unix = (source: string | number, seconds: number): E.Either<string, DateTimeExpression> => {
  const micros = Math.round(seconds * MICROS_PER_SECOND);
  return E.map((at: Micros): DateTimeExpression => ({ source, kind: 'unix', micros: at }))(inRange(micros));
};

/**
 * Reads an expression; forms are tried in this order: absolute date or date-time (a number or digits are
 * Unix time in seconds), time of day, `now` and `never`, relative duration, human text. Left: one clause
 * that says what is wrong.
 */
export const parseExpression = (source: string | number): E.Either<string, DateTimeExpression> => {
  if (typeof source === 'number') return unix(source, source);
  const text = source.trim();
  if (text === '') return E.left('must not be empty');
  // Eight digits are the basic form of a date; fewer or more are Unix time.
  const parts = isoParts(text);
  if (parts !== null) return E.right({ source, kind: 'absolute', parts });
  if (/^\d+(?:\.\d+)?$/.test(text)) return unix(source, Number(text));
  if (/^\d{4}-?\d{2}-?\d{2}/.test(text)) return E.left(`"${text}" is no date-time of the calendar`);
  const clock = timeOfDay(text);
  if (clock !== null) return E.right({ source, kind: 'timeOfDay', micros: clock });
  if (/^now$/i.test(text)) return E.right({ source, kind: 'now' });
  if (/^never$/i.test(text)) return E.right({ source, kind: 'never' });
  const relative = relativeMicros(text);
  if (relative !== null) {
    if (Math.abs(relative) > MAX_MICROS) return E.left(OUT_OF_RANGE);
    return E.right({ source, kind: 'relative', micros: relative });
  }
  if (NEARLY_RELATIVE.test(text)) return E.left(`"${text}" is no duration: ${RELATIVE_HINT}`);
  return E.right({ source, kind: 'human', text });
};

export interface ResolveContext {
  readonly now: Micros;
  readonly zone: Zone;
  readonly readHuman: ReadHuman;
}

/** The instant that an expression means; `base` is what relative times and times of day count from. */
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
      if (instant === null) return E.left(`"${expression.text}" is no date or time that is understood`);
      return inRange(instant);
    }
  }
};

export interface RangeProblem {
  readonly at: 'start' | 'end';
  readonly reason: string;
}

/**
 * A range from two expressions: `start` counts from now (default now), `end` from the resolved start
 * (default never). `start: never` and a start later than the end are problems.
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

/**
 * What can be said of a range before its zone and the time of its start are known: `start: never`, two
 * instants in the wrong order, an end that goes back from the start.
 */
export const checkRange = (
  start: DateTimeExpression | null,
  end: DateTimeExpression | null,
): RangeProblem | null => {
  if (start?.kind === 'never')
    return { at: 'start', reason: 'must not be never, as nothing would ever start' };
  if (end?.kind === 'relative' && end.micros < 0) return { at: 'end', reason: 'is before start' };
  const from = comparable(start);
  const to = comparable(end);
  const isWrong = from !== null && to !== null && from.isLocal === to.isLocal && from.micros > to.micros;
  return isWrong ? { at: 'end', reason: 'is before start' } : null;
};

/** A time that can be compared with another one of the same sort without a zone. */
const comparable = (
  expression: DateTimeExpression | null,
): { readonly micros: number; readonly isLocal: boolean } | null => {
  if (expression?.kind === 'unix') return { micros: expression.micros, isLocal: false };
  if (expression?.kind !== 'absolute') return null;
  const { local, offset } = expression.parts;
  return offset === null
    ? { micros: local, isLocal: true }
    : { micros: local - offset * MICROS_PER_SECOND, isLocal: false };
};
