import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/json.js';
import { showPath } from './issues.js';
import { isPlainObject } from './reader.js';
import type { AnyShape } from './shape.js';

type Path = readonly (string | number)[];

const isObject = (value: Json): value is JsonObject => isPlainObject(value);

/** Shapes with declared or free keys. */
const isObjectShape = (shape: AnyShape): boolean =>
  shape.free === true || (shape.child !== undefined && shape.child([], 0) === undefined);

/** Splits a key at dots as far as the declaration knows the left part; never in free objects. */
const splitKey = (shape: AnyShape, value: Json, key: string): readonly string[] => {
  if (!key.includes('.') || key.split('.').includes('')) return [key];
  const parts: string[] = [];
  let rest = key;
  let at = shape;
  for (let dot = rest.indexOf('.'); dot > 0 && at.free !== true; dot = rest.indexOf('.')) {
    const next = at.child?.(parts.length === 0 ? value : undefined, rest.slice(0, dot));
    if (next === undefined || !isObjectShape(next)) break;
    parts.push(rest.slice(0, dot));
    rest = rest.slice(dot + 1);
    at = next;
  }
  return [...parts, rest];
};

/** Merges two objects; free objects only one level deep, because their values have no shape. */
const mergeObjects = (
  shape: AnyShape | undefined,
  into: JsonObject,
  from: JsonObject,
  path: Path,
  issues: Issue[],
): JsonObject => {
  const entries = new Map<string, Json>(Object.entries(into));
  for (const [key, value] of Object.entries(from)) mergeKey(shape, entries, key, value, path, issues);
  return Object.fromEntries(entries);
};

const mergeKey = (
  shape: AnyShape | undefined,
  entries: Map<string, Json>,
  key: string,
  value: Json,
  path: Path,
  issues: Issue[],
): void => {
  const existing = entries.get(key);
  if (existing === undefined) {
    entries.set(key, value);
    return;
  }
  const at = [...path, key];
  const inner = shape?.child?.(undefined, key);
  if (isObject(existing) && isObject(value) && inner !== undefined) {
    entries.set(key, mergeObjects(inner, existing, value, at, issues));
    return;
  }
  issues.push({
    path: at,
    type: 'conflict',
    message: `'${showPath(at)}' is set twice, or once as a value and once as an object`,
    hint: 'Keep one spelling, nested or dotted.',
  });
};

const expandKeys = (shape: AnyShape, value: JsonObject, path: Path, issues: Issue[]): JsonObject => {
  const entries = new Map<string, Json>();
  for (const [key, given] of Object.entries(value)) {
    const [first = key, ...inner] = splitKey(shape, value, key);
    const nested = inner.reduceRight<Json>((one, part) => Object.fromEntries([[part, one]]), given);
    mergeKey(shape, entries, first, nested, path, issues);
  }
  return Object.fromEntries(entries);
};

const expand = (shape: AnyShape | undefined, value: Json, path: Path, issues: Issue[]): Json => {
  const child = shape?.child;
  if (shape === undefined || child === undefined) return value;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, i) => expand(child(value, i), item, [...path, i], issues));
  }
  if (!isObject(value)) return value;
  const whole = shape.free === true ? value : expandKeys(shape, value, path, issues);
  return Object.fromEntries(
    Object.entries(whole).map(([key, one]) => [key, expand(child(whole, key), one, [...path, key], issues)]),
  );
};

/**
 * Expands dotted keys: `cron.count: 1` becomes `cron: {count: 1}`, in lists too, and merges both spellings of a
 * prefix. Only declared keys are split, never those of free objects (`params`, headers) or keys with an empty
 * part. Returns an issue for each value that is set twice, by full path (`input[0].static.count`).
 */
export const expandDotted = (value: Json, shape: AnyShape): E.Either<Issue[], Json> => {
  const issues: Issue[] = [];
  const expanded = expand(shape, value, [], issues);
  return issues.length > 0 ? E.left(issues) : E.right(expanded);
};
