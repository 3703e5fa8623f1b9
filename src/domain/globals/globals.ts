import type { Json, JsonObject } from '../json.js';

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
