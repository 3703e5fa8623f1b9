import * as E from 'fp-ts/lib/Either.js';
import { makeInspector } from '../../analysis/inspect/inspector.js';
import type { EventsReport, FieldReport } from '../../analysis/inspect/report.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isoParts, parseIso } from '../../domain/time/iso.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import { defaulted, freeObject, integer, optional, record, required, text } from '../../schema/index.js';
import {
  previewedEvents,
  previewedTimestamps,
  type SampledEvents,
  type ToolSampleOptions,
} from '../sample.js';
import { name, type Tool, tool } from '../tool.js';

const NO_TIME = {
  type: 'bad_format',
  message: 'must be an ISO 8601 date-time with an offset, like 2026-01-01T09:00:00Z',
};
const NO_ZONE = { type: 'not_allowed', message: "must be an IANA time zone, like 'Europe/Berlin'" };

const common = {
  name: required(name, {
    help: 'Name of the generator directory, as list_configs shows it.',
    example: 'clicks',
  }),
  params: optional(freeObject(), { help: 'Values for the ${params.NAME} placeholders of the config.' }),
  from: optional(text({ check: (given) => (typeof isoParts(given)?.offset === 'number' ? null : NO_TIME) }), {
    help: 'Start of generation with an offset (default: now).',
    example: '2026-01-01T09:00:00Z',
  }),
  timezone: optional(text({ check: (zone) => (zoneOf(zone) === null ? NO_ZONE : null) }), {
    help: 'IANA time zone of the timestamps.',
    example: 'Europe/Berlin',
  }),
};

interface Common extends Omit<ToolSampleOptions, 'params' | 'size'> {
  readonly params: JsonObject | null;
  readonly count: number;
}

const optionsOf = ({ params, count, ...rest }: Common): ToolSampleOptions => ({
  ...rest,
  params: params ?? {},
  size: count,
});

const DEFAULT_SHOWN = 10;
const MAX_SHOWN = 500;
const MAX_TIMESTAMPS = 10_000;
const DEFAULT_MEASURED = 500;
const MAX_MEASURED = 5_000;
const MAX_FIELDS = 60;
const MAX_VALUES = 5;

/** Two significant figures more than a model needs. */
const rounded = (value: number): number => Number(value.toPrecision(4));

const fieldOf = ({ path, share, distinct, entropy_bits, types, top, numbers }: FieldReport): Json => ({
  path,
  share: rounded(share),
  types: Object.keys(types),
  distinct: distinct.count,
  entropy_bits: rounded(entropy_bits),
  top: top.slice(0, MAX_VALUES).map(({ value, share: part }) => ({ value, share: rounded(part) })),
  ...(numbers === null ? {} : { range: { min: numbers.min, max: numbers.max, mean: rounded(numbers.mean) } }),
});

/** Seconds between the first and the last timestamp. */
const spanOf = ({ timestamps }: SampledEvents): number => {
  const [first, last] = [timestamps[0], timestamps.at(-1)].map((at) => parseIso(at ?? '', utc) ?? 0);
  return ((last ?? 0) - (first ?? 0)) / 1_000_000;
};

const reportOf = (sampled: SampledEvents, report: EventsReport): JsonObject => {
  const seconds = spanOf(sampled);
  const { made, size_bytes, gzip } = report;
  return {
    events: made,
    timestamps: sampled.timestamps.length,
    from: sampled.timestamps[0] ?? null,
    to: sampled.timestamps.at(-1) ?? null,
    events_per_second: seconds > 0 ? rounded(made / seconds) : null,
    bytes_per_event: size_bytes,
    gzip_ratio: gzip === null ? null : rounded(gzip.ratio),
    distinct_events: report.distinct.count,
    kinds: report.kinds,
    failed: sampled.errors.length,
    failures: sampled.errors.slice(0, MAX_VALUES).map(({ message }) => message),
    fields: report.fields.slice(0, MAX_FIELDS).map(fieldOf),
    further_fields: Math.max(0, report.fields.length - MAX_FIELDS),
  };
};

const measured = async (sampled: SampledEvents): Promise<JsonObject> => {
  const inspector = makeInspector();
  await inspector.add({ micros: [], events: sampled.events, failures: [] });
  return reportOf(sampled, await inspector.report());
};

const count = (fallback: number, max: number, help: string) =>
  defaulted(integer({ min: 1, max }), fallback, { help });

export const previewTools: readonly Tool[] = [
  tool({
    name: 'preview_timestamps',
    title: 'Preview timestamps',
    description:
      'Returns the next timestamps of the inputs of a stored generator: when its events would happen. Runs nothing else.',
    effect: 'reads',
    input: record({ ...common, count: count(DEFAULT_SHOWN, MAX_TIMESTAMPS, 'Number of timestamps.') }),
    run: async (args, context) =>
      E.map(({ timestamps, total }: { timestamps: readonly string[]; total: number }) => ({
        total,
        timestamps,
      }))(await previewedTimestamps(optionsOf(args), context)),
  }),
  tool({
    name: 'preview_events',
    title: 'Preview events',
    description:
      'Runs the stored inputs and event plugin for a few timestamps and returns the events before formatting, and why others failed. Opens no ' +
      'output, stores nothing. Use it after every change of a config, template or script.',
    effect: 'previews',
    input: record({ ...common, count: count(DEFAULT_SHOWN, MAX_SHOWN, 'Number of timestamps.') }),
    run: async (args, context) =>
      E.map(({ events, errors, exhausted }: SampledEvents) => ({
        events,
        errors: errors.map(({ index, message }) => ({ index, message })),
        exhausted,
      }))(await previewedEvents(optionsOf(args), context)),
  }),
  tool({
    name: 'inspect_generator',
    title: 'Measure what a generator makes',
    description:
      'Previews many events of a stored generator and measures them: rate over the sample, size, gzip ratio, and each field with its ' +
      'types, distinct values, entropy and most frequent values. Use it to judge how realistic events are.',
    effect: 'previews',
    input: record({ ...common, count: count(DEFAULT_MEASURED, MAX_MEASURED, 'Number of timestamps.') }),
    run: async (args, context) => {
      const sampled = await previewedEvents(optionsOf(args), context);
      return E.isLeft(sampled) ? sampled : E.right(await measured(sampled.right));
    },
  }),
];
