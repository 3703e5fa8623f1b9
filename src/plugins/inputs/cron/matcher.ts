import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  MIN_MICROS,
  type Micros,
} from '../../../domain/time/micros.js';
import { utc, type Zone } from '../../../domain/time/zone.js';
import { dayFinder } from './calendar.js';
import type { CronExpression } from './expression.js';

/** Writes up to `length` next ticks in order and returns their number; 0: no more. */
export type CronTicks = (out: Float64Array, length: number) => number;

/** A period with one UTC offset. */
interface Stretch {
  readonly startsAt: Micros;
  /** Exclusive. */
  readonly endsAt: Micros;
  /** Wall time minus instant, microseconds. */
  readonly offset: number;
  /** Latest wall time before this period: earlier times repeat, later ones up to its start are skipped. */
  readonly shownUntil: WallMicros;
}

/** Reach of `Zone.nextTransition`. */
const LOOK_AHEAD = 400 * MICROS_PER_DAY;
/**
 * Offsets and their changes are under a day. So repeated times begin within this time before their period, and ticks
 * of a day are closer to its UTC midnight.
 */
const LOOK_BACK = 2 * MICROS_PER_DAY;
/** A fill jumps over this many stretches without ticks, then returns. */
const MAX_STRETCHES_PER_FILL = 8;

const ALL_TIME: Stretch = {
  startsAt: Number.NEGATIVE_INFINITY,
  endsAt: Number.POSITIVE_INFINITY,
  offset: 0,
  shownUntil: Number.NEGATIVE_INFINITY,
};

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
 * Ticks of an expression in a zone from `from` to `end`, both inclusive; `NEVER` means the year 2255. A wildcard
 * expression ticks at each matching wall time. A fixed one takes each wall time once, as Vixie cron: in a repeated
 * hour in the first pass; all times in a gap make one tick at the first instant after it, merged with a tick due
 * there. Ticks from a later `from` are the tail of the same sequence.
 */
export const cronTicks = (expression: CronExpression, zone: Zone, from: Micros, end: Micros): CronTicks => {
  const { write, nextDay } = wallClock(expression);
  const { isWildcard } = expression;
  const past = Math.min(end, MAX_MICROS) + 1;
  const probe = new Float64Array(1);
  let next = Math.max(Math.ceil(from), MIN_MICROS + LOOK_BACK);
  let stretch: Stretch | null = null;

  /** Whether a fixed expression has a time in the gap before the stretch. */
  const fillsGap = ({ startsAt, offset, shownUntil }: Stretch): boolean =>
    startsAt + offset > shownUntil && write(probe, 0, 1, shownUntil, startsAt + offset, 0) === 1;

  /** Writes the rest of the stretch; moves `next` past the last tick or to its end. */
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

  /** Jumps to just before the next matching day, so rare schedules skip the stretches between. */
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

/** Wall times as microseconds, as if the wall clock were UTC. */
type WallMicros = number;

/** Matching times of a wall clock with a constant offset. */
interface WallClock {
  /**
   * Writes the matching times of `[from, to)` minus `offset` (microseconds) into `out[at..length)`, in order. Returns
   * the index after the last one.
   */
  readonly write: (
    out: Float64Array,
    at: number,
    length: number,
    from: WallMicros,
    to: WallMicros,
    offset: number,
  ) => number;
  /** Midnight of the first matching day on or after the day of `from`; Infinity if none is left. */
  readonly nextDay: (from: WallMicros) => WallMicros;
}

/** One day more than the last instant: every zone has ended by then. */
const LAST_DAY = Math.floor(MAX_MICROS / MICROS_PER_DAY) + 1;

const firstNotBelow = (values: Float64Array, at: number): number => {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

const timesOfHour = ({ minutes, seconds }: CronExpression): readonly number[] =>
  minutes.flatMap((minute) =>
    seconds.map((second) => minute * MICROS_PER_MINUTE + second * MICROS_PER_SECOND),
  );

/** A day as parts with the same times, so that writing a part is a copy. */
interface DayParts {
  /** Starts of the parts, microseconds after midnight. */
  readonly starts: Float64Array;
  readonly length: number;
  /** Matching times in a part, microseconds after its start. */
  readonly times: Float64Array;
}

/** For more, hours are fast enough and take less memory per input. */
const MAX_TIMES_OF_DAY = 512;

/** The day as one part, or as hours when it has too many times. */
const partsOf = (expression: CronExpression): DayParts => {
  const starts = expression.hours.map((hour) => hour * MICROS_PER_HOUR);
  const times = timesOfHour(expression);
  if (starts.length * times.length > MAX_TIMES_OF_DAY) {
    return { starts: Float64Array.from(starts), length: MICROS_PER_HOUR, times: Float64Array.from(times) };
  }
  const ofDay = starts.flatMap((start) => times.map((time) => start + time));
  return { starts: new Float64Array(1), length: MICROS_PER_DAY, times: Float64Array.from(ofDay) };
};

const wallClock = (expression: CronExpression): WallClock => {
  const findDay = dayFinder(expression, LAST_DAY);
  const { starts, length: partLength, times } = partsOf(expression);

  const writeDay = (
    out: Float64Array,
    at: number,
    length: number,
    from: WallMicros,
    to: WallMicros,
    offset: number,
    midnight: WallMicros,
  ): number => {
    let index = at;
    for (let part = 0; part < starts.length; part++) {
      const start = midnight + (starts[part] as number);
      const end = start + partLength;
      if (end <= from) continue;
      if (start >= to || index === length) return index;
      const first = start < from ? firstNotBelow(times, from - start) : 0;
      const past = end > to ? firstNotBelow(times, to - start) : times.length;
      // A range that ends within repeated times has `to` before `from`: nothing to write.
      const stop = Math.min(past, first + length - index);
      const base = start - offset;
      for (let i = first; i < stop; i++) out[index++] = base + (times[i] as number);
    }
    return index;
  };

  const write: WallClock['write'] = (out, at, length, from, to, offset) => {
    let index = at;
    let day = findDay(Math.floor(from / MICROS_PER_DAY));
    while (day * MICROS_PER_DAY < to && index < length) {
      index = writeDay(out, index, length, from, to, offset, day * MICROS_PER_DAY);
      day = findDay(day + 1);
    }
    return index;
  };

  return {
    write,
    nextDay: (from) => findDay(Math.floor(from / MICROS_PER_DAY)) * MICROS_PER_DAY,
  };
};
