import * as E from 'fp-ts/lib/Either.js';
import { durationSeconds } from '../../../domain/incidents/incident.js';
import { clockText } from './stand.js';

const CLOCK = /^(?:(\d+):)?(\d{1,3}):(\d{1,2}(?:\.\d+)?)$/;

/** Returns the seconds of `8m`, `1h30m`, `08:00` or `1:30:00`, or null when it is none of these. */
const secondsOf = (written: string): number | null => {
  const [, hours = '0', minutes, seconds] = CLOCK.exec(written) ?? [];
  if (minutes !== undefined) return 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  return durationSeconds(written);
};

/** Returns where a jump leads, in seconds, or what is wrong with it. */
export const jumpTo = (written: string, duration: number): E.Either<string, number> => {
  const seconds = secondsOf(written.trim());
  if (seconds === null) return E.left('Enter a time like 8m or 08:00.');
  return seconds < duration ? E.right(seconds) : E.left(`The incident ends at ${clockText(duration)}.`);
};

/** The time under the pointer, a place from 0 to 1, as exact as people point. */
export const pointedAt = (place: number, duration: number): number => {
  const step = duration > 120 ? 1 : 0.1;
  const steps = Math.floor((Math.min(1, Math.max(0, place)) * duration) / step);
  const last = Math.ceil(duration / step) - 1;
  return Number((Math.min(steps, last) * step).toFixed(1));
};
