import { isJsonObject, type Json, type JsonObject } from '../json.js';

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
