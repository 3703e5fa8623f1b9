import type { Micros } from '../../../domain/time/micros.js';
import { MAX_MICROS, MICROS_PER_DAY, MICROS_PER_SECOND, MIN_MICROS } from '../../../domain/time/micros.js';
import { utc, type Zone } from '../../../domain/time/zone.js';
import type { CronExpression } from './expression.js';
import type { WallMicros } from './wallClock.js';
import { wallClock } from './wallClock.js';

/**
 * Writes the next ticks, in order and each once, into `out[0..length)` and returns how many; fewer than
 * `length` is fine, 0 means that there are no more.
 */
export type CronTicks = (out: Float64Array, length: number) => number;

/** Time in which the offset of a zone does not change. */
interface Stretch {
  readonly startsAt: Micros;
  /** Exclusive. */
  readonly endsAt: Micros;
  /** Wall time minus instant, microseconds. */
  readonly offset: number;
  /** The latest wall time shown before the stretch began: below it times are repeated, above it skipped. */
  readonly shownUntil: WallMicros;
}

/** `Zone.nextTransition` looks this far. */
const LOOK_AHEAD = 400 * MICROS_PER_DAY;
/**
 * No offset and no change of one is larger than a day: repeated times begin within this time before their
 * stretch, and ticks of a fitting day are nearer to its midnight in UTC.
 */
const LOOK_BACK = 2 * MICROS_PER_DAY;
/** Days without ticks are jumped over; a fill gives back what it has after so many jumps. */
const MAX_STRETCHES_PER_FILL = 8;

/** UTC never changes. */
const ALL_TIME: Stretch = {
  startsAt: Number.NEGATIVE_INFINITY,
  endsAt: Number.POSITIVE_INFINITY,
  offset: 0,
  shownUntil: Number.NEGATIVE_INFINITY,
};

/** The stretch of constant offset that holds `at`. */
const stretchAt = (zone: Zone, at: Micros): Stretch => {
  if (zone === utc) return ALL_TIME;
  const offsetAt = (instant: Micros): number => zone.offsetSecondsAt(instant) * MICROS_PER_SECOND;
  const changeAfter = (instant: Micros): Micros => zone.nextTransition(instant) ?? instant + LOOK_AHEAD;
  let startsAt = at - LOOK_BACK;
  let offset = offsetAt(startsAt);
  let shownUntil = startsAt + offset;
  let endsAt = changeAfter(startsAt);
  while (endsAt <= at) {
    shownUntil = Math.max(shownUntil, endsAt + offset);
    startsAt = endsAt;
    offset = offsetAt(startsAt);
    endsAt = changeAfter(startsAt);
  }
  return { startsAt, endsAt, offset, shownUntil };
};

/**
 * Ticks of an expression in a zone from `from` to `end`, both inclusive (`NEVER` or anything later than
 * `MAX_MICROS`: to the year 2255).
 *
 * Where the offset changes: a wildcard expression ticks whenever the wall clock shows a fitting time. A
 * fixed one takes each wall time once: in a repeated hour the first pass; all times in a gap together
 * make one tick at the first instant after it (one also with a tick that is due there anyway). These are
 * the rules of Vixie cron, for changes of any size.
 *
 * The stream depends only on what is passed: ticks from a later `from` are the rest of it.
 */
export const cronTicks = (expression: CronExpression, zone: Zone, from: Micros, end: Micros): CronTicks => {
  const { write, nextDay } = wallClock(expression);
  const { isWildcard } = expression;
  const past = Math.min(end, MAX_MICROS) + 1;
  const probe = new Float64Array(1);
  let next = Math.max(Math.ceil(from), MIN_MICROS + LOOK_BACK);
  let stretch: Stretch | null = null;

  /** True when a fixed expression has a time in the gap before the stretch. */
  const fillsGap = ({ startsAt, offset, shownUntil }: Stretch): boolean =>
    startsAt + offset > shownUntil && write(probe, 0, 1, shownUntil, startsAt + offset, 0) === 1;

  /** Writes the rest of the stretch from `next` on; moves `next` behind what was written or to its end. */
  const writeStretch = (out: Float64Array, at: number, length: number, now: Stretch): number => {
    const { startsAt, endsAt, offset, shownUntil } = now;
    let index = at;
    if (!isWildcard && next <= startsAt && startsAt < past && fillsGap(now)) {
      out[index++] = startsAt;
      next = startsAt + 1;
    }
    const wallFrom = isWildcard ? next + offset : Math.max(next + offset, shownUntil);
    index = write(out, index, length, wallFrom, Math.min(endsAt, past) + offset, offset);
    next = index === length ? (out[index - 1] as number) + 1 : endsAt;
    return index;
  };

  /** Jumps to just before the next day that fits: rare schedules never walk the stretches between. */
  const jump = (): void => {
    next = Math.max(next, nextDay(next - LOOK_BACK) - LOOK_BACK);
    stretch = null;
  };

  return (out, length) => {
    let index = 0;
    for (let count = 0; index < length && next < past; ) {
      if (stretch === null || next >= stretch.endsAt) {
        jump();
        if (next >= past || (index > 0 && count++ === MAX_STRETCHES_PER_FILL)) break;
        stretch = stretchAt(zone, next);
      }
      index = writeStretch(out, index, length, stretch);
    }
    return index;
  };
};
