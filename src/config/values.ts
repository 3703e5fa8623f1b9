import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import type { AnyShape, Field } from '../schema/index.js';

const isExtension = (shape: AnyShape | undefined): boolean =>
  (shape as Partial<Field<unknown>> | undefined)?.extension === true;

const NOTHING: JsonObject = {};

const storedFor = (shape: AnyShape, stored: Json | undefined, body: JsonObject): JsonObject => {
  if (!isJsonObject(stored)) return NOTHING;
  return shape.kindOf?.(stored) === shape.kindOf?.(body) ? stored : NOTHING;
};

const keepInObject = (shape: AnyShape, stored: JsonObject, body: JsonObject): JsonObject => {
  /** The stored value at a key; the stored kind may have another of its names. */
  const storedAt = (key: string): Json | undefined => {
    if (Object.hasOwn(stored, key)) return stored[key];
    const [alias] = shape.kindOf === undefined ? [] : Object.keys(stored);
    return alias !== undefined && shape.child?.(stored, alias) === shape.child?.(body, key)
      ? stored[alias]
      : undefined;
  };
  const given = Object.entries(body).flatMap(([key, value]): [string, Json][] => {
    const field = shape.child?.(body, key);
    if (field === undefined) return [[key, value]];
    if (isExtension(field)) return value === null ? [] : [[key, value]];
    return [[key, keepExtensions(field, storedAt(key), value)]];
  });
  const kept = Object.entries(stored).filter(
    ([key]) => !Object.hasOwn(body, key) && isExtension(shape.child?.(stored, key)),
  );
  return Object.fromEntries([...given, ...kept]);
};

/**
 * Adds stored extension keys to a body that lacks them, so that a client of the plain API loses nothing; `null`
 * removes a key. List items are matched by position, plugins also by kind.
 */
export const keepExtensions = (shape: AnyShape, stored: Json | undefined, body: Json): Json => {
  if (Array.isArray(body)) {
    const old = Array.isArray(stored) ? (stored as readonly Json[]) : [];
    return (body as readonly Json[]).map((item, i) => {
      const inner = shape.child?.(body, i);
      return inner === undefined ? item : keepExtensions(inner, old[i], item);
    });
  }
  if (!isJsonObject(body)) return body;
  return keepInObject(shape, storedFor(shape, stored, body), body);
};

/** Compares JSON values of limited depth; the order of keys does not count. */
export const jsonEqual = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item: Json, i) => jsonEqual(item, b[i] as Json));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key] as Json, b[key] as Json))
  );
};
