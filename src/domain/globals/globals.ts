import type { Json, JsonObject } from '../json.js';

/** Shared state of one scenario as scripts and templates see it. */
export interface GlobalsReader {
  /** Value of the key, or `fallback` (default `null`) when it is missing. */
  readonly get: (key: string, fallback?: Json) => Json;
  readonly has: (key: string) => boolean;
  /** A copy of everything as JSON. */
  readonly snapshot: () => JsonObject;
}

/** The home scenario: read and write. `get` finds keys missing at home in the other scenarios, in order. */
export interface GlobalsView extends GlobalsReader {
  readonly set: (key: string, value: Json) => void;
  /** Shallow merge: each key is replaced whole. */
  readonly update: (values: JsonObject) => void;
  readonly delete: (key: string) => boolean;
  /** Adds to a number (missing counts as 0) and returns the new value. */
  readonly increment: (key: string, by?: number) => number;
  /** Another scenario of the generator, read-only unless it is the home; undefined when it is not a member. */
  readonly scenario: (name: string) => GlobalsReader | undefined;
}
