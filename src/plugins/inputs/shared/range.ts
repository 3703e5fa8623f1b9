import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import {
  type DateTimeExpression,
  type ResolveContext,
  resolveExpression,
  resolveRange,
} from '../../../domain/time/expression.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { InputContext } from '../../kit.js';
import { readHumanDate } from './dateTimeField.js';

const resolveContextOf = ({ now, zone }: InputContext): ResolveContext => ({
  now,
  zone,
  readHuman: readHumanDate,
});

interface RangeParams {
  readonly start: DateTimeExpression | null;
  readonly end: DateTimeExpression | null;
}

interface Range {
  readonly start: Micros;
  readonly end: Micros;
}

/** Returns start and end of an input. An error names the field. */
export const rangeOf = (given: RangeParams, context: InputContext): Result<Range> =>
  E.mapLeft(({ at, reason }: { readonly at: string; readonly reason: string }) =>
    failure('plugin_failed', `${at} ${reason}`, {
      issues: [{ path: [at], type: 'out_of_range', message: reason }],
    }),
  )(resolveRange(given, resolveContextOf(context)));

/**
 * Like `rangeOf`, but a schedule that starts now and has ended is an empty range, with its end before its start. A
 * relative end counts from the start, so it cannot have passed.
 */
export const scheduleRangeOf = (given: RangeParams, context: InputContext): Result<Range> => {
  const range = rangeOf(given, context);
  const startsNow = given.start === null || given.start.kind === 'now';
  if (E.isRight(range) || !startsNow || given.end === null || given.end.kind === 'relative') return range;
  const end = resolveExpression(given.end, context.now, resolveContextOf(context));
  return E.isRight(end) && end.right < context.now ? E.right({ start: context.now, end: end.right }) : range;
};
