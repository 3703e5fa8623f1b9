import { mergePatch } from '../../../domain/globals/globals.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';

/** Keys and list positions from the root of the globals. */
export type GlobalPath = readonly [string, ...(readonly (string | number)[])];

/** A change of one value; without `value`, it is removed. */
export interface GlobalEdit {
  readonly path: GlobalPath;
  readonly value?: Json;
}

/** How an edit is sent. */
export type PatchToShow =
  /** Replaces each top-level key as a whole. */
  | { readonly kind: 'shallow'; readonly values: JsonObject }
  /** RFC 7386: leaves the keys beside the changed one to the templates that write them. */
  | { readonly kind: 'rfc7386'; readonly values: JsonObject }
  /** Needs the current value: a list is replaced as a whole. */
  | { readonly kind: 'rewrite' };

export const childAt = (value: Json | undefined, key: string | number): Json | undefined => {
  if (Array.isArray(value)) return typeof key === 'number' ? (value as readonly Json[])[key] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

export const globalAt = (root: Json | undefined, path: readonly (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>(childAt, root);

const nested = (path: readonly (string | number)[], value: Json): Json =>
  path.reduceRight<Json>((inner, key) => Object.fromEntries([[key, inner]]), value);

/** A merge patch would merge an object and take `null` for a removal. */
const isPlain = (value: Json): boolean => value !== null && !isJsonObject(value);

export const globalsPatchOf = ({ path, value }: GlobalEdit): PatchToShow => {
  const isInObjects = path.every((key) => typeof key === 'string');
  if (value === undefined) {
    return isInObjects ? { kind: 'rfc7386', values: nested(path, null) as JsonObject } : { kind: 'rewrite' };
  }
  if (path.length === 1) return { kind: 'shallow', values: nested(path, value) as JsonObject };
  return isInObjects && isPlain(value)
    ? { kind: 'rfc7386', values: nested(path, value) as JsonObject }
    : { kind: 'rewrite' };
};

const inList = (list: readonly Json[], at: number, rest: readonly (string | number)[], next?: Json): Json => {
  if (at >= list.length) return list;
  if (rest.length > 0) return list.map((one, index) => (index === at ? changed(one, rest, next) : one));
  return next === undefined ? list.toSpliced(at, 1) : list.toSpliced(at, 1, next);
};

const inObject = (
  value: JsonObject,
  key: string,
  rest: readonly (string | number)[],
  next?: Json,
): JsonObject => {
  const entries = Object.entries(value);
  const inner = childAt(value, key);
  if (rest.length === 0) {
    return Object.fromEntries(
      next === undefined ? entries.filter(([name]) => name !== key) : [...entries, [key, next]],
    );
  }
  return inner === undefined ? value : Object.fromEntries([...entries, [key, changed(inner, rest, next)]]);
};

/** The value with a part set, or removed without `next`; unchanged if what holds the part is gone. */
export const changed = (value: Json, path: readonly (string | number)[], next?: Json): Json => {
  const [key, ...rest] = path;
  if (key === undefined) return next ?? null;
  if (Array.isArray(value)) {
    return typeof key === 'number' ? inList(value as readonly Json[], key, rest, next) : value;
  }
  return isJsonObject(value) && typeof key === 'string' ? inObject(value, key, rest, next) : value;
};

/** The globals after an edit. */
export const edited = (globals: JsonObject, edit: GlobalEdit): JsonObject => {
  const patch = globalsPatchOf(edit);
  if (patch.kind === 'rfc7386') return mergePatch(globals, patch.values) as JsonObject;
  return changed(globals, edit.path, edit.value) as JsonObject;
};
