import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { issuesOf } from './issues.js';
import type { Shape } from './shape.js';

/** Decodes a value without placeholders. Returns all issues, in the order of the document, when it is invalid. */
export const decode = <A>(shape: Shape<A>, value: unknown): E.Either<Issue[], A> =>
  E.mapLeft(issuesOf)(shape.codec.decode(value));

/** Checks a stored value, with placeholders anywhere. Returns the value with defaults and coerced scalars. */
export const decodeStored = <A>(shape: Shape<A>, value: unknown): E.Either<Issue[], unknown> =>
  E.mapLeft(issuesOf)(shape.stored.decode(value));

/** A stored value for the API, with defaults and untouched placeholders; unchanged if it is invalid. */
export const readBack = <A>(shape: Shape<A>, value: Json): Json => {
  const result = shape.stored.decode(value);
  return E.isRight(result) ? shape.stored.encode(result.right) : value;
};
