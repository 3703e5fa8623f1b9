import { isJsonObject, type Json, type JsonObject, parsedJson } from '../../../domain/json.js';
import type { IncidentMemberStatus, IncidentMoment, IncidentTruth } from '../../../messages/incidents.js';
import { shownCount } from '../../parts/numbers.js';

/** A line of the ground truth. */
export interface TruthEvent {
  readonly at: string;
  readonly generator: string;
  /** Number of the event in the stream of its generator, from 1. */
  readonly event: number;
  /** Null when the generator makes no marks. */
  readonly mark: string | null;
  readonly phase: string;
  /** Those that the event shows, as drawn. */
  readonly entities: JsonObject;
  readonly line: string;
}

/** What the page has read so far. */
export interface TruthSoFar {
  /** Newest first. */
  readonly events: readonly TruthEvent[];
  /** Where the service goes on. Null before the first answer. */
  readonly next: string | null;
  readonly problem: string | null;
  /** Older events that the page has no room for. */
  readonly left_out: number;
}

export const NO_TRUTH: TruthSoFar = { events: [], next: null, problem: null, left_out: 0 };

/** Events that a page holds. */
export const MAX_TRUTH = 50_000;

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Returns null when the line is no ground truth. */
const truthEventOf = (line: string): TruthEvent | null => {
  const label = parsedJson(line) as Json | undefined;
  if (!isJsonObject(label) || typeof label['event'] !== 'number') return null;
  const { at, generator, event, mark, phase, entities } = label;
  return {
    at: textIn(at),
    generator: textIn(generator),
    event,
    mark: typeof mark === 'string' ? mark : null,
    phase: textIn(phase),
    entities: isJsonObject(entities) ? entities : {},
    line,
  };
};

/** What is known with one more answer of the service. */
export const withTruth = (former: TruthSoFar, part: IncidentTruth): TruthSoFar => {
  const known = part.is_anew ? NO_TRUTH : former;
  const news = part.lines.flatMap((line) => truthEventOf(line) ?? []);
  const events =
    news.length === 0 ? known.events : [...news, ...known.events].toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return {
    events: events.length > MAX_TRUTH ? events.slice(0, MAX_TRUTH) : events,
    next: part.next,
    problem: part.problem,
    left_out: known.left_out + Math.max(0, events.length - MAX_TRUTH),
  };
};

type Members = readonly Pick<IncidentMemberStatus, 'name' | 'generator_id'>[];

/** The member that made an event. The generator of one that the incident had made may be gone. */
export const sourceOf =
  (incident: string, members: Members) =>
  (generator: string): string => {
    const own = `${incident}.`;
    const member =
      members.find((one) => one.generator_id === generator) ??
      members.find(({ name }) => generator === `${own}${name.replaceAll(' ', '-')}`);
    return member?.name ?? generator;
  };

/** What a person has chosen; empty texts choose everything. */
export interface TruthFilter {
  readonly source: string;
  readonly phase: string;
  /** Name of an entity. */
  readonly entity: string;
}

export const isChosen = (
  { generator, phase, entities }: TruthEvent,
  filter: TruthFilter,
  nameOf: (generator: string) => string,
): boolean =>
  (filter.source === '' || nameOf(generator) === filter.source) &&
  (filter.phase === '' || phase === filter.phase) &&
  (filter.entity === '' || Object.hasOwn(entities, filter.entity));

/** Events that phases have made in a run, beside those expected of all their times and rounds. */
export const phaseCounts = (
  events: readonly Pick<TruthEvent, 'phase'>[],
  timeline: readonly Pick<IncidentMoment, 'phase' | 'expected'>[],
  rounds: number,
): ReadonlyMap<string, string> => {
  const made = new Map<string, number>();
  for (const { phase } of events) made.set(phase, (made.get(phase) ?? 0) + 1);
  const expected = new Map<string, number | null>();
  for (const { phase, expected: events } of timeline) {
    const known = expected.get(phase);
    expected.set(phase, events === null || known === null ? null : (known ?? 0) + events * rounds);
  }
  return new Map(
    [...expected].map(([phase, wanted]) => {
      const count = shownCount(made.get(phase) ?? 0);
      return [phase, wanted === null ? count : `${count} of ${shownCount(wanted)}`];
    }),
  );
};

/** A value to choose, and how many events have it. */
export interface TruthChoice {
  readonly value: string;
  readonly count: number;
}

/** The values of events in the order of their first event. */
export const truthChoices = (
  events: readonly TruthEvent[],
  valuesOf: (event: TruthEvent) => readonly string[],
): readonly TruthChoice[] => {
  const counts = new Map<string, number>();
  for (const event of events.toReversed())
    for (const value of valuesOf(event)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count }));
};

/** Shorter texts are everywhere; the ground truth does not look for them either. */
const MIN_TEXT = 3;

/** Texts by which an event shows an entity. */
export const entityTexts = (entity: Json | undefined): readonly string[] => {
  if (typeof entity === 'string') return entity.length < MIN_TEXT ? [] : [entity];
  return typeof entity === 'object' && entity !== null ? Object.values(entity).flatMap(entityTexts) : [];
};

/** An event around the text by which it shows an entity. */
export interface Excerpt {
  readonly before: string;
  readonly shown: string;
  readonly after: string;
}

/** Characters before the text: what comes first is often the same in all events. */
const LEAD = 40;

/** Returns the event from near the first of the texts on; the whole event when it has none of them. */
export const excerptOf = (event: string, texts: readonly string[]): Excerpt => {
  const lower = event.toLowerCase();
  const found = texts
    .map((text) => ({ at: lower.indexOf(text.toLowerCase()), length: text.length }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0];
  if (found === undefined) return { before: '', shown: '', after: event };
  const { at, length } = found;
  const before = at > LEAD ? `…${event.slice(at - LEAD, at)}` : event.slice(0, at);
  return { before, shown: event.slice(at, at + length), after: event.slice(at + length) };
};

/** The search that finds a text in any event. */
export const searchFor = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const MARK = /([0-9a-f]{8}:\d+):-?\d+:[0-9a-f]{8}(?![0-9a-f])/g;

/** The mark of an event as the ground truth has it. Null when the event has none; a mark is its last token. */
export const markIn = (text: string): string | null => [...text.matchAll(MARK)].at(-1)?.[1] ?? null;

/** An event that the page has seen while it was made. */
export interface TailedEvent {
  readonly mark: string;
  readonly text: string;
  /** Milliseconds; only differences count. */
  readonly at_ms: number;
}

/** The ground truth of an event may come so much later. */
const SETTLED_MS = 5_000;

/** How many of the seen events show an entity and are not in the ground truth, such as normal traffic of its address. */
export const strangersOf = (
  seen: Iterable<TailedEvent>,
  truth: readonly TruthEvent[],
  entity: Json | undefined,
  now_ms: number,
): number => {
  const texts = entityTexts(entity).map((text) => text.toLowerCase());
  const known = new Set(truth.map(({ mark }) => mark));
  const isStranger = ({ mark, text, at_ms }: TailedEvent): boolean => {
    if (known.has(mark) || now_ms - at_ms < SETTLED_MS) return false;
    const shown = text.toLowerCase();
    return texts.some((one) => shown.includes(one));
  };
  return [...seen].filter(isStranger).length;
};
