import { isJsonObject, type Json } from '../../../domain/json.js';
import { type Micros, NEVER } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { Input } from '../../kit.js';
import type { CronExpression } from './expression.js';
import { cronTicks } from './matcher.js';

export interface CronSchedule {
  readonly expression: CronExpression;
  readonly zone: Zone;
  /** Both inclusive; `end` may be `NEVER`. */
  readonly from: Micros;
  readonly end: Micros;
  /** Timestamps per tick, at least 1. */
  readonly count: number;
}

/** Where an input stands. The end is kept, as one given relative to `start` would be another when built later. */
interface Position {
  /** The tick of which `given` timestamps were given, or when `given` is 0 the earliest time of the next tick. */
  readonly at: Micros;
  readonly given: number;
  /** `null`: never. */
  readonly end: Micros | null;
}

const positionOf = (state: Json): Position | null => {
  if (!isJsonObject(state)) return null;
  const { at, given, end } = state;
  const isGiven = Number.isSafeInteger(given) && Number(given) >= 0;
  return Number.isSafeInteger(at) && isGiven && (end === null || Number.isFinite(end))
    ? (state as unknown as Position)
    : null;
};

/** Ticks found in advance when each is given several times. */
const MAX_TICKS_AHEAD = 256;

/** Each tick of the schedule `count` times, as an input. A state that is no position of it is ignored. */
export const cronInput = (schedule: CronSchedule): Input => {
  const { expression, zone, count } = schedule;
  let { end } = schedule;
  let next = schedule.from;
  let ticks = cronTicks(expression, zone, next, end);
  const ahead = new Float64Array(count === 1 ? 0 : MAX_TICKS_AHEAD);
  let length = 0;
  let index = 0;
  let given = 0;

  const fillSingly = (out: Float64Array): number => {
    const written = ticks(out, out.length);
    if (written > 0) next = (out[written - 1] as number) + 1;
    return written;
  };

  const fillCopies = (out: Float64Array): number => {
    let written = 0;
    while (written < out.length) {
      if (index === length) {
        length = ticks(ahead, Math.min(ahead.length, Math.ceil((out.length - written) / count)));
        index = 0;
        if (length === 0) break;
      }
      const tick = ahead[index] as number;
      const past = Math.min(out.length, written + count - given);
      given += past - written;
      while (written < past) out[written++] = tick;
      next = tick;
      if (given < count) break;
      index++;
      given = 0;
      next = tick + 1;
    }
    return written;
  };

  return {
    fill: count === 1 ? fillSingly : fillCopies,
    snapshot: () => ({ at: next, given, end: end === NEVER ? null : end }),
    restore: (state) => {
      const position = positionOf(state);
      if (position === null) return;
      end = position.end ?? NEVER;
      next = position.at;
      // With another count than before, a tick of which more were given than there are now is done.
      if (position.given >= count) next++;
      given = position.given < count ? position.given : 0;
      ticks = cronTicks(expression, zone, next, end);
      length = 0;
      index = 0;
    },
  };
};
