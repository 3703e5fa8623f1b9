import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/secrets/placeholder.js';
import { type Defect, defect, type Finding, problem } from './issues.js';
import { isLongerText, MAX_TEXT_LENGTH } from './limits.js';
import type { JsonSchema, Shape } from './shape.js';

/** How a value is read at its place: io-ts' `validate` without the class around it. */
export type Read<A> = (value: unknown, context: t.Context) => t.Validation<A>;

export const refuse = (value: unknown, context: t.Context, what: Finding): t.Validation<never> =>
  E.left([problem(value, context, what)]);

/** An object that holds data: neither null, list, date, map nor function. Works across realms. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === '[object Object]';

/** The own value at `key`; inherited names such as `constructor` are never seen. */
export const own = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

/** Characters of a text with placeholders at a place whose texts have a limit of their own. */
export const placeholderLimit = (maxLength: number = MAX_TEXT_LENGTH): number =>
  Math.max(maxLength, MAX_TEXT_LENGTH);

/** A text with a placeholder as a file stores it; `null` when the value is none. */
export const readPlaceholder = (
  value: unknown,
  context: t.Context,
  maxLength?: number,
): t.Validation<Json> | null => {
  if (typeof value !== 'string' || !hasPlaceholder(value)) return null;
  const limit = placeholderLimit(maxLength);
  return isLongerText(value, limit)
    ? refuse(value, context, defect('too_long', `must have at most ${limit} characters`))
    : E.right(value);
};

/**
 * The type of stored values: decoded means normalised JSON, so encoding changes nothing. `maxLength`: that of
 * the texts of the shape, where it has one.
 */
export const storedType = (
  name: string,
  read: Read<Json>,
  maxLength?: number,
): t.Type<unknown, Json, unknown> =>
  new t.Type<unknown, Json, unknown>(
    name,
    (_value): _value is unknown => true,
    (value, context) => readPlaceholder(value, context, maxLength) ?? read(value, context),
    (value) => value as Json,
  );

/** The type of stored values whose placeholders the shape around which it is made reads itself. */
export const delegatedType = (name: string, read: Read<Json>): t.Type<unknown, Json, unknown> =>
  new t.Type<unknown, Json, unknown>(
    name,
    (_value): _value is unknown => true,
    read,
    (value) => value as Json,
  );

/** Reads stored values of a shape that cannot hold a placeholder inside: decode, then back to JSON. */
export const storedLeaf = <A>(
  codec: t.Type<A, Json, unknown>,
  maxLength?: number,
): t.Type<unknown, Json, unknown> =>
  storedType(codec.name, (value, context) => E.map(codec.encode)(codec.validate(value, context)), maxLength);

/** A scalar: `read` answers the value or what is wrong with it. */
export const scalar = <A extends string | number | boolean>(
  label: string,
  schema: JsonSchema,
  is: (value: unknown) => value is A,
  read: (value: unknown) => E.Either<Defect, A>,
  maxLength?: number,
): Shape<A> => {
  const codec = new t.Type<A, Json, unknown>(
    label,
    is,
    (value, context) => {
      const result = read(value);
      return E.isLeft(result) ? refuse(value, context, result.left) : result;
    },
    (value) => value,
  );
  return { label, codec, stored: storedLeaf(codec, maxLength), schema };
};

/** Gathers results in order: all errors, or nothing. Pushes one by one: a spread of a long list overflows. */
export const collectErrors = (into: t.ValidationError[], result: t.Validation<unknown>): void => {
  if (E.isLeft(result)) for (const error of result.left) into.push(error);
};
