import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json, JsonObject } from '../domain/json.js';
import { type Defect, defect, kindOf } from './issues.js';
import { collectErrors, isPlainObject, type Read, refuse, storedLeaf, storedType } from './reader.js';
import type { Shape } from './shape.js';

/** Lists and objects of free JSON may lie this deep in each other: deeper is `too_deep`, never a full stack. */
export const MAX_FREE_DEPTH = 100;

/** Reads each item of a list with `type`, all errors collected. */
const readItems =
  <A>(type: t.Type<A, Json, unknown>, min: number): Read<readonly A[]> =>
  (value, context) => {
    if (!Array.isArray(value))
      return refuse(value, context, defect('wrong_type', `must be a list, not ${kindOf(value)}`));
    if (value.length < min) {
      return refuse(
        value,
        context,
        defect('too_short', `must have at least ${min} item${min === 1 ? '' : 's'}`),
      );
    }
    const errors: t.ValidationError[] = [];
    const items: A[] = [];
    for (const [i, item] of value.entries()) {
      const result = type.validate(item, t.appendContext(context, String(i), type, item));
      if (E.isRight(result)) items.push(result.right);
      else collectErrors(errors, result);
    }
    return errors.length > 0 ? E.left(errors) : E.right(items);
  };

/** A list of one shape; `min` items at least. A single value is not taken for a list. */
export const listOf = <A>(
  item: Shape<A>,
  { min = 0 }: { readonly min?: number } = {},
): Shape<readonly A[]> => {
  const label = `list of ${item.label}${min > 0 ? `, at least ${min}` : ''}`;
  return {
    label,
    codec: new t.Type<readonly A[], Json, unknown>(
      label,
      (value): value is readonly A[] => Array.isArray(value) && value.every((one) => item.codec.is(one)),
      readItems(item.codec, min),
      (items) => items.map(item.codec.encode),
    ),
    stored: storedType(label, (value, context) =>
      E.map((items: readonly unknown[]) => items as readonly Json[])(
        readItems(item.stored, min)(value, context),
      ),
    ),
    schema: { type: 'array', items: item.schema, ...(min > 0 ? { minItems: min } : {}) },
    child: (_, key) => (typeof key === 'number' ? item : undefined),
  };
};

/** Reads each value of an object with `type`; any key is fine. */
const readValues =
  <A>(type: t.Type<A, Json, unknown>): Read<Readonly<Record<string, A>>> =>
  (value, context) => {
    if (!isPlainObject(value)) {
      return refuse(value, context, defect('wrong_type', `must be an object, not ${kindOf(value)}`));
    }
    const errors: t.ValidationError[] = [];
    const entries: [string, A][] = [];
    for (const key of Object.keys(value)) {
      const result = type.validate(value[key], t.appendContext(context, key, type, value[key]));
      if (E.isRight(result)) entries.push([key, result.right]);
      else collectErrors(errors, result);
    }
    // fromEntries defines own properties, so that a key `__proto__` is a key like any other.
    return errors.length > 0 ? E.left(errors) : E.right(Object.fromEntries(entries));
  };

const mapValues = <A>(value: Readonly<Record<string, A>>, f: (one: A) => Json): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, f(one)]));

/** An object with free keys whose values all have one shape. */
export const mapOf = <A>(item: Shape<A>): Shape<Readonly<Record<string, A>>> => {
  const label = `object of ${item.label}`;
  return {
    label,
    codec: new t.Type<Readonly<Record<string, A>>, Json, unknown>(
      label,
      (value): value is Readonly<Record<string, A>> =>
        isPlainObject(value) && Object.values(value).every((one) => item.codec.is(one)),
      readValues(item.codec),
      (value) => mapValues(value, item.codec.encode),
    ),
    stored: storedType(label, (value, context) =>
      E.map((values: Readonly<Record<string, unknown>>) => values as JsonObject)(
        readValues(item.stored)(value, context),
      ),
    ),
    schema: { type: 'object', additionalProperties: item.schema },
    free: true,
    child: (_, key) => (typeof key === 'string' ? item : undefined),
  };
};

/** Why a value is not JSON, or `null`; `depth` counts the lists and objects around it. */
const jsonDefect = (value: unknown, depth: number): Defect | null => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : defect('wrong_type', 'must not hold a number that is not finite');
  }
  if (!Array.isArray(value) && !isPlainObject(value)) {
    return defect('wrong_type', `must be JSON, which has no place for ${kindOf(value)} of this kind`);
  }
  if (depth >= MAX_FREE_DEPTH)
    return defect('too_deep', `must not be nested deeper than ${MAX_FREE_DEPTH} levels`);
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    const found = jsonDefect(inner, depth + 1);
    if (found !== null) return found;
  }
  return null;
};

const isJson = (value: unknown): value is Json => jsonDefect(value, 0) === null;

/** Where the first scalar stands that is no JSON. For values of limited depth. */
const strangeIn = (value: unknown, context: t.Context): t.Context | null => {
  if (!Array.isArray(value) && !isPlainObject(value)) return jsonDefect(value, 0) === null ? null : context;
  for (const [key, inner] of Object.entries(value)) {
    const found = strangeIn(inner, t.appendContext(context, key, t.unknown, inner));
    if (found !== null) return found;
  }
  return null;
};

const readJson: Read<Json> = (value, context) => {
  const found = jsonDefect(value, 0);
  if (found === null) return E.right(value as Json);
  // Depth is a limit of the whole value.
  const place = found.type === 'too_deep' ? context : (strangeIn(value, context) ?? context);
  return refuse(value, place, found);
};

/** Any JSON value, `null` too; nesting is limited to `MAX_FREE_DEPTH`. */
export const anyJson = (): Shape<Json> => {
  const codec = new t.Type<Json, Json, unknown>('any JSON value', isJson, readJson, (value) => value);
  return { label: codec.name, codec, stored: storedLeaf(codec), schema: {}, free: true };
};

/** Any JSON object; its keys are free and its values any JSON. */
export const freeObject = (): Shape<JsonObject> => {
  const codec = new t.Type<JsonObject, Json, unknown>(
    'object',
    (value): value is JsonObject => isPlainObject(value) && isJson(value),
    (value, context) =>
      isPlainObject(value)
        ? E.map((json: Json) => json as JsonObject)(readJson(value, context))
        : refuse(value, context, defect('wrong_type', `must be an object, not ${kindOf(value)}`)),
    (value) => value,
  );
  return { label: codec.name, codec, stored: storedLeaf(codec), schema: { type: 'object' }, free: true };
};
