import * as E from 'fp-ts/lib/Either.js';
import { durationSeconds } from '../../../domain/incidents/incident.js';
import type { IncidentMoment } from '../../../messages/incidents.js';
import { positionText } from './position.js';

/** A phase of the timeline, as often as it comes. */
export interface MemberLane {
  readonly phase: string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  /** Index of its moment in the timeline. */
  readonly index: number;
  readonly moment: IncidentMoment;
}

/** Bars that are drawn: more are too narrow to tell apart. */
export const MAX_BARS = 500;

/** One lane per phase, in the order of their beginnings. */
export const lanesOf = (timeline: readonly IncidentMoment[]): readonly MemberLane[] => {
  const lanes = new Map<string, Bar[]>();
  for (const [index, moment] of timeline.slice(0, MAX_BARS).entries()) {
    const bars = lanes.get(moment.phase) ?? [];
    bars.push({ index, moment });
    lanes.set(moment.phase, bars);
  }
  return [...lanes].map(([phase, bars]) => ({ phase, bars }));
};

const MAX_TICKS = 6;

/** In seconds. */
const STEPS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
  86_400,
];

/** Part of the axis that the label of its end needs. */
const END_ROOM = 0.15;

/** Seconds of the marks of the axis, without its end. */
export const ticksOf = (duration: number): readonly number[] => {
  const days = Math.ceil(duration / MAX_TICKS / 86_400) * 86_400;
  const step = STEPS.find((one) => duration / one <= MAX_TICKS) ?? days;
  const count = Math.floor((duration * (1 - END_ROOM)) / step) + 1;
  return Array.from({ length: count }, (_, index) => Number((index * step).toFixed(1)));
};

/** Part of the timeline in percent. */
export const positionPercent = (seconds: number, duration: number): string =>
  `${Math.min(100, Math.max(0, (100 * seconds) / duration))}%`;

/** Returns where a jump leads, in seconds, or what is wrong with it. */
export const jumpTo = (written: string, duration: number): E.Either<string, number> => {
  const seconds = secondsOf(written.trim());
  if (seconds === null) return E.left('Enter a time like 8m or 08:00.');
  return seconds < duration ? E.right(seconds) : E.left(`The incident ends at ${positionText(duration)}.`);
};

/** Returns the seconds of `8m`, `1h30m`, `08:00` or `1:30:00`, or null when it is none of these. */
const secondsOf = (written: string): number | null => {
  const [, hours = '0', minutes, seconds] = CLOCK.exec(written) ?? [];
  if (minutes !== undefined) return 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  return durationSeconds(written);
};

const CLOCK = /^(?:(\d+):)?(\d{1,3}):(\d{1,2}(?:\.\d+)?)$/;

/** The time under the pointer, a place from 0 to 1, as exact as people point. */
export const pointedAt = (place: number, duration: number): number => {
  const step = duration > 120 ? 1 : 0.1;
  const steps = Math.floor((Math.min(1, Math.max(0, place)) * duration) / step);
  const last = Math.ceil(duration / step) - 1;
  return Number((Math.min(steps, last) * step).toFixed(1));
};
