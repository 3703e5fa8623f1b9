import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../../../domain/errors.js';
import {
  type DateTimeExpression,
  type ResolveContext,
  resolveRange,
} from '../../../domain/time/expression.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { InputContext } from '../../kit.js';
import { readHumanDate } from './humanDate.js';

/** Resolution of date-time expressions as the inputs of a generator mean them. */
const resolveContextOf = ({ now, zone }: InputContext): ResolveContext => ({
  now,
  zone,
  readHuman: readHumanDate,
});

/** The range of an input; Left names the field. */
export const rangeOf = (
  given: { readonly start: DateTimeExpression | null; readonly end: DateTimeExpression | null },
  context: InputContext,
): E.Either<SpateError, { readonly start: Micros; readonly end: Micros }> =>
  E.mapLeft(({ at, reason }: { readonly at: string; readonly reason: string }) =>
    failure('plugin_failed', `${at} ${reason}`, {
      issues: [{ path: [at], type: 'out_of_range', message: reason }],
    }),
  )(resolveRange(given, resolveContextOf(context)));
