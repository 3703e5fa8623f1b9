import {
  MAX_MICROS,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
} from '../../../domain/time/micros.js';
import { dayFinder } from './calendar.js';
import type { CronExpression } from './expression.js';

/** Wall times as microseconds, as if the wall clock were UTC. */
export type WallMicros = number;

/** Matching times of a wall clock with a constant offset. */
export interface WallClock {
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

export const wallClock = (expression: CronExpression): WallClock => {
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
