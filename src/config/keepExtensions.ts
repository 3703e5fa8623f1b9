import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import type { AnyShape, Field } from '../schema/index.js';

const isExtension = (shape: AnyShape | undefined): boolean =>
  (shape as Partial<Field<unknown>> | undefined)?.extension === true;

const NOTHING: JsonObject = {};

/** What is stored for this object: nothing where another kind of plugin stands there. */
const storedFor = (shape: AnyShape, stored: Json | undefined, body: JsonObject): JsonObject => {
  if (!isJsonObject(stored)) return NOTHING;
  return shape.kindOf?.(stored) === shape.kindOf?.(body) ? stored : NOTHING;
};

const keepInObject = (shape: AnyShape, stored: JsonObject, body: JsonObject): JsonObject => {
  /** The stored value at a key; a kind may be stored under another of its names. */
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
 * Lays stored extension keys under a body that lacks them, so that a client of the API document alone loses nothing.
 * `null` removes such a key. List items are matched by position, plugins also by kind.
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
