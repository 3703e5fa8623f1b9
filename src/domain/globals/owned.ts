import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../errors.js';
import { allowsChange, etagOf } from '../etag.js';
import type { Json, JsonObject } from '../json.js';
import {
  applyChange,
  type Changes,
  changesOf,
  copyJson,
  type GlobalsChange,
  type GlobalsReader,
  type GlobalsView,
} from './globals.js';

/** Largest state of one scenario, as JSON text, in UTF-16 units. */
export const MAX_GLOBALS_LENGTH = 16 * 1024 * 1024;

/** Types of values that scripts may store; the content of objects is checked when it is saved. */
const STORABLE: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object']);

/** The state of one scenario on the thread of its members: a plain object, read in nanoseconds. */
export interface OwnedGlobals {
  readonly scenario: string;
  values: Record<string, Json>;
  /** Number of the last change of the API, in the journal. */
  changeNumber: number;
  /** A script or template may have changed it since the last save. */
  isDirty: boolean;
  /** The state is over its limit: scripts may only remove keys. */
  isFull: boolean;
}

export const makeOwnedGlobals = (
  scenario: string,
  values: JsonObject,
  changeNumber: number,
): OwnedGlobals => ({
  scenario,
  values: copyJson(values) as Record<string, Json>,
  changeNumber,
  isDirty: false,
  isFull: false,
});

/** The state as JSON text, and the keys of values that JSON cannot hold (a cycle, a bigint). */
export const ownedGlobalsText = (
  owned: OwnedGlobals,
): { readonly text: string; readonly unsaved: readonly string[] } => {
  const parts: string[] = [];
  const unsaved: string[] = [];
  for (const key of Object.keys(owned.values)) {
    const text = jsonText(owned.values[key]);
    if (text === undefined) unsaved.push(key);
    else parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return { text: `{${parts.join(',')}}`, unsaved };
};

/** The state as JSON text with its entity tag. */
export const readOwnedGlobals = (owned: OwnedGlobals): { readonly etag: string; readonly text: string } => {
  const { text } = ownedGlobalsText(owned);
  return { etag: etagOf(text), text };
};

/**
 * Applies a change of the API whole or not at all, and returns the new entity tag and what changed. Returns the error
 * `precondition_failed` when `If-Match` names another version, `too_large` when the state would exceed its limit.
 */
export const changeOwnedGlobals = (
  owned: OwnedGlobals,
  change: GlobalsChange,
  number: number,
  if_match: string | null,
): Result<{ readonly etag: string; readonly changes: Changes }> => {
  if (if_match !== null && !allowsChange(if_match, readOwnedGlobals(owned).etag)) {
    return E.left(
      failure('precondition_failed', 'the globals have changed since you read them: read them again'),
    );
  }
  const values = applyChange(owned.values, change) as Record<string, Json>;
  const { text } = ownedGlobalsText({ ...owned, values });
  if (text.length > MAX_GLOBALS_LENGTH) {
    const limit = `${MAX_GLOBALS_LENGTH / 1024 / 1024} MiB`;
    const reason = `the globals of scenario "${owned.scenario}" would be over ${limit}: delete keys first`;
    return E.left(failure('too_large', reason));
  }
  const changes = changesOf(owned.values, values);
  owned.values = values;
  owned.changeNumber = number;
  owned.isFull = false;
  return E.right({ etag: etagOf(text), changes });
};

const jsonText = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};

const readerOf = (owned: OwnedGlobals): GlobalsReader => ({
  get: (key, fallback = null) => {
    const value = owned.values[key];
    // The caller may change the object in place, unnoticed.
    if (typeof value === 'object' && value !== null) owned.isDirty = true;
    return value === undefined ? fallback : value;
  },
  has: (key) => owned.values[key] !== undefined,
  snapshot: () => JSON.parse(ownedGlobalsText(owned).text) as JsonObject,
});

const replicaReader = (owned: OwnedGlobals): GlobalsReader => ({
  ...readerOf(owned),
  get: (key, fallback = null) => {
    const value = owned.values[key];
    return value === undefined ? fallback : copyJson(value);
  },
});

/** Globals of one generator: those of its home scenario, and its other scenarios read-only. Calls are atomic: members share the thread. */
export const globalsView = (home: OwnedGlobals, others: readonly OwnedGlobals[]): GlobalsView => {
  const readers = new Map(others.map((owned) => [owned.scenario, replicaReader(owned)]));
  const homeReader = readerOf(home);
  const set = (key: string, value: Json): void => {
    if (home.isFull) {
      throw new RangeError(
        `globals of scenario "${home.scenario}" are over ${MAX_GLOBALS_LENGTH} characters: delete keys first`,
      );
    }
    const type: string = typeof value;
    if (!STORABLE.has(type)) {
      throw new TypeError(`globals hold JSON values only, not ${type} (key "${key}")`);
    }
    home.values[key] = value;
    home.isDirty = true;
  };
  const view: GlobalsView = {
    ...homeReader,
    get: (key, fallback = null) => {
      if (home.values[key] !== undefined) return homeReader.get(key);
      for (const reader of readers.values()) if (reader.has(key)) return reader.get(key);
      return fallback;
    },
    has: (key) => homeReader.has(key) || [...readers.values()].some((reader) => reader.has(key)),
    set,
    update: (values) => {
      for (const key of Object.keys(values)) set(key, values[key] as Json);
    },
    delete: (key) => {
      const was = home.values[key] !== undefined;
      delete home.values[key];
      if (was) home.isDirty = true;
      return was;
    },
    increment: (key, by = 1) => {
      const value = home.values[key] ?? 0;
      if (typeof value !== 'number') {
        throw new TypeError(`globals.increment("${key}"): the value there is ${typeof value}, not a number`);
      }
      set(key, value + by);
      return value + by;
    },
    scenario: (name) => (name === home.scenario ? view : readers.get(name)),
  };
  return view;
};
