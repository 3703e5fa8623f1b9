import type { JsonObject } from '../json.js';
import { type Occurrence, occurrencesOf, type Story } from './incident.js';

/** A part of the incident in which the usual events of a member are made alike. */
export interface Window {
  /** Seconds after the start of the incident. Null when the window begins before it. */
  readonly from: number | null;
  /** Exclusive. Null when the window has no end. */
  readonly to: number | null;
  readonly isStopped: boolean;
  readonly globals: JsonObject;
  readonly rate_factor: number;
  /** Tags for the routes of outputs. */
  readonly tags: readonly string[];
}

/** The tag of the timestamps while a phase replaces outputs. */
export const outputTag = (incident: string, phase: string): string => `incident:${incident}/${phase}/output`;

const partOf = (member: string, { phase }: Occurrence) => phase.members[member];

const isConcerned = (member: string, occurrence: Occurrence): boolean => {
  const { stopped, globals } = occurrence.phase;
  const part = partOf(member, occurrence);
  return (
    stopped.includes(member) ||
    Object.keys(globals).length > 0 ||
    (part !== undefined && (part.rate_factor !== 1 || part.output !== null))
  );
};

interface Segment extends Pick<Window, 'from' | 'to'> {
  readonly during: readonly Occurrence[];
}

const isSame = (a: readonly Occurrence[], b: readonly Occurrence[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);

/** Neighbors with the same phases become one. */
const joined = (segments: readonly Segment[]): readonly Segment[] =>
  segments.flatMap((segment, index) => {
    const before = segments[index - 1];
    if (before !== undefined && isSame(before.during, segment.during)) return [];
    const next = segments.findIndex((one, at) => at > index && !isSame(one.during, segment.during));
    return [{ ...segment, to: next === -1 ? null : (segments[next] as Segment).from }];
  });

/** Before its start nothing has happened yet; where it stops, its last moment goes on. */
const segmentsOf = (mine: readonly Occurrence[], { told: { from, to }, isAlone }: Story) => {
  const at = (moment: number) => mine.filter((one) => one.from <= moment && moment < one.to);
  const edges = mine.flatMap((one) => [one.from, one.to]).filter((edge) => from < edge && edge < to);
  const cuts = [...new Set([from, ...edges, to])].sort((a, b) => a - b);
  const inside = cuts.slice(1).map((end, index): Segment => {
    const begin = cuts[index] as number;
    return { from: begin, to: end, during: at(begin) };
  });
  if (isAlone) return inside;
  return joined([
    { from: null, to: from, during: from === 0 ? [] : at(from) },
    ...inside,
    { from: to, to: null, during: at(to) },
  ]);
};

const windowOf =
  (member: string, incident: string) =>
  ({ from, to, during }: Segment): Window => ({
    from,
    to,
    isStopped: during.some(({ phase }) => phase.stopped.includes(member)),
    globals: Object.assign({}, ...during.map(({ phase }) => phase.globals)) as JsonObject,
    rate_factor: during.reduce((factor, one) => factor * (partOf(member, one)?.rate_factor ?? 1), 1),
    tags: during.flatMap((one) =>
      (partOf(member, one)?.output ?? null) === null ? [] : [outputTag(incident, one.phase.name)],
    ),
  });

/** The windows of a member, in order and without gaps. */
export const windowsOf = (member: string, story: Story): readonly Window[] => {
  const mine = occurrencesOf(story.incident).filter((one) => isConcerned(member, one));
  return segmentsOf(mine, story).map(windowOf(member, story.incident.name));
};
