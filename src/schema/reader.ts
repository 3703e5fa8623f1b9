import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/placeholder.js';
import { type Defect, type Finding, problem } from './issues.js';
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

/** The type of stored values: decoded means normalised JSON, so encoding changes nothing. */
export const storedType = (name: string, read: Read<Json>): t.Type<unknown, Json, unknown> =>
  new t.Type<unknown, Json, unknown>(
    name,
    (_value): _value is unknown => true,
    (value, context) =>
      typeof value === 'string' && hasPlaceholder(value) ? E.right(value) : read(value, context),
    (value) => value as Json,
  );

/** Reads stored values of a shape that cannot hold a placeholder inside: decode, then back to JSON. */
export const storedLeaf = <A>(codec: t.Type<A, Json, unknown>): t.Type<unknown, Json, unknown> =>
  storedType(codec.name, (value, context) => E.map(codec.encode)(codec.validate(value, context)));

/** A scalar: `read` answers the value or what is wrong with it. */
export const scalar = <A extends string | number | boolean>(
  label: string,
  schema: JsonSchema,
  is: (value: unknown) => value is A,
  read: (value: unknown) => E.Either<Defect, A>,
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
  return { label, codec, stored: storedLeaf(codec), schema };
};

/** Gathers results in order: all errors, or nothing. Pushes one by one: a spread of a long list overflows. */
export const collectErrors = (into: t.ValidationError[], result: t.Validation<unknown>): void => {
  if (E.isLeft(result)) for (const error of result.left) into.push(error);
};
