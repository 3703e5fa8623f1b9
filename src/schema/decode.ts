import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { issuesOf } from './issues.js';
import type { Shape } from './shape.js';

/** Decodes a value whose placeholders are substituted. Left: all issues, in the order of the document. */
export const decode = <A>(shape: Shape<A>, value: unknown): E.Either<Issue[], A> =>
  E.mapLeft(issuesOf)(shape.codec.decode(value));

/**
 * Checks a value as a file stores it; a text with a placeholder is fine at any place. Right: the value
 * as read-back shows it (defaults filled, scalars coerced, placeholders untouched).
 */
export const decodeStored = <A>(shape: Shape<A>, value: unknown): E.Either<Issue[], unknown> =>
  E.mapLeft(issuesOf)(shape.stored.decode(value));

/**
 * A stored value as the API shows it: each field with a default has its value, 'none' is `null`, scalars
 * are coerced, placeholders untouched. A value that does not decode is answered as it is: report it with
 * `decodeStored` first.
 */
export const readBack = <A>(shape: Shape<A>, value: Json): Json => {
  const result = shape.stored.decode(value);
  return E.isRight(result) ? shape.stored.encode(result.right) : value;
};
