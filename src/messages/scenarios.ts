import type { GlobalsChange } from '../domain/globals/patch.js';
import type { Json, JsonObject } from '../domain/json.js';

export interface GlobalsState {
  readonly globals: JsonObject;
  /** Strong entity tag. */
  readonly etag: string;
}

/** Requests about the globals of a scenario. Their messages to the thread have the same names. */
export interface ScenarioRequests {
  /** `if_match`: the `If-Match` header; `null` without one. */
  'globals.change': {
    payload: { readonly name: string; readonly change: GlobalsChange; readonly if_match: string | null };
    answer: { readonly etag: string };
  };
  'globals.read': { payload: { readonly name: string }; answer: GlobalsState };
  /** Left `not_found` only when the key is missing: `null` is a value. */
  'globals.read_key': {
    payload: { readonly name: string; readonly key: string };
    answer: { readonly value: Json; readonly etag: string };
  };
}
