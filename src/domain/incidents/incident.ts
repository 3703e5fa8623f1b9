import type { JsonObject } from '../json.js';
import type { MarkMode } from '../marks/mark.js';
import type { Micros } from '../time/micros.js';

/** What a phase does with one member. */
export interface PhaseMember {
  /** Events that the phase adds, evenly over its length. */
  readonly events: number;
  /** Entries of `input`: more events that the phase adds. */
  readonly input: readonly JsonObject[];
  /** Aliases of the templates that make them; empty: those that make the others. */
  readonly templates: readonly string[];
  /** Values that these events read from the globals; `${entity.property}` stands for what was drawn. */
  readonly globals: JsonObject;
  /** Factor of the usual rate of the member meanwhile. */
  readonly rate_factor: number;
  /** Entries of `output` in place of those of the member meanwhile. Null when it keeps its own. */
  readonly output: readonly JsonObject[] | null;
}

export interface Phase {
  readonly name: string;
  /** Seconds after the start of the incident. */
  readonly at: number;
  readonly for: number;
  readonly repeat: { readonly times: number; readonly every: number } | null;
  /** Members that make no events of their own meanwhile. */
  readonly stopped: readonly string[];
  /** Values that the usual events of all members, and those of the phase, read meanwhile. */
  readonly globals: JsonObject;
  readonly members: Readonly<Record<string, PhaseMember>>;
}

/** A story over several generators. */
export interface Incident {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  readonly entities: JsonObject;
  readonly phases: readonly Phase[];
  /** Marks of all events, so that the ground truth can name them. Null when each config decides. */
  readonly marks: MarkMode | null;
  /** An entry of `output`. Null when no ground truth is kept. */
  readonly ground_truth: JsonObject | null;
}

/** A phase as often as it comes. */
export interface Occurrence {
  readonly phase: Phase;
  /** From 1. */
  readonly number: number;
  /** Seconds after the start of the incident. */
  readonly from: number;
  readonly to: number;
}

/** Where an incident begins, what was drawn for it, and which part of it is told. */
export interface Story {
  readonly incident: Incident;
  /** Wall time of its second 0. */
  readonly start: Micros;
  readonly drawn: JsonObject;
  /** In seconds after the start; the end is exclusive. */
  readonly told: { readonly from: number; readonly to: number };
  /** True: members make events between the start and the end of the incident only. False: they go on before and after. */
  readonly isAlone: boolean;
}

/** The tag of the timestamps that a phase adds. */
export const phaseTag = (incident: string, phase: string): string => `incident:${incident}/${phase}`;

/** The phases in the order of their beginnings, cut at the end of the incident. */
export const occurrencesOf = ({
  phases,
  duration,
}: Pick<Incident, 'phases' | 'duration'>): readonly Occurrence[] =>
  phases
    .flatMap((phase) =>
      Array.from({ length: phase.repeat?.times ?? 1 }, (_, index): Occurrence => {
        const from = phase.at + index * (phase.repeat?.every ?? 0);
        return { phase, number: index + 1, from, to: Math.min(duration, from + phase.for) };
      }),
    )
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
