import { MICROS_PER_HOUR, type Micros } from '../../domain/time/micros.js';
import type { EventsReport, ReportedRates, Schedule, Speed } from './report.js';

const SECONDS_PER_DAY = 86_400;
const LINE_END_BYTES = 1;

const bytesPerEvent = ({ size_bytes }: Pick<EventsReport, 'size_bytes'>): number =>
  size_bytes === null ? 0 : size_bytes.mean + LINE_END_BYTES;

/** Events a second of each hour; the last hour of an incomplete schedule ends early. */
export const hourlyRates = (
  { hours, from, seconds }: Pick<Schedule, 'hours' | 'from' | 'seconds'>,
  events_per_timestamp: number,
): readonly number[] =>
  hours.map(({ start, timestamps }) => {
    const end = from + seconds * 1_000_000;
    const length = Math.min(MICROS_PER_HOUR, end - start) / 1_000_000;
    return length <= 0 ? 0 : (timestamps * events_per_timestamp) / length;
  });

/** Rates of a schedule at the measured size of events; `timestamps`: those that the events were made of. */
export const ratesOf = (
  schedule: Schedule,
  events: Pick<EventsReport, 'made' | 'size_bytes'>,
  timestamps: number,
): ReportedRates => {
  const perTimestamp = timestamps === 0 ? 0 : events.made / timestamps;
  const hours = hourlyRates(schedule, perTimestamp);
  const size = bytesPerEvent(events);
  const { seconds } = schedule;
  const mean = seconds <= 0 ? 0 : (schedule.timestamps * perTimestamp) / seconds;
  const min = Math.min(...hours, Number.POSITIVE_INFINITY);
  const rate = { mean, min: Number.isFinite(min) ? min : 0, max: Math.max(0, ...hours) };
  return {
    events_per_timestamp: perTimestamp,
    events_per_second: rate,
    bytes_per_second: { mean: rate.mean * size, min: rate.min * size, max: rate.max * size },
    bytes_per_day: rate.mean * size * SECONDS_PER_DAY,
  };
};

export const speedOf = (events: Pick<EventsReport, 'made' | 'size_bytes'>, seconds: number): Speed => ({
  seconds,
  events_per_second: seconds <= 0 ? 0 : events.made / seconds,
  bytes_per_second: seconds <= 0 ? 0 : (events.made * bytesPerEvent(events)) / seconds,
});

export const SCHEDULE_HOURS = 24;

interface ScheduleTally {
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
