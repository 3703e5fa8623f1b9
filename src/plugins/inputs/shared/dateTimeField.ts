import * as E from 'fp-ts/lib/Either.js';
import {
  checkRange,
  type DateTimeExpression,
  MAX_EXPRESSION_LENGTH,
  NOT_UNDERSTOOD,
  parseExpression,
} from '../../../domain/time/expression.js';
import { custom, number, text } from '../../../schema/index.js';
import type { RuleBreach, Shape } from '../../../schema/shape.js';
import { isHumanDate } from './humanDate.js';

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
