import * as E from 'fp-ts/lib/Either.js';
import { checkGeneratorId, type NameFlaw } from '../identifiers.js';
import type { JsonObject } from '../json.js';
import type { MarkMode } from '../marks/mark.js';
import { MICROS_PER_SECOND, type Micros } from '../time/micros.js';
import { parseSpan } from '../time/span.js';

/** What a phase does with one member. */
export interface PhaseMember {
  /** Events that the phase adds, evenly over its length. */
  readonly events: number;
  /** Entries of `input`: more events that the phase adds. */
  readonly input: readonly JsonObject[];
  /** Attack of the world of the member whose campaigns the phase adds. Null for none. */
  readonly attack: string | null;
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

/** What happens over several generators, as its file says it. */
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

/** Where an incident begins, what was drawn for it, and which part of it runs. */
export interface IncidentRun {
  readonly incident: Incident;
  /** Wall time of its second 0. */
  readonly start: Micros;
  readonly drawn: JsonObject;
  /** In seconds after the start; the end is exclusive. */
  readonly range: { readonly from: number; readonly to: number };
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

const ZERO = /^0+(?:ms|[smhdw])?$/;

/** Returns the seconds of a duration such as `90s`, `1h30m` or `0`, or null when the text is none. */
export const durationSeconds = (written: string): number | null => {
  if (ZERO.test(written)) return 0;
  const span = parseSpan(written);
  return E.isLeft(span) ? null : span.right / MICROS_PER_SECOND;
};

/** Most bytes of an incident file. */
export const MAX_INCIDENT_BYTES = 2_097_152;
/** Most characters of an incident file that the API writes. */
export const MAX_INCIDENT_CHARACTERS = 1_000_000;
/** Characters of the seed of a run. */
export const MAX_INCIDENT_SEED = 1_024;
/** Most rounds of one run. */
export const MAX_ROUNDS = 100_000;

/** Leaves room for the name of a member behind it. */
export const MAX_INCIDENT_NAME = 60;

/** Name of an incident, part of file names and ids: as that of a generator, at most 60 characters. */
export const checkIncidentName = (name: string): NameFlaw | null =>
  name.length > MAX_INCIDENT_NAME
    ? { type: 'too_long', message: `must not be longer than ${MAX_INCIDENT_NAME} characters` }
    : checkGeneratorId(name);

interface Effect {
  readonly member: string;
  /** Continues a sentence that begins with the member. */
  readonly effect: string;
}

/** Events that a phase adds each time it comes. Null when it adds some by inputs or an attack, or none at all. */
export const expectedEvents = ({ members }: Phase): number | null => {
  const all = Object.values(members);
  const sum = all.reduce((events, member) => events + member.events, 0);
  return sum === 0 || all.some(({ input, attack }) => input.length > 0 || attack !== null) ? null : sum;
};

/** What a phase does to members, in words. */
export const effectsOf = ({ members, stopped }: Phase): readonly Effect[] => [
  ...Object.entries(members).flatMap(([member, { events, input, attack, rate_factor, output }]) =>
    [
      ...(events > 0 ? [`${events.toLocaleString('en-US')} events`] : []),
      ...input.map((one) => `events by ${Object.keys(one).join()}`),
      ...(attack === null ? [] : [`the attack ${attack}`]),
      ...(rate_factor === 1 ? [] : [`at ${rate_factor} times its rate`]),
      ...(output === null ? [] : ['writes elsewhere']),
    ].map((effect): Effect => ({ member, effect })),
  ),
  ...stopped.map((member): Effect => ({ member, effect: 'is silent' })),
];
