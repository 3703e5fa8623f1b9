import { MICROS_PER_HOUR, type Micros } from '../domain/time/micros.js';
import type { Schedule } from './report.js';

export const SCHEDULE_HOURS = 24;

export interface ScheduleTally {
  /** False: the timestamp is beyond the hours, or the limit is reached. */
  readonly add: (at: Micros) => boolean;
  readonly result: () => Schedule;
}

/** Counts timestamps by hour from `from` on. */
export const scheduleTally = (from: Micros, max_timestamps: number): ScheduleTally => {
  const counts = new Float64Array(SCHEDULE_HOURS);
  let timestamps = 0;
  let isComplete = true;
  let last = from;
  return {
    add: (at) => {
      const hour = Math.floor((at - from) / MICROS_PER_HOUR);
      if (hour >= SCHEDULE_HOURS) return false;
      if (timestamps >= max_timestamps) {
        isComplete = false;
        return false;
      }
      // Earlier timestamps are due at once.
      counts[Math.max(0, hour)] = (counts[Math.max(0, hour)] as number) + 1;
      last = Math.max(last, at);
      timestamps++;
      return true;
    },
    result: () => {
      const end = from + SCHEDULE_HOURS * MICROS_PER_HOUR;
      const seconds = ((isComplete ? end : last) - from) / 1_000_000;
      const hours = isComplete
        ? SCHEDULE_HOURS
        : Math.min(SCHEDULE_HOURS, Math.floor((last - from) / MICROS_PER_HOUR) + 1);
      return {
        from,
        hours: Array.from({ length: hours }, (_, index) => ({
          start: from + index * MICROS_PER_HOUR,
          timestamps: counts[index] as number,
        })),
        timestamps,
        seconds,
        is_complete: isComplete,
      };
    },
  };
};
