import type { JsonObject } from '../domain/json.js';
import type { Micros } from '../domain/time/micros.js';
import type { InspectReport } from './report.js';

/** The report as a document: instants as ISO 8601 text, everything else unchanged. */
export const jsonReport = (report: InspectReport, iso: (at: Micros) => string): JsonObject => {
  const { generator, seed, now, timezone, schedule, times, ...rest } = report;
  const document = {
    generator,
    seed,
    now: iso(now),
    timezone,
    ...rest,
    schedule: {
      ...schedule,
      from: iso(schedule.from),
      hours: schedule.hours.map(({ start, timestamps }) => ({ start: iso(start), timestamps })),
    },
    times: { ...times, bins: times.bins.map(({ start, count }) => ({ start: iso(start), count })) },
  };
  return document as unknown as JsonObject;
};
