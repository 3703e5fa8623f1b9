import { isJsonObject, type Json, type JsonObject } from '../json.js';

export interface GlobalsReader {
  /** Value of the key, or `fallback` (default `null`). */
  readonly get: (key: string, fallback?: Json) => Json;
  readonly has: (key: string) => boolean;
  readonly snapshot: () => JsonObject;
}

/** The home scenario. `get` looks up missing keys in the other scenarios, in order. */
export interface GlobalsView extends GlobalsReader {
  readonly set: (key: string, value: Json) => void;
  /** Shallow merge: each key is replaced whole. */
  readonly update: (values: JsonObject) => void;
  readonly delete: (key: string) => boolean;
  /** Adds to a number, 0 if missing, and returns the sum. */
  readonly increment: (key: string, by?: number) => number;
  /** A scenario of the generator, read-only unless it is the home; undefined: not a member. */
  readonly scenario: (name: string) => GlobalsReader | undefined;
}

export type GlobalsChange =
  | { readonly kind: 'shallow'; readonly values: JsonObject }
  | { readonly kind: 'rfc7386'; readonly values: JsonObject }
  | { readonly kind: 'replace'; readonly values: JsonObject }
  | { readonly kind: 'delete_key'; readonly key: string };

/** Without prototype: `__proto__` is an ordinary key. */
type Bare = Record<string, Json>;
const bare = (): Bare => Object.create(null) as Bare;

export const copyJson = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  const copy = bare();
  for (const key of Object.keys(value)) copy[key] = copyJson(value[key] as Json);
  return copy;
};

/** RFC 7386 section 2: objects merge, `null` removes, everything else replaces. */
export const mergePatch = (target: Json | undefined, patch: Json): Json => {
  if (!isJsonObject(patch)) return copyJson(patch);
  const result = bare();
  if (isJsonObject(target)) for (const key of Object.keys(target)) result[key] = target[key] as Json;
  for (const key of Object.keys(patch)) {
    const value = patch[key] as Json;
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
};

/** The state after a change; unchanged values are shared. */
export const applyChange = (state: JsonObject, change: GlobalsChange): JsonObject => {
  if (change.kind === 'replace') return copyJson(change.values) as JsonObject;
  if (change.kind === 'rfc7386') return mergePatch(state, change.values) as JsonObject;
  const next = bare();
  for (const key of Object.keys(state)) next[key] = state[key] as Json;
  if (change.kind === 'delete_key') delete next[change.key];
  else for (const key of Object.keys(change.values)) next[key] = copyJson(change.values[key] as Json);
  return next;
};

/** Changed keys that a patch names; more are counted. */
const MAX_KEYS = 32;
/** Longer values, as JSON text, are cut. */
const MAX_VALUE_CHARS = 1_024;
const CUT_CHARS = 200;

/** A value of a key before or after a change. */
export interface ShownValue {
  /** The start of its JSON text if it was cut. */
  readonly value: Json;
  readonly is_cut: boolean;
}

/** Change of a key. `old` is null when the key was missing, `new` when it is missing now. */
export interface KeyChange {
  readonly key: string;
  readonly old: ShownValue | null;
  readonly new: ShownValue | null;
}

export interface Changes {
  readonly keys: readonly KeyChange[];
  /** Number of changed keys beyond these. */
  readonly more_keys: number;
}

const textOf = (value: Json | undefined): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};

const shownOf = (text: string | undefined): ShownValue | null => {
  if (text === undefined) return null;
  return text.length > MAX_VALUE_CHARS
    ? { value: text.slice(0, CUT_CHARS), is_cut: true }
    : { value: JSON.parse(text) as Json, is_cut: false };
};

/** What a change did to the keys of a state. Unchanged values that are shared cost nothing. */
export const changesOf = (before: JsonObject, after: JsonObject): Changes => {
  const keys: KeyChange[] = [];
  let more_keys = 0;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[key] === after[key]) continue;
    const [old, now] = [textOf(before[key]), textOf(after[key])];
    if (old === now) continue;
    if (keys.length === MAX_KEYS) more_keys++;
    else keys.push({ key: key.slice(0, MAX_VALUE_CHARS), old: shownOf(old), new: shownOf(now) });
  }
  return { keys, more_keys };
};

const isShown = (value: Json | undefined): boolean =>
  value === null ||
  (value !== undefined && isJsonObject(value) && typeof value['is_cut'] === 'boolean' && 'value' in value);

const isKeyChange = (value: Json): boolean =>
  isJsonObject(value) && typeof value['key'] === 'string' && isShown(value['old']) && isShown(value['new']);

/** Parses changes as JSON text from a thread with scripts. Returns null when the text is malformed. */
export const parseChanges = (text: string): Changes | null => {
  if (text.length > 8 * MAX_KEYS * MAX_VALUE_CHARS) return null;
  try {
    const value = JSON.parse(text) as Json;
    if (!isJsonObject(value)) return null;
    const { keys, more_keys } = value;
    return Array.isArray(keys) &&
      keys.length <= MAX_KEYS &&
      keys.every(isKeyChange) &&
      typeof more_keys === 'number'
      ? (value as unknown as Changes)
      : null;
  } catch {
    return null;
  }
};
