import type {
  IncidentEnd,
  IncidentItem,
  IncidentMemberStatus,
  IncidentMoment,
} from '../../../messages/incidents.js';
import { shownTime } from '../../parts/times.js';

/** Where an incident stood when the service was asked. */
export interface IncidentLook extends Pick<IncidentItem, 'state' | 'position' | 'duration'> {
  /** Milliseconds; only differences count. */
  readonly at_ms: number;
}

/** A service that does not answer may have ended it. */
const MAX_AHEAD_MS = 5_000;

/** Seconds after the start now; `null` while idle. Moves between looks. */
export const positionNow = (
  { state, position, duration, at_ms }: IncidentLook,
  now_ms: number,
): number | null => {
  if (position === null || state !== 'running') return position;
  const passed_ms = Math.min(MAX_AHEAD_MS, Math.max(0, now_ms - at_ms));
  return Math.min(duration ?? Number.POSITIVE_INFINITY, position + passed_ms / 1_000);
};

/** Returns the indices of the phases at a position, which is null while the incident is idle. */
export const currentPhases = (
  timeline: readonly IncidentMoment[],
  position: number | null,
): readonly number[] =>
  position === null
    ? []
    : timeline.flatMap(({ from, to }, index) => (from <= position && position < to ? [index] : []));

const two = (count: number): string => String(count).padStart(2, '0');

/** `06:12` or `1:06:12`, in whole seconds; a time before the start is 0. */
export const positionText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3_600);
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
};

/** Like `positionText`, with parts of a second if there are any. */
export const momentText = (seconds: number): string => {
  const ms = Math.round((seconds % 1) * 1_000);
  return ms === 0
    ? positionText(seconds)
    : `${positionText(seconds)}.${String(ms).padStart(3, '0').replace(/0+$/, '')}`;
};

/** `06:12 of 30:00`. */
export const positionOfDuration = (position: number, duration: number): string =>
  `${positionText(position)} of ${positionText(duration)}`;

export const spanText = ({ from, to }: Pick<IncidentMoment, 'from' | 'to'>): string =>
  `${momentText(from)} to ${momentText(to)}`;

/** The phase, with its number if it comes several times. */
export const incidentTitleOf = ({ phase, number, of }: IncidentMoment): string =>
  of === 1 ? phase : `${phase} (${number} of ${of})`;

/** `sso 64 events`. */
export const effectTexts = ({ effects }: Pick<IncidentMoment, 'effects'>): readonly string[] =>
  effects.map(({ member, effect }) => `${member} ${effect}`);

/** How the last run ended, in a sentence. */
export const endText = ({ at, outcome }: IncidentEnd, zone: string): string => {
  const time = shownTime(at, zone);
  if (outcome === 'cut_off')
    return `The run that began at ${time} was cut off: the service ended before it did.`;
  return `The last run ${outcome === 'finished' ? 'finished' : 'was stopped'} at ${time}.`;
};

/** True for a generator that the incident has made for a member. */
export const isOwnMember = (
  incident: string,
  { name, generator_id }: Pick<IncidentMemberStatus, 'name' | 'generator_id'>,
): boolean => generator_id === `${incident}.${name.replaceAll(' ', '-')}`;
