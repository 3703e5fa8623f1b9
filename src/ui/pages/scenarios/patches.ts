import type { Json, JsonObject } from '../../../domain/json.js';
import type { GlobalsPatch } from '../../../messages/scenarios.js';

type KeyChange = GlobalsPatch['keys'][number];
type ShownValue = NonNullable<KeyChange['old']>;

export const KIND_WORDS: Readonly<Record<GlobalsPatch['kind'], string>> = {
  patch: 'changed',
  merge_patch: 'merged',
  replace: 'replaced everything',
  delete_key: 'removed',
};

const MAX_CUT = 60;

/** A value on one line. */
export const shownChange = ({ value, is_cut }: ShownValue): string =>
  is_cut ? `${String(value).slice(0, MAX_CUT)}…` : JSON.stringify(value);

/** What brings the old values back. */
export interface Undo {
  readonly values: JsonObject;
  /** Keys that were missing. */
  readonly remove: readonly string[];
}

/** Returns why a change cannot be undone, or null when it can. */
export const undoFlaw = ({ keys, more_keys }: GlobalsPatch): string | null => {
  if (more_keys > 0) return 'It changed more keys than the history holds.';
  const cut = keys.find((change) => change.old?.is_cut === true);
  return cut === undefined ? null : `The old value of ${cut.key} is too long for the history.`;
};

export const undoOf = ({ keys }: GlobalsPatch): Undo => ({
  values: Object.fromEntries(
    keys.flatMap(({ key, old }): [string, Json][] => (old === null ? [] : [[key, old.value]])),
  ),
  remove: keys.filter(({ old }) => old === null).map(({ key }) => key),
});

const isSame = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Keys that something else has changed since; cut values count as unchanged. */
export const changedSince = ({ keys }: GlobalsPatch, now: JsonObject): readonly string[] =>
  keys
    .filter(({ key, new: then }) => {
      const value = Object.hasOwn(now, key) ? now[key] : undefined;
      return then?.is_cut === true ? value === undefined : !isSame(value, then?.value);
    })
    .map(({ key }) => key);

/** Keys that are there and are to be removed. */
export const toRemove = ({ remove }: Undo, now: JsonObject): readonly string[] =>
  remove.filter((key) => Object.hasOwn(now, key));

/**
 * Keys whose value is what a client last set it to. A counter that a script or template writes is none of them, also
 * after somebody has reset it.
 */
export const steadyKeys = (patches: readonly GlobalsPatch[], now: JsonObject): readonly string[] => {
  const newest = new Map<string, KeyChange>();
  for (const { kind, keys } of patches)
    if (kind !== 'replace')
      for (const change of keys) if (!newest.has(change.key)) newest.set(change.key, change);
  return [...newest].flatMap(([key, { new: then }]) =>
    then !== null && !then.is_cut && Object.hasOwn(now, key) && isSame(now[key], then.value) ? [key] : [],
  );
};
