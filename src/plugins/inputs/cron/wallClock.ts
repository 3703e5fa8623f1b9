import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
} from '../../../domain/time/micros.js';
import { dayFinder } from './calendar.js';
import type { CronExpression } from './expression.js';

/** Times of a wall clock are microseconds as if the wall clock were UTC. */
export type WallMicros = number;

/** The times of day of an expression on a wall clock that never changes its offset. */
export interface WallClock {
  /**
   * Writes the fitting times of `[from, to)` minus `offset` (microseconds) into `out[at..length)`, in
   * order, as many as fit. Returns the index after the last one written.
   */
  readonly write: (
    out: Float64Array,
    at: number,
    length: number,
    from: WallMicros,
    to: WallMicros,
    offset: number,
  ) => number;
  /** Midnight of the first fitting day on or after the day of `from`; Infinity when none is left. */
  readonly nextDay: (from: WallMicros) => WallMicros;
}

/** A day more than the last instant, so that every zone is past its end there. */
const LAST_DAY = Math.floor(MAX_MICROS / MICROS_PER_DAY) + 1;

/** First index whose value is not below `at`. */
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

/** All fitting times within an hour, from its start: at most 3,600. Copying them is the fast path. */
const timesOfHour = ({ minutes, seconds }: CronExpression): Float64Array =>
  Float64Array.from(
    minutes.flatMap((minute) =>
      seconds.map((second) => minute * MICROS_PER_MINUTE + second * MICROS_PER_SECOND),
    ),
  );

export const wallClock = (expression: CronExpression): WallClock => {
  const findDay = dayFinder(expression);
  const times = timesOfHour(expression);
  const { hours } = expression;

  /** Writes one day; `midnight` is its wall time. */
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
    for (const hour of hours) {
      const start = midnight + hour * MICROS_PER_HOUR;
      if (start + MICROS_PER_HOUR <= from) continue;
      if (start >= to || index === length) return index;
      const first = start < from ? firstNotBelow(times, from - start) : 0;
      const past = start + MICROS_PER_HOUR > to ? firstNotBelow(times, to - start) : times.length;
      const end = Math.min(past, first + length - index);
      const base = start - offset;
      for (let i = first; i < end; i++) out[index++] = base + (times[i] as number);
    }
    return index;
  };

  const nextDay = (from: WallMicros): WallMicros =>
    findDay(Math.floor(from / MICROS_PER_DAY), LAST_DAY) * MICROS_PER_DAY;

  const write: WallClock['write'] = (out, at, length, from, to, offset) => {
    let index = at;
    let midnight = nextDay(from);
    while (midnight < to && index < length) {
      index = writeDay(out, index, length, from, to, offset, midnight);
      midnight = nextDay(midnight + MICROS_PER_DAY);
    }
    return index;
  };

  return { write, nextDay };
};
