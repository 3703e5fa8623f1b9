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

/** Empty, or only a reference to a secret. */
const isOpen = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'string' && wholePlaceholder(value)?.fallback === null);

/** The value with each secret field changed; `path` leads to the field. Keeps invalid values. */
export const mapSecrets = (
  shape: AnyShape,
  value: Json,
  change: (secret: Json, path: Issue['path']) => Json,
  path: Issue['path'] = [],
): Json => {
  if ('secret' in shape && shape.secret === true) return change(value, path);
  const { child } = shape;
  if (child === undefined) return value;
  const inner = (one: Json, key: string | number): Json => {
    const known = child(value, key);
    return known === undefined ? one : mapSecrets(known, one, change, [...path, key]);
  };
  if (Array.isArray(value)) return (value as readonly Json[]).map(inner);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one, key)]));
};

/** Masks secret fields, except empty ones and placeholders without a fallback. Keeps invalid values. */
export const maskSecrets = (shape: AnyShape, value: Json): Json =>
  mapSecrets(shape, value, (secret) => (isOpen(secret) ? secret : SECRET_MASK));

/** Replaces each mask of a secret field by the stored secret. Returns an issue for each mask without one. */
export const unmask = (shape: AnyShape, stored: Json | undefined, value: Json): E.Either<Issue[], Json> => {
  const issues: Issue[] = [];
  const whole = mapSecrets(shape, value, (secret, path) => {
    if (secret !== SECRET_MASK) return secret;
    const old = path.reduce(inside, stored) ?? null;
    if (old === null)
      issues.push({
        path,
        type: 'not_allowed',
        message: 'is a mask, but no secret is stored here',
        hint: 'Send the secret.',
      });
    return old ?? secret;
  });
  return issues.length > 0 ? E.left(issues) : E.right(whole);
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

const inside = (value: Json | undefined, key: string | number): Json | undefined => {
  if (Array.isArray(value)) return typeof key === 'number' ? (value as readonly Json[])[key] : undefined;
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};
