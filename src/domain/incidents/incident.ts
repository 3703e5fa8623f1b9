import type { Json, JsonObject } from '../json.js';
import type { MarkMode } from '../marks/mark.js';

/** What a phase does with one member. */
export interface PhaseMember {
  /** Events that the phase adds, evenly over its length. */
  readonly events: number;
  /** Aliases of the templates that make them; empty: those that make the others. */
  readonly templates: readonly string[];
  /** Values that these events read from the globals; `${entity.property}` stands for what was drawn. */
  readonly globals: JsonObject;
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
  /** Marks of all events, so that the ground truth can name them; `null`: as the configs say. */
  readonly marks: MarkMode | null;
  /** An entry of `output`; `null`: no ground truth is kept. */
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

const PLACEHOLDER = /\$\{([A-Za-z_][\w-]*)(?:\.([A-Za-z_][\w-]*))?\}/g;

/** `undefined`: there is no such entity or property. */
const drawnAt = (drawn: JsonObject, entity: string, property: string | undefined): Json | undefined => {
  const value = Object.hasOwn(drawn, entity) ? drawn[entity] : undefined;
  if (property === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, property) ? (value as JsonObject)[property] : undefined;
};

/** `${entity}` and `${entity.property}` in texts, that are unknown. */
export const unknownEntities = (value: Json, drawn: JsonObject): readonly string[] => {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].flatMap(([whole, entity = '', property]) =>
      drawnAt(drawn, entity, property) === undefined ? [whole] : [],
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => unknownEntities(one, drawn));
};

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** With what was drawn in place of `${entity.property}`; a text that is nothing else keeps the type. */
export const withEntities = (value: Json, drawn: JsonObject): Json => {
  if (typeof value === 'string') {
    const [first] = value.matchAll(PLACEHOLDER);
    if (first !== undefined && first[0] === value)
      return drawnAt(drawn, first[1] as string, first[2]) ?? value;
    return value.replaceAll(PLACEHOLDER, (_, entity: string, property: string | undefined) =>
      textOf(drawnAt(drawn, entity, property)),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => withEntities(one, drawn));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withEntities(one, drawn)]));
};

/** The entities that values name, each with what was drawn. */
export const entitiesIn = (value: Json, drawn: JsonObject): JsonObject => {
  const names = new Set<string>();
  const visit = (one: Json): void => {
    if (typeof one === 'string') for (const [, entity = ''] of one.matchAll(PLACEHOLDER)) names.add(entity);
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => names.has(name)));
};
