import type { GeneratorPhase } from '../domain/generator.js';
import type { IncidentRun } from '../domain/incidents/incident.js';
import type { JsonObject } from '../domain/json.js';

export type IncidentState = 'idle' | 'running' | 'paused';

export interface IncidentItem {
  readonly name: string;
  readonly summary: string | null;
  /** Seconds. Null when the file is invalid. */
  readonly duration: number | null;
  readonly state: IncidentState;
  /** Seconds after the start of the incident, negative until it begins; `null` while idle. */
  readonly position: number | null;
  /** Why the file cannot be used. Null when it can. */
  readonly problem: string | null;
}

/** A phase as often as it comes. */
export interface IncidentMoment {
  readonly phase: string;
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Seconds after the start of the incident. */
  readonly from: number;
  readonly to: number;
  /** Sentences of what happens to each member. */
  readonly effects: readonly { readonly member: string; readonly effect: string }[];
  /** Events that it adds. Null when only inputs or an attack decide how many. */
  readonly expected: number | null;
}

export interface IncidentMemberStatus {
  readonly name: string;
  /** Path of the config as the API shows it. */
  readonly path: string;
  /** Generator of the service with this config. Null when none has it: the incident makes one. */
  readonly generator_id: string | null;
  readonly phase: GeneratorPhase | null;
}

export interface IncidentRunSummary {
  readonly seed: string;
  /** ISO 8601 in UTC. */
  readonly started_at: string;
  /** From 1. */
  readonly round: number;
  readonly rounds: number;
}

/** How the last run ended. */
export interface IncidentEnd {
  /** ISO 8601 in UTC; when it began for one that was cut off. */
  readonly at: string;
  /** `cut_off`: the service ended before the run did. */
  readonly outcome: 'finished' | 'stopped' | 'cut_off';
  /** What could not be undone at the end. Null for nothing. */
  readonly reason: string | null;
}

export interface IncidentDetails extends IncidentItem {
  /** The file. */
  readonly text: string;
  /** Values as drawn by the seed of the run or the request. Null when there is no seed, or the file is invalid. */
  readonly entities: JsonObject | null;
  readonly timeline: readonly IncidentMoment[];
  readonly members: readonly IncidentMemberStatus[];
  /** `null` while idle. */
  readonly run: IncidentRunSummary | null;
  readonly last: IncidentEnd | null;
}

/** What a generator is to do as a member of an incident under way. */
export interface Assignment {
  readonly member: string;
  readonly run: IncidentRun;
}

/** Ground truth of the run under way, or of the last one. */
export interface IncidentTruth {
  /** As they were written; those of a member are in order. */
  readonly lines: readonly string[];
  /** Where the next request goes on. */
  readonly next: string;
  /** The lines are those from the beginning: former ones no longer count. */
  readonly is_anew: boolean;
  /** More lines are there already. */
  readonly is_more: boolean;
  /** Why the ground truth cannot be read here. Null when it can. */
  readonly problem: string | null;
}

interface Named {
  readonly name: string;
}

export interface IncidentRequests {
  'incidents.list': { payload: null; answer: readonly IncidentItem[] };
  /** `seed`: draws the entities of an idle incident. */
  'incidents.read': { payload: Named & { readonly seed: string | null }; answer: IncidentDetails };
  /** A null `after` is for all lines. */
  'incidents.truth': { payload: Named & { readonly after: string | null }; answer: IncidentTruth };
  /** Answers once all members take part. Nothing has changed after an error. A null `seed` draws one. */
  'incidents.start': {
    payload: Named & { readonly seed: string | null; readonly rounds: number };
    answer: IncidentRunSummary;
  };
  'incidents.pause': { payload: Named; answer: null };
  'incidents.resume': { payload: Named; answer: null };
  /** `to`: the name of a phase, or a duration after the start such as 8m. */
  'incidents.jump': { payload: Named & { readonly to: string }; answer: null };
  /** Ends it; members go on as before. */
  'incidents.stop': { payload: Named; answer: null };
  /** Creates or replaces the file. */
  'incidents.write': { payload: Named & { readonly text: string }; answer: null };
  'incidents.delete': { payload: Named; answer: null };
}
