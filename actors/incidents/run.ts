import * as E from 'fp-ts/lib/Either.js';
import type { IncidentFile } from '../../src/config/incidents/read.js';
import {
  effectsOf,
  expectedEvents,
  type Incident,
  type IncidentRun,
  occurrencesOf,
} from '../../src/domain/incidents/incident.js';
import type { JsonObject } from '../../src/domain/json.js';
import { MICROS_PER_SECOND, type Micros } from '../../src/domain/time/micros.js';
import type { GeneratorListItem } from '../../src/messages/generators.js';
import type { Assignment, IncidentMemberStatus, IncidentMoment } from '../../src/messages/incidents.js';
import { type AssignedMember, type MemberGenerators, memberGeneratorOf, ownId } from './members.js';

/** Changes of a run reach every member before they count, in seconds. */
const LEAD = 1;
/** Its last events are made, in seconds after its end. */
const GRACE = 2;

/** An incident under way, as its actor knows it. */
export interface ActiveRun {
  readonly incident: Incident;
  readonly drawn: JsonObject;
  readonly members: readonly AssignedMember[];
  readonly seed: string;
  readonly startedAt: Micros;
  /** From 1. */
  readonly round: number;
  readonly rounds: number;
  /** Wall time of its second 0. */
  readonly start: Micros;
  readonly range: IncidentRun['range'];
}

/**
 * The wall time at which a change counts: a whole second, since timestamps of members may be rounded down to seconds
 * and must not fall before it.
 */
const effectAfter = (now: Micros): Micros => Math.ceil(now / MICROS_PER_SECOND + LEAD) * MICROS_PER_SECOND;

export const isPaused = ({ range, incident }: ActiveRun): boolean => range.to < incident.duration;

/** Seconds after the start; not beyond where it is paused. */
export const positionAt = ({ start, range }: ActiveRun, now: Micros): number =>
  Math.min(range.to, (now - start) / MICROS_PER_SECOND);

/** Makes the assignment of each member, by its name. */
export const assignmentOf =
  ({ incident, drawn, start, range }: ActiveRun) =>
  (member: string): Assignment => ({ member, run: { incident, drawn, start, range, isAlone: false } });

const within = ({ incident: { duration } }: ActiveRun, seconds: number): number =>
  Math.min(duration, Math.max(0, seconds));

/** Goes on from a second of the incident. */
export const from = (run: ActiveRun, seconds: number, now: Micros): ActiveRun => {
  const at = within(run, seconds);
  return {
    ...run,
    start: effectAfter(now) - Math.round(at * MICROS_PER_SECOND),
    range: { from: at, to: run.incident.duration },
  };
};

/** Goes on from where it is paused; before it gets there, it does not pause. */
export const resumed = (run: ActiveRun, now: Micros): ActiveRun => {
  const { range, incident } = run;
  return positionAt(run, now) < range.to
    ? { ...run, range: { from: range.from, to: incident.duration } }
    : from(run, range.to, now);
};

/** Is paused soon. */
export const paused = (run: ActiveRun, now: Micros): ActiveRun => ({
  ...run,
  range: { ...run.range, to: within(run, positionAt(run, effectAfter(now))) },
});

/** Is paused at another second of the incident. */
export const pausedAt = (run: ActiveRun, seconds: number, now: Micros): ActiveRun => {
  const next = from(run, seconds, now);
  return { ...next, range: { from: next.range.from, to: next.range.from } };
};

/** The next round follows the last one without a gap, or as soon as it can. */
export const again = (run: ActiveRun, now: Micros): ActiveRun => {
  const { incident, start, round } = run;
  const next = from({ ...run, round: round + 1 }, 0, now);
  return { ...next, start: Math.max(next.start, start + incident.duration * MICROS_PER_SECOND) };
};

/** Until the end of the round, with the time for its last events. */
export const msToEnd = ({ start, incident }: ActiveRun, now: Micros): number =>
  Math.max(0, (start - now) / 1_000 + (incident.duration + GRACE) * 1_000);

export const incidentTimelineOf = (incident: Incident): readonly IncidentMoment[] =>
  occurrencesOf(incident).map(({ phase, number, from, to }) => ({
    phase: phase.name,
    number,
    of: phase.repeat?.times ?? 1,
    from,
    to,
    effects: effectsOf(phase),
    expected: expectedEvents(phase),
  }));

/** The generator of each member now. */
export const memberStates = async (
  { incident, members }: Pick<IncidentFile, 'incident' | 'members'>,
  generators: Pick<MemberGenerators, 'list' | 'shownPath'>,
): Promise<readonly IncidentMemberStatus[]> => {
  const listed = E.getOrElse((): readonly GeneratorListItem[] => [])(await generators.list());
  const none = (): GeneratorListItem | null => null;
  return members.map((member) => {
    const own = listed.find(({ id }) => id === ownId(incident.name, member));
    const assigned = own ?? E.getOrElse(none)(memberGeneratorOf(member, listed, generators.shownPath));
    return {
      name: member.name,
      path: generators.shownPath(member.path),
      generator_id: assigned?.id ?? null,
      phase: assigned?.status.phase ?? null,
    };
  });
};
