import type { JsonObject } from '../../domain/json.js';
import type { Micros } from '../../domain/time/micros.js';
import type { TalliedRange, TalliedSizes } from './tally/sizes.js';
import type { TimeBins } from './tally/timeBins.js';
import type { Distinct } from './tally/valueCounts.js';

export const FIELD_TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const EVENT_KINDS = ['json', 'cef', 'key_value', 'text'] as const;
/** `text`: without fields. */
export type EventKind = (typeof EVENT_KINDS)[number];

export interface TopValue {
  /** As in the event; a string without quotes and escapes. Cut if `is_cut`. */
  readonly value: string;
  readonly type: FieldType;
  readonly count: number;
  /** Share of all values of the field, 0 to 1. */
  readonly share: number;
  /** False: the count may be too low. */
  readonly is_exact: boolean;
  readonly is_cut: boolean;
}

export interface FieldReport {
  /** JSON pointer with `[*]` for the items of an array, or the key of `key=value`. Empty for the whole event. */
  readonly path: string;
  /** Events that have the field. */
  readonly events: number;
  /** Share of all events, 0 to 1. */
  readonly share: number;
  /** Values of the field. One event may have several: items of arrays, repeated keys. */
  readonly values: number;
  /** Values by type; types without a value are left out. */
  readonly types: Readonly<Partial<Record<FieldType, number>>>;
  readonly distinct: Distinct;
  readonly top: readonly TopValue[];
  /** Shannon entropy of a value; an estimate if `distinct` is one. */
  readonly entropy_bits: number;
  /** Range of finite numbers. Null when there are none. */
  readonly numbers: TalliedRange | null;
  /** Numbers beyond the range of a double, e.g. 1e400. */
  readonly out_of_range: number;
  /** Number of characters of a string. Null when there is no string. */
  readonly length: TalliedRange | null;
  /** Number of items of an array. Null when there is no array. */
  readonly items: TalliedRange | null;
}

/** A limit that was hit. */
export interface LimitHit {
  readonly limit:
    | 'fields'
    | 'depth'
    | 'values'
    | 'value_chars'
    | 'distinct_events'
    | 'gzip_bytes'
    | 'pair_chars'
    | 'json_chars'
    | 'schedule_timestamps';
  readonly max: number;
  readonly message: string;
}

export interface ScheduleHour {
  readonly start: Micros;
  readonly timestamps: number;
}

export interface Schedule {
  readonly from: Micros;
  /** Whole hours from `from` on; the last may be incomplete. */
  readonly hours: readonly ScheduleHour[];
  readonly timestamps: number;
  /** Seconds that `hours` cover. */
  readonly seconds: number;
  /** False: the limit of timestamps ended the count. */
  readonly is_complete: boolean;
}

export interface FailureReport {
  /** Part that failed. */
  readonly kind: 'input' | 'produce' | 'format';
  readonly reason: string;
  readonly count: number;
}

export interface EventsReport {
  readonly made: number;
  /** Events that could not be produced or formatted. */
  readonly failed: number;
  /** The first distinct reasons. */
  readonly failures: readonly FailureReport[];
  readonly distinct: Distinct;
  /** Events by kind; kinds without an event are left out. */
  readonly kinds: Readonly<Partial<Record<EventKind, number>>>;
  /** UTF-8 bytes of an event as written, without its line end. Null when there is no event. */
  readonly size_bytes: Omit<TalliedSizes, 'bins'> | null;
  readonly size_bins: TalliedSizes['bins'];
  /** Timestamps of the events; starts in epoch microseconds. */
  readonly times: TimeBins;
  readonly fields: readonly FieldReport[];
  /** Size of the events before and after compression. Null when there is no event. */
  readonly gzip: GzipReport | null;
  readonly limits: readonly LimitHit[];
}

export interface GzipReport {
  /** Level 6, events with line ends. */
  readonly bytes: number;
  readonly compressed_bytes: number;
  /** `bytes / compressed_bytes`. */
  readonly ratio: number;
}

export interface ReportedRates {
  /** Events of one timestamp: an event plugin may make several, or none. */
  readonly events_per_timestamp: number;
  /** Mean over the schedule, and of its busiest and quietest hour. */
  readonly events_per_second: { readonly mean: number; readonly min: number; readonly max: number };
  /** With line ends. */
  readonly bytes_per_second: { readonly mean: number; readonly min: number; readonly max: number };
  readonly bytes_per_day: number;
}

/** How fast this machine made the events; schedule and outputs do not count. */
export interface Speed {
  readonly seconds: number;
  readonly events_per_second: number;
  readonly bytes_per_second: number;
}

export interface InspectReport extends EventsReport {
  readonly generator: string;
  /** Given or drawn; repeats the events. */
  readonly seed: string;
  /** Start of generation. */
  readonly now: Micros;
  readonly timezone: string;
  /** Number of events asked for. */
  readonly wanted: number;
  /** Timestamps that the events were made of. */
  readonly timestamps: number;
  readonly schedule: Schedule;
  readonly rates: ReportedRates;
  readonly speed: Speed;
}

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
