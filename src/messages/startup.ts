import type { SpateError } from '../domain/errors.js';
import type { StartupEntry } from '../domain/generator.js';
import type { JsonObject } from '../domain/json.js';

/** The startup list: entries that can be used, and those that cannot, each with its reason. */
export interface StartupList {
  readonly entries: readonly StartupEntry[];
  readonly rejected: readonly { readonly id: string | null; readonly error: SpateError }[];
  readonly warnings: readonly string[];
}

/** What only other actors ask of the single writer of the startup file. */
export interface StartupListRequests {
  'startup.list': { payload: null; answer: StartupList };
}

/** An address in the startup list. */
interface Addressed {
  readonly id: string;
  /** `If-Match` as it was given; `null` without. */
  readonly if_match: string | null;
}

/**
 * Requests to the single writer of the startup file. Entries are answered with every default; their paths are
 * relative to the generators directory where they are inside. Nothing is started, stopped or registered.
 */
export interface StartupRequests {
  'startup.entries': { payload: null; answer: readonly StartupEntry[] };
  'startup.read': {
    payload: { readonly id: string };
    answer: { readonly entry: StartupEntry; readonly etag: string };
  };
  'startup.create': { payload: { readonly id: string; readonly entry: JsonObject }; answer: null };
  'startup.replace': {
    payload: Addressed & { readonly entry: JsonObject };
    answer: { readonly etag: string };
  };
  'startup.delete': { payload: Addressed; answer: null };
  /** Answers the ids that were really taken out, in the order of the file. */
  'startup.bulk_delete': { payload: { readonly ids: readonly string[] }; answer: readonly string[] };
}

export interface Scenario {
  readonly name: string;
  /** Members by the startup list, in its order, then those that run and were members when they started. */
  readonly generator_ids: readonly string[];
}

interface Membership {
  readonly name: string;
  readonly generator_id: string;
}

/** Requests about who is in which scenario, which the startup file says. Running generators go on as they are. */
export interface MembershipRequests {
  'scenarios.list': { payload: null; answer: readonly string[] };
  'scenarios.read': { payload: { readonly name: string }; answer: Scenario };
  /** Takes the name out of every entry. */
  'scenarios.delete': { payload: { readonly name: string }; answer: null };
  'scenarios.join': { payload: Membership; answer: null };
  'scenarios.leave': { payload: Membership; answer: null };
}
