import { jsonEqual } from '../../config/values.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { type AnyShape, maskSecrets } from '../../schema/index.js';

export type FieldLocation = readonly (string | number)[];

const childAt = (value: Json | undefined, key: string | number): Json | undefined => {
  if (Array.isArray(value)) return typeof key === 'number' ? (value as readonly Json[])[key] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

export const valueAt = (root: Json | undefined, location: FieldLocation): Json | undefined =>
  location.reduce<Json | undefined>(childAt, root);

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The document with a value at a location; missing objects on the way are made. `undefined` removes the key. */
export const withValue = (root: Json | undefined, location: FieldLocation, value: Json | undefined): Json => {
  const [key, ...rest] = location;
  if (key === undefined) return value ?? null;
  if (typeof key === 'number') {
    const list = Array.isArray(root) ? (root as readonly Json[]) : [];
    if (rest.length === 0 && value === undefined) return list.toSpliced(key, 1);
    return list.toSpliced(key, 1, rest.length === 0 ? (value as Json) : withValue(list[key], rest, value));
  }
  const entries = Object.entries(objectOf(root));
  if (rest.length === 0 && value === undefined)
    return Object.fromEntries(entries.filter(([name]) => name !== key));
  const inner = rest.length === 0 ? (value as Json) : withValue(childAt(root, key), rest, value);
  // `fromEntries` keeps the position of a key that is there, and `__proto__` an ordinary key.
  return Object.fromEntries([...entries, [key, inner]]);
};

/** The list with the item at `from` moved to `to`. */
export const moved = (list: readonly Json[], from: number, to: number): readonly Json[] => {
  const item = list[from];
  return item === undefined || to < 0 || to >= list.length
    ? list
    : list.toSpliced(from, 1).toSpliced(to, 0, item);
};

export interface FieldDifference {
  readonly location: FieldLocation;
  /** Undefined when it was not there. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The smallest parts of objects that differ; a list differs as a whole. */
export const fieldDifferences = (
  before: Json | undefined,
  after: Json | undefined,
  location: FieldLocation = [],
): readonly FieldDifference[] => {
  if (before === after || (before !== undefined && after !== undefined && jsonEqual(before, after)))
    return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ location, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    fieldDifferences(childAt(before, key), childAt(after, key), [...location, key]),
  );
};

/** The document without what equals the defaults, key by key. */
export const withoutDefaults = (value: JsonObject, defaults: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, Json][] => {
      const fallback = childAt(defaults, key);
      if (fallback === undefined) return [[key, one]];
      if (jsonEqual(one, fallback)) return [];
      return isJsonObject(one) && isJsonObject(fallback)
        ? [[key, withoutDefaults(one, fallback)]]
        : [[key, one]];
    }),
  );

/** The document over its defaults, key by key. */
export const layered = (value: JsonObject, defaults: JsonObject): JsonObject => {
  const entries = Object.entries(value).map(([key, one]): [string, Json] => {
    const fallback = childAt(defaults, key);
    return [key, isJsonObject(one) && isJsonObject(fallback) ? layered(one, fallback) : one];
  });
  return { ...defaults, ...Object.fromEntries(entries) };
};

interface Versions {
  readonly base: JsonObject;
  readonly value: JsonObject;
}

/** Differences between two documents, without the values of secrets. */
export const maskedValue = (
  shape: AnyShape,
  differences: readonly FieldDifference[],
  { base, value }: Versions,
): readonly FieldDifference[] => {
  const [before, after] = [maskSecrets(shape, base), maskSecrets(shape, value)];
  return differences.map(({ location }) => ({
    location,
    before: valueAt(before, location),
    after: valueAt(after, location),
  }));
};
