import type { Json, JsonObject } from '../domain/json.js';

/** How a patch of globals is meant: JSON merges shallowly per key, `rfc7386` is a merge patch. */
export type GlobalsPatchStyle = 'shallow' | 'rfc7386';

export interface GlobalsState {
  readonly globals: JsonObject;
  /** Strong entity tag of this state. */
  readonly etag: string;
}

interface Addressed {
  readonly name: string;
  /** `If-Match` as it was given; `null` without. */
  readonly if_match: string | null;
}

/** Requests about scenarios and their shared state. */
export interface ScenarioRequests {
  'globals.patch': {
    payload: Addressed & {
      readonly patch: Readonly<Record<string, Json>>;
      readonly style: GlobalsPatchStyle;
    };
    answer: { readonly etag: string };
  };
  /** Left `not_found` only when the key is missing: `null` is a value. */
  'globals.read_key': {
    payload: { readonly name: string; readonly key: string };
    answer: { readonly value: Json; readonly etag: string };
  };
  'globals.read': { payload: { readonly name: string }; answer: GlobalsState };
  'globals.replace': {
    payload: Addressed & { readonly globals: JsonObject };
    answer: { readonly etag: string };
  };
  'globals.clear': { payload: Addressed; answer: { readonly etag: string } };
  'globals.delete_key': { payload: Addressed & { readonly key: string }; answer: { readonly etag: string } };
}
