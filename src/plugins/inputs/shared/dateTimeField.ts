import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../../../domain/json.js';
import {
  type DateTimeExpression,
  MAX_EXPRESSION_LENGTH,
  NOT_UNDERSTOOD,
  parseExpression,
} from '../../../domain/time/expression.js';
import { checkRange } from '../../../domain/time/rangeCheck.js';
import { text } from '../../../schema/index.js';
import { readPlaceholder } from '../../../schema/reader.js';
import type { RuleBreach, Shape } from '../../../schema/shape.js';
import { isHumanDate } from './humanDate.js';

const LABEL = 'date-time expression';

/** Also parses human text, so errors show when a config is saved, not when it starts. */
const understood = (source: string | number): E.Either<string, DateTimeExpression> =>
  E.filterOrElse(
    (expression: DateTimeExpression) => expression.kind !== 'human' || isHumanDate(expression.text),
    () => NOT_UNDERSTOOD,
  )(parseExpression(source));

const asText = text({
  label: LABEL,
  maxLength: MAX_EXPRESSION_LENGTH,
  check: (written) => {
    const parsed = understood(written);
    return E.isLeft(parsed) ? { type: 'bad_format', message: parsed.left } : null;
  },
});

const isExpression = (value: unknown): value is DateTimeExpression =>
  typeof value === 'object' && value !== null && 'kind' in value;

const read = (value: unknown, context: t.Context): t.Validation<DateTimeExpression> => {
  if (typeof value === 'number') {
    const parsed = understood(value);
    return E.isLeft(parsed) ? t.failure(value, context, parsed.left) : t.success(parsed.right);
  }
  const checked = asText.codec.validate(value, context);
  if (E.isLeft(checked)) return checked;
  const parsed = understood(checked.right);
  return E.isLeft(parsed) ? t.failure(value, context, parsed.left) : t.success(parsed.right);
};

/**
 * A date-time expression: absolute, time of day, `now`, `never`, relative or human text; numbers are Unix time in
 * seconds. Encodes to its source.
 */
export const dateTimeShape = (): Shape<DateTimeExpression> => {
  const codec = new t.Type<DateTimeExpression, Json, unknown>(
    LABEL,
    isExpression,
    read,
    ({ source }) => source,
  );
  const stored = new t.Type<unknown, Json, unknown>(
    LABEL,
    (value): value is unknown => value !== undefined,
    (value, context) =>
      readPlaceholder(value, context) ?? E.map(codec.encode)(codec.validate(value, context)),
    (value) => value as Json,
  );
  return {
    label: LABEL,
    codec,
    stored,
    schema: { type: ['string', 'number'], maxLength: MAX_EXPRESSION_LENGTH },
  };
};

/** The part of `start <= end` that needs no clock. */
export const checkStartBeforeEnd = (range: {
  readonly start: DateTimeExpression | null;
  readonly end: DateTimeExpression | null;
}): RuleBreach | null => {
  const problem = checkRange(range.start, range.end);
  return problem === null ? null : { at: problem.at, type: 'out_of_range', message: problem.reason };
};
