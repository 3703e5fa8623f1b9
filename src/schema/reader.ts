import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/placeholder.js';
import { type Defect, defect, type Finding, issueError } from './issues.js';
import type { JsonSchema, Shape } from './shape.js';

/** The `validate` of io-ts. */
export type Read<A> = (value: unknown, context: t.Context) => t.Validation<A>;

export const refuse = (value: unknown, context: t.Context, what: Finding): t.Validation<never> =>
  E.left([issueError(value, context, what)]);

/** A data object: no null, list, date, map or function. Works across realms. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === '[object Object]';

/** The own value at `key`; never inherited names such as `constructor`. */
export const own = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

/** Characters of a text with placeholders. */
export const placeholderLimit = (maxLength: number = MAX_TEXT_LENGTH): number =>
  Math.max(maxLength, MAX_TEXT_LENGTH);

/** A stored text with a placeholder; `null` for other values. */
const readPlaceholder = (
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

/** The type of stored values: decoding normalizes JSON, encoding changes nothing. */
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

/** As `storedType`, for shapes that handle placeholders themselves. */
export const delegatedType = (name: string, read: Read<Json>): t.Type<unknown, Json, unknown> =>
  new t.Type<unknown, Json, unknown>(
    name,
    (_value): _value is unknown => true,
    read,
    (value) => value as Json,
  );

/** Stored values without placeholders inside: decodes and encodes back to JSON. */
export const storedLeaf = <A>(
  codec: t.Type<A, Json, unknown>,
  maxLength?: number,
): t.Type<unknown, Json, unknown> =>
  storedType(codec.name, (value, context) => E.map(codec.encode)(codec.validate(value, context)), maxLength);

/** A scalar; `read` returns the value or a defect. */
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

/** Collects all errors. Pushes one by one: spreading a long list overflows the stack. */
export const collectErrors = (into: t.ValidationError[], result: t.Validation<unknown>): void => {
  if (E.isLeft(result)) for (const error of result.left) into.push(error);
};

/** Default limits, so that every new field is bounded. */

/** Characters of a text, also of a placeholder for any value. */
export const MAX_TEXT_LENGTH = 4_096;
export const MAX_LIST_ITEMS = 1_000;
export const MAX_MAP_KEYS = 1_000;
export const MAX_KEY_LENGTH = 4_096;
/** Values of free JSON, including nested ones. */
export const MAX_FREE_VALUES = 10_000;

/** Characters of whole documents: templates in a config, events to preview. */
export const MAX_LONG_TEXT_LENGTH = 262_144;
/** Characters of a text in free JSON; the source of the JSON limits the whole. */
export const MAX_FREE_TEXT_LENGTH = 1_048_576;

/** Whether a text has more code points (as JSON Schema counts) than a limit. Counts only near the limit. */
export const isLongerText = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > limit;
};
