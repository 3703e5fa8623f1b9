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

/** All fitting times within an hour, from its start: at most 3,600. */
const timesOfHour = ({ minutes, seconds }: CronExpression): readonly number[] =>
  minutes.flatMap((minute) =>
    seconds.map((second) => minute * MICROS_PER_MINUTE + second * MICROS_PER_SECOND),
  );

/** A day as parts that all have the same times, so that a part is written by copying. */
interface DayParts {
  /** Where the parts begin, microseconds after midnight. */
  readonly starts: Float64Array;
  /** Microseconds. */
  readonly length: number;
  /** The fitting times of a part, microseconds after its start. */
  readonly times: Float64Array;
}

/** Beyond, the times of an hour are enough to copy fast, and longer lists only cost memory for each input. */
const MAX_TIMES_OF_DAY = 512;

/** The whole day as one part, or its hours when it has too many times. */
const partsOf = (expression: CronExpression): DayParts => {
  const starts = expression.hours.map((hour) => hour * MICROS_PER_HOUR);
  const times = timesOfHour(expression);
  if (starts.length * times.length > MAX_TIMES_OF_DAY) {
    return { starts: Float64Array.from(starts), length: MICROS_PER_HOUR, times: Float64Array.from(times) };
  }
  const ofDay = starts.flatMap((start) => times.map((time) => start + time));
  return { starts: new Float64Array(1), length: MICROS_PER_DAY, times: Float64Array.from(ofDay) };
};

export const wallClock = (expression: CronExpression): WallClock => {
  const findDay = dayFinder(expression, LAST_DAY);
  const { starts, length: partLength, times } = partsOf(expression);

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
    for (let part = 0; part < starts.length; part++) {
      const start = midnight + (starts[part] as number);
      const end = start + partLength;
      if (end <= from) continue;
      if (start >= to || index === length) return index;
      const first = start < from ? firstNotBelow(times, from - start) : 0;
      const past = end > to ? firstNotBelow(times, to - start) : times.length;
      // Nothing is left where a range ends within repeated times: `to` is before `from` then.
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
