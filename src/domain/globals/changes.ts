import { isJsonObject, type Json, type JsonObject } from '../json.js';

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
