import type { Changes, GlobalsChange } from '../domain/globals/globals.js';
import type { Json, JsonObject } from '../domain/json.js';

export interface GlobalsState {
  readonly globals: JsonObject;
  /** Strong entity tag. */
  readonly etag: string;
}

/** A change of globals over the API. */
export interface GlobalsPatch extends Changes {
  /** Each number of a scenario once. */
  readonly number: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** `local`: the service asks for no credentials. */
  readonly user: string;
  readonly kind: 'patch' | 'merge_patch' | 'replace' | 'delete_key';
}

/** Requests about the globals of a scenario. Their messages to the thread have the same names. */
export interface ScenarioRequests {
  /** `if_match`: the `If-Match` header; `null` without one. */
  'globals.change': {
    payload: {
      readonly name: string;
      readonly change: GlobalsChange;
      readonly if_match: string | null;
      readonly user: string;
    };
    /** `warnings`: what the change does not do, such as a key that no member reads; absent without any. */
    answer: { readonly etag: string; readonly warnings?: readonly string[] };
  };
  /** Newest first; since the start of the service. */
  'globals.history': { payload: { readonly name: string }; answer: readonly GlobalsPatch[] };
  /** Gives a scenario another name: in the startup list, and its globals. No member may run. */
  'scenarios.rename': { payload: { readonly name: string; readonly to: string }; answer: null };
  'globals.read': { payload: { readonly name: string }; answer: GlobalsState };
  /** The error is `not_found` only when the key is missing: null is a value. */
  'globals.read_key': {
    payload: { readonly name: string; readonly key: string };
    answer: { readonly value: Json; readonly etag: string };
  };
}
