import type { StartupEntry, StartupList } from '../domain/generator.js';
import type { Json, JsonObject } from '../domain/json.js';

/** For other actors only. */
export interface StartupListRequests {
  'startup.list': { payload: null; answer: StartupList };
  /** Changes the id of an entry, which must exist. */
  'startup.rename': { payload: { readonly id: string; readonly to: string }; answer: null };
  /** Changes the name of a scenario in every entry that names it. */
  'startup.rename_scenario': { payload: { readonly name: string; readonly to: string }; answer: null };
}

/** An invalid entry as people are told of it. */
interface InvalidEntry {
  /** The written id; null when it is no text. */
  readonly id: string | null;
  /** Position in the file, from 1. */
  readonly position: number;
  readonly autostart: boolean;
  readonly reason: string;
  /** The entry as the file has it. */
  readonly written: Json;
}

interface Addressed {
  readonly id: string;
  /** `If-Match` as it was given; `null` without. */
  readonly if_match: string | null;
}

/** The single writer of the startup file; generators are not touched. Entries have all defaults. */
export interface StartupRequests {
  'startup.entries': { payload: null; answer: readonly StartupEntry[] };
  /** Answers the entries that `startup.entries` leaves out. */
  'startup.invalid': { payload: null; answer: readonly InvalidEntry[] };
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
  /** Answers the removed ids in the order of the file. */
  'startup.bulk_delete': { payload: { readonly ids: readonly string[] }; answer: readonly string[] };
}

export interface Scenario {
  readonly name: string;
  /** Members in the order of the startup list, then running generators that joined earlier. */
  readonly generator_ids: readonly string[];
}

interface Membership {
  readonly name: string;
  readonly generator_id: string;
}

/** Requests about members of scenarios, as the startup file lists them. Running generators keep theirs. */
export interface MembershipRequests {
  'scenarios.list': { payload: null; answer: readonly string[] };
  'scenarios.read': { payload: { readonly name: string }; answer: Scenario };
  /** Removes the name from every entry. */
  'scenarios.delete': { payload: { readonly name: string }; answer: null };
  'scenarios.join': { payload: Membership; answer: null };
  'scenarios.leave': { payload: Membership; answer: null };
}
