import type { Component } from 'chrono-node/en';
import * as E from 'fp-ts/lib/Either.js';
import {
  checkRange,
  type DateTimeExpression,
  MAX_EXPRESSION_LENGTH,
  NOT_UNDERSTOOD,
  parseExpression,
  type ReadHuman,
} from '../../../domain/time/expression.js';
import { wallClock } from '../../../domain/time/iso.js';
import { MICROS_PER_MINUTE, MICROS_PER_MS } from '../../../domain/time/micros.js';
import { utc } from '../../../domain/time/zone.js';
import { custom, lazily, number, optional, text } from '../../../schema/index.js';
import type { RuleBreach, Shape } from '../../../schema/shape.js';
import { lateRequire } from '../../shared/lateRequire.js';

const LABEL = 'date-time expression';

/** Also parses human text, so errors show when a config is saved, not when it starts. */
const understood = (source: string | number): E.Either<string, DateTimeExpression> =>
  E.filterOrElse(
    (expression: DateTimeExpression) => expression.kind !== 'human' || isHumanDate(expression.text),
    () => NOT_UNDERSTOOD,
  )(parseExpression(source));

const written = text({ label: LABEL, maxLength: MAX_EXPRESSION_LENGTH });
const seconds = number();

/**
 * A date-time expression: absolute, time of day, `now`, `never`, relative or human text; numbers are Unix time in
 * seconds. Encodes to its source.
 */
export const dateTimeShape = (): Shape<DateTimeExpression> =>
  custom<string | number, DateTimeExpression>({
    base: (value) => (typeof value === 'number' ? seconds : written) as Shape<string | number>,
    label: LABEL,
    schema: { type: ['string', 'number'], maxLength: MAX_EXPRESSION_LENGTH },
    is: (value): value is DateTimeExpression =>
      typeof value === 'object' && value !== null && 'kind' in value,
    decode: (source) => E.mapLeft((message: string) => ({ type: 'bad_format', message }))(understood(source)),
    encode: ({ source }) => source,
  });

/** The part of `start <= end` that needs no clock. */
export const checkStartBeforeEnd = (range: {
  readonly start: DateTimeExpression | null;
  readonly end: DateTimeExpression | null;
}): RuleBreach | null => {
  const problem = checkRange(range.start, range.end);
  return problem === null ? null : { at: problem.at, type: 'out_of_range', message: problem.reason };
};

export const rangeFields = lazily(() => ({
  start: optional(dateTimeShape(), {
    help: 'Start of the schedule, inclusive; default now. A date, a time of day, now, +1h, or words such as "tomorrow".',
    example: '2026-01-01T09:00:00Z',
  }),
  end: optional(dateTimeShape(), {
    help: 'End of the schedule, inclusive; default never. Relative values count from start.',
    example: '+7d',
  }),
}));

/** English only: all of chrono takes four times as long to load. */
const chrono = lateRequire<typeof import('chrono-node/en')>('chrono-node/en');

/** Hour that chrono implies for a date without time; here a date means midnight. */
const IMPLIED_NOON = 12;

/**
 * Parses human text with chrono-node. Wall-clock values use the zone unless the text names one (`10:00 UTC`);
 * distances such as `2 hours ago` are exact from `now`. The whole text must be one date, not a range.
 */
export const readHumanDate: ReadHuman = (text, now, zone) => {
  const timezone = zone.offsetSecondsAt(now) / 60;
  const [found, ...others] = chrono().casual.parse(text, {
    instant: new Date(now / MICROS_PER_MS),
    timezone,
  });
  if (found === undefined || others.length > 0 || found.text.trim() !== text.trim()) return null;
  const { start, end } = found;
  if (end) return null;
  if (start.tags().has('result/relativeDateAndTime')) return start.date().getTime() * MICROS_PER_MS;
  const part = (name: Component): number => start.get(name) ?? 0;
  const isDateOnly = !start.isCertain('hour') && part('hour') === IMPLIED_NOON;
  const local = wallClock(
    [part('year'), part('month'), part('day')],
    isDateOnly ? [0, 0, 0] : [part('hour'), part('minute'), part('second')],
    isDateOnly ? 0 : part('millisecond') * 1000,
  );
  if (local === null) return null;
  return start.isCertain('timezoneOffset')
    ? local - part('timezoneOffset') * MICROS_PER_MINUTE
    : zone.instantOf(local);
};

/** In a leap year, so that 29 February without a year is valid. */
const ANY_TIME = Date.UTC(2024, 0, 15, 12) * 1000;

export const isHumanDate = (text: string): boolean => readHumanDate(text, ANY_TIME, utc) !== null;
