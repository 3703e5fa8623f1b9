import * as E from 'fp-ts/lib/Either.js';
import type { IncidentFile } from '../../src/config/incidents/read.js';
import { effectsOf, type Incident, occurrencesOf, type Story } from '../../src/domain/incidents/incident.js';
import type { JsonObject } from '../../src/domain/json.js';
import { MICROS_PER_SECOND, type Micros } from '../../src/domain/time/micros.js';
import type { GeneratorListItem } from '../../src/messages/generators.js';
import type { IncidentMemberStatus, IncidentMoment, Told } from '../../src/messages/incidents.js';
import { type Cast, type MemberGenerators, memberGeneratorOf, ownId } from './members.js';

/** Changes of the story reach every member before they count, in seconds. */
const LEAD = 1;
/** Its last events are made, in seconds after its end. */
export const GRACE = 2;

/** An incident under way. */
export interface Performance {
  readonly incident: Incident;
  readonly drawn: JsonObject;
  readonly cast: readonly Cast[];
  readonly seed: string;
  readonly startedAt: Micros;
  /** From 1. */
  readonly round: number;
  readonly rounds: number;
  /** Wall time of its second 0. */
  readonly start: Micros;
  readonly told: Story['told'];
}

/**
 * The wall time at which a change counts: a whole second, since timestamps of members may be rounded down to seconds
 * and must not fall before it.
 */
const effectAfter = (now: Micros): Micros => Math.ceil(now / MICROS_PER_SECOND + LEAD) * MICROS_PER_SECOND;

export const isPaused = ({ told, incident }: Performance): boolean => told.to < incident.duration;

/** Seconds after the start; not beyond where it stands still. */
export const positionAt = ({ start, told }: Performance, now: Micros): number =>
  Math.min(told.to, (now - start) / MICROS_PER_SECOND);

export const toldOf =
  ({ incident, drawn, start, told }: Performance) =>
  (member: string): Told => ({ member, story: { incident, drawn, start, told, isAlone: false } });

const within = ({ incident: { duration } }: Performance, seconds: number): number =>
  Math.min(duration, Math.max(0, seconds));

/** Goes on from a second of the story. */
export const from = (performance: Performance, seconds: number, now: Micros): Performance => {
  const at = within(performance, seconds);
  return {
    ...performance,
    start: effectAfter(now) - Math.round(at * MICROS_PER_SECOND),
    told: { from: at, to: performance.incident.duration },
  };
};

/** Goes on from where it stands still; before it gets there, it does not stop. */
export const resumed = (performance: Performance, now: Micros): Performance => {
  const { told, incident } = performance;
  return positionAt(performance, now) < told.to
    ? { ...performance, told: { from: told.from, to: incident.duration } }
    : from(performance, told.to, now);
};

/** Stands still soon. */
export const paused = (performance: Performance, now: Micros): Performance => ({
  ...performance,
  told: { ...performance.told, to: within(performance, positionAt(performance, effectAfter(now))) },
});

/** Stands still at another second of the story. */
export const pausedAt = (performance: Performance, seconds: number, now: Micros): Performance => {
  const next = from(performance, seconds, now);
  return { ...next, told: { from: next.told.from, to: next.told.from } };
};

/** The next round follows the last one without a gap, or as soon as it can. */
export const again = (performance: Performance, now: Micros): Performance => {
  const { incident, start, round } = performance;
  const next = from({ ...performance, round: round + 1 }, 0, now);
  return { ...next, start: Math.max(next.start, start + incident.duration * MICROS_PER_SECOND) };
};

/** Until the end of the round, with the time for its last events. */
export const msToEnd = ({ start, incident }: Performance, now: Micros): number =>
  Math.max(0, (start - now) / 1_000 + (incident.duration + GRACE) * 1_000);

export const incidentTimelineOf = (incident: Incident): readonly IncidentMoment[] =>
  occurrencesOf(incident).map(({ phase, number, from, to }) => ({
    phase: phase.name,
    number,
    of: phase.repeat?.times ?? 1,
    from,
    to,
    effects: effectsOf(phase),
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
    const played = own ?? E.getOrElse(none)(memberGeneratorOf(member, listed, generators.shownPath));
    return {
      name: member.name,
      path: generators.shownPath(member.path),
      generator_id: played?.id ?? null,
      phase: played?.status.phase ?? null,
    };
  });
};
