import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json, JsonObject } from '../domain/json.js';
import { type Defect, defect, kindOf } from './issues.js';
import {
  collectErrors,
  isLongerText,
  isPlainObject,
  MAX_FREE_TEXT_LENGTH,
  MAX_FREE_VALUES,
  MAX_KEY_LENGTH,
  MAX_LIST_ITEMS,
  MAX_MAP_KEYS,
  type Read,
  refuse,
  storedLeaf,
  storedType,
} from './reader.js';
import { once, type Shape } from './shape.js';

/** Levels of free JSON; deeper is `too_deep` rather than a full stack. */
export const MAX_FREE_DEPTH = 100;

/** How the keys of an object become items of a list. */
const itemHint = (value: unknown): string | undefined => {
  const [key] = isPlainObject(value) ? Object.keys(value) : [];
  return key === undefined ? undefined : `Begin each item with \`- \`: \`- ${key}:\`.`;
};

const readItems =
  <A>(type: t.Type<A, Json, unknown>, min: number, max: number): Read<readonly A[]> =>
  (value, context) => {
    if (!Array.isArray(value))
      return refuse(
        value,
        context,
        defect('wrong_type', `must be a list, not ${kindOf(value)}`, itemHint(value)),
      );
    if (value.length < min) {
      return refuse(
        value,
        context,
        defect('too_short', `must have at least ${min} item${min === 1 ? '' : 's'}`),
      );
    }
    if (value.length > max)
      return refuse(value, context, defect('too_long', `must have at most ${max} items`));
    const errors: t.ValidationError[] = [];
    const items: A[] = [];
    for (const [i, item] of value.entries()) {
      const result = type.validate(item, t.appendContext(context, String(i), type, item));
      if (E.isRight(result)) items.push(result.right);
      else collectErrors(errors, result);
    }
    return errors.length > 0 ? E.left(errors) : E.right(items);
  };

/** A list of one shape with `min` to `max` items. A single value is not a list. */
export const listOf = <A>(
  item: Shape<A>,
  { min = 0, max = MAX_LIST_ITEMS }: { readonly min?: number; readonly max?: number } = {},
): Shape<readonly A[]> => {
  const label = `list of ${item.label}${min > 0 ? `, at least ${min}` : ''}`;
  const schema = once(() => ({
    type: 'array',
    items: item.schema,
    ...(min > 0 ? { minItems: min } : {}),
    maxItems: max,
  }));
  return {
    label,
    codec: new t.Type<readonly A[], Json, unknown>(
      label,
      (value): value is readonly A[] => Array.isArray(value) && value.every((one) => item.codec.is(one)),
      readItems(item.codec, min, max),
      (items) => items.map(item.codec.encode),
    ),
    stored: storedType(label, (value, context) =>
      E.map((items: readonly unknown[]) => items as readonly Json[])(
        readItems(item.stored, min, max)(value, context),
      ),
    ),
    get schema() {
      return schema();
    },
    child: (_, key) => (typeof key === 'number' ? item : undefined),
  };
};

const LONG_KEY = defect('too_long', `must not have a key of more than ${MAX_KEY_LENGTH} characters`);

const keysDefect = (keys: readonly string[], max: number): Defect | null => {
  if (keys.length > max) return defect('too_long', `must have at most ${max} keys`);
  return keys.some((key) => isLongerText(key, MAX_KEY_LENGTH)) ? LONG_KEY : null;
};

/** Reads each value of an object with `type`; keys are free. */
const readValues =
  <A>(type: t.Type<A, Json, unknown>, max: number): Read<Readonly<Record<string, A>>> =>
  (value, context) => {
    if (!isPlainObject(value)) {
      return refuse(value, context, defect('wrong_type', `must be an object, not ${kindOf(value)}`));
    }
    const keys = Object.keys(value);
    const wrong = keysDefect(keys, max);
    if (wrong !== null) return refuse(value, context, wrong);
    const errors: t.ValidationError[] = [];
    const entries: [string, A][] = [];
    for (const key of keys) {
      const result = type.validate(value[key], t.appendContext(context, key, type, value[key]));
      if (E.isRight(result)) entries.push([key, result.right]);
      else collectErrors(errors, result);
    }
    // fromEntries keeps `__proto__` an ordinary key.
    return errors.length > 0 ? E.left(errors) : E.right(Object.fromEntries(entries));
  };

const mapValues = <A>(value: Readonly<Record<string, A>>, f: (one: A) => Json): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, f(one)]));

const freeKeys = (max: number): JsonObject => ({
  propertyNames: { maxLength: MAX_KEY_LENGTH },
  maxProperties: max,
});

/** An object with at most `max` free keys, whose values have one shape. */
export const mapOf = <A>(
  item: Shape<A>,
  { max = MAX_MAP_KEYS }: { readonly max?: number } = {},
): Shape<Readonly<Record<string, A>>> => {
  const label = `object of ${item.label}`;
  const schema = once(() => ({ type: 'object', additionalProperties: item.schema, ...freeKeys(max) }));
  return {
    label,
    codec: new t.Type<Readonly<Record<string, A>>, Json, unknown>(
      label,
      (value): value is Readonly<Record<string, A>> =>
        isPlainObject(value) && Object.values(value).every((one) => item.codec.is(one)),
      readValues(item.codec, max),
      (value) => mapValues(value, item.codec.encode),
    ),
    stored: storedType(label, (value, context) =>
      E.map((values: Readonly<Record<string, unknown>>) => values as JsonObject)(
        readValues(item.stored, max)(value, context),
      ),
    ),
    get schema() {
      return schema();
    },
    free: true,
    child: (_, key) => (typeof key === 'string' ? item : undefined),
  };
};

/** Limits of free JSON. */
interface FreeLimits {
  /** Values, including nested ones. */
  readonly maxValues?: number;
}

/** Values still allowed. */
interface Budget {
  left: number;
}

const scalarDefect = (value: unknown): Defect | null => {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string')
    return isLongerText(value, MAX_FREE_TEXT_LENGTH)
      ? defect('too_long', `must not hold a text of more than ${MAX_FREE_TEXT_LENGTH} characters`)
      : null;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : defect('wrong_type', 'must not hold a number that is not finite');
  }
  return defect('wrong_type', `must be JSON, which has no place for ${kindOf(value)} of this kind`);
};

/** Why a value is not JSON within its limits, or `null`; `depth` counts its parents. */
const jsonDefect = (value: unknown, depth: number, budget: Budget): Defect | null => {
  budget.left--;
  if (budget.left < 0) return defect('too_many', 'must hold fewer values');
  const isObject = isPlainObject(value);
  if (!Array.isArray(value) && !isObject) return scalarDefect(value);
  if (depth >= MAX_FREE_DEPTH)
    return defect('too_deep', `must not be nested deeper than ${MAX_FREE_DEPTH} levels`);
  if (isObject) {
    for (const key of Object.keys(value)) if (isLongerText(key, MAX_KEY_LENGTH)) return LONG_KEY;
  }
  for (const inner of isObject ? Object.values(value) : value) {
    const found = jsonDefect(inner, depth + 1, budget);
    if (found !== null) return found;
  }
  return null;
};

const isScalar = (value: unknown): boolean => !Array.isArray(value) && !isPlainObject(value);

/** The path of the first scalar that is not JSON. For values of limited size. */
const strangeIn = (value: unknown, context: t.Context): t.Context | null => {
  if (isScalar(value)) return scalarDefect(value) === null ? null : context;
  for (const [key, inner] of Object.entries(value as object)) {
    const found = strangeIn(inner, t.appendContext(context, key, t.unknown, inner));
    if (found !== null) return found;
  }
  return null;
};

/** Defects of the whole value; other defects have a path in it. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(['too_deep', 'too_many']);

const isJsonWithin =
  (maxValues: number) =>
  (value: unknown): value is Json =>
    jsonDefect(value, 0, { left: maxValues }) === null;

const readJsonWithin =
  (maxValues: number): Read<Json> =>
  (value, context) => {
    const found = jsonDefect(value, 0, { left: maxValues });
    if (found === null) return E.right(value as Json);
    if (found.type === 'too_many')
      return refuse(value, context, { ...found, message: `must contain at most ${maxValues} values` });
    const location = OF_THE_WHOLE.has(found.type) ? context : (strangeIn(value, context) ?? context);
    return refuse(value, location, found);
  };

/** Any JSON value, `null` included, at most `MAX_FREE_DEPTH` levels deep. */
export const anyJson = ({ maxValues = MAX_FREE_VALUES }: FreeLimits = {}): Shape<Json> => {
  const codec = new t.Type<Json, Json, unknown>(
    'any JSON value',
    isJsonWithin(maxValues),
    readJsonWithin(maxValues),
    (value) => value,
  );
  const stored = storedLeaf(codec, MAX_FREE_TEXT_LENGTH);
  return { label: codec.name, codec, stored, schema: {}, free: true };
};

/** Any JSON object. */
export const freeObject = ({ maxValues = MAX_FREE_VALUES }: FreeLimits = {}): Shape<JsonObject> => {
  const isJson = isJsonWithin(maxValues);
  const readJson = readJsonWithin(maxValues);
  const codec = new t.Type<JsonObject, Json, unknown>(
    'object',
    (value): value is JsonObject => isPlainObject(value) && isJson(value),
    (value, context) =>
      isPlainObject(value)
        ? E.map((json: Json) => json as JsonObject)(readJson(value, context))
        : refuse(value, context, defect('wrong_type', `must be an object, not ${kindOf(value)}`)),
    (value) => value,
  );
  // The object counts as a value.
  const schema = { type: 'object', ...freeKeys(maxValues - 1) };
  return { label: codec.name, codec, stored: storedLeaf(codec), schema, free: true };
};
