import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import { wholePlaceholder } from '../domain/placeholder.js';
import { issuesOf } from './issues.js';
import { isPlainObject } from './reader.js';
import type { AnyShape, RuleBreach, Shape } from './shape.js';

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

/** Shown instead of a secret; written back, it keeps the stored value. */
export const SECRET_MASK = '********';

const isSecret = (shape: AnyShape): boolean => 'secret' in shape && shape.secret === true;

/** Empty, or only a reference to a secret. */
const isOpen = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'string' && wholePlaceholder(value)?.fallback === null);

/** Masks secret fields, except empty ones and placeholders without a fallback. Keeps invalid values. */
export const maskSecrets = (shape: AnyShape, value: Json): Json => {
  if (isSecret(shape)) return isOpen(value) ? value : SECRET_MASK;
  const { child } = shape;
  if (child === undefined) return value;
  const inner = (one: Json, key: string | number): Json => {
    const known = child(value, key);
    return known === undefined ? one : maskSecrets(known, one);
  };
  if (Array.isArray(value)) return (value as readonly Json[]).map(inner);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, key)]));
};

/** Requires two optional fields together; reports the missing one. */
export const givenTogether = <A extends string, B extends string>(
  first: A,
  second: B,
  breach: Pick<RuleBreach, 'message' | 'hint'>,
) => ({
  fields: [first, second] as const,
  check: (value: Readonly<Record<A | B, unknown>>): RuleBreach | null =>
    (value[first] === null) === (value[second] === null)
      ? null
      : { at: value[first] === null ? first : second, type: 'missing', ...breach },
});
