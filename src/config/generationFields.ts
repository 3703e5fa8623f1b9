import * as t from 'io-ts';
import type { GenerationParams } from '../domain/generator.js';
import type { Json } from '../domain/json.js';
import { zoneOf } from '../domain/time/zone.js';
import { boolean, defaulted, integer, number, optional, record, type Shape, text } from '../schema/index.js';

/** Smallest delay of a batch, seconds. */
const MIN_DELAY = 0.1;

const zone = text({
  label: 'IANA time zone',
  check: (name) =>
    zoneOf(name) !== null
      ? null
      : {
          type: 'not_allowed',
          message: "must be an IANA time zone in its exact spelling, like 'Europe/Berlin' or 'UTC'",
        },
});

type Batch = GenerationParams['batch'];

/** Defaults of the fields common to all generators; also for runs without settings. */
export const DEFAULT_GENERATION: GenerationParams = {
  timezone: 'UTC',
  batch: { size: 10_000, delay: 1 },
  queue: { max_timestamp_batches: 10, max_event_batches: 10 },
  keep_order: false,
  max_concurrency: 100,
  write_timeout: 10,
};
const { batch: BATCH, queue: QUEUE } = DEFAULT_GENERATION;

const batchFields = record(
  {
    size: optional(integer({ min: 1 }), { help: 'Most events of a batch; null: no limit.' }),
    delay: optional(number({ min: MIN_DELAY }), {
      help: 'Longest time that events wait for their batch to fill; null: no limit.',
      unit: 'seconds',
    }),
  },
  {
    rules: [
      {
        fields: ['size', 'delay'],
        check: ({ size, delay }) =>
          size === null && delay === null
            ? {
                at: '',
                type: 'missing',
                message: 'needs size, delay or both, as a batch without any limit never ends',
              }
            : null,
      },
    ],
  },
);

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** The two values default as a pair, only when neither is given; one that is given leaves the other `null`. */
const batch: Shape<Batch> = {
  ...batchFields,
  codec: new t.Type<Batch, Json, unknown>(
    batchFields.label,
    batchFields.codec.is,
    (value, context) => (isEmpty(value) ? t.success(BATCH) : batchFields.codec.validate(value, context)),
    batchFields.codec.encode,
  ),
  stored: new t.Type<unknown, Json, unknown>(
    batchFields.label,
    batchFields.stored.is,
    (value, context) =>
      isEmpty(value)
        ? t.success(batchFields.codec.encode(BATCH))
        : batchFields.stored.validate(value, context),
    batchFields.stored.encode,
  ),
};

const count = integer({ min: 1 });

const queue = record({
  max_timestamp_batches: defaulted(count, QUEUE.max_timestamp_batches, {
    help: 'Batches of timestamps that may wait for the event plugin.',
  }),
  max_event_batches: defaulted(count, QUEUE.max_event_batches, {
    help: 'Batches of events that may be on their way to the outputs.',
  }),
});

/** Fields common to all generators: the settings hold their defaults, a startup entry overrides single ones. */
export const generationFields = {
  timezone: defaulted(zone, DEFAULT_GENERATION.timezone, {
    help: 'Time zone of generated timestamps.',
    example: 'Europe/Berlin',
  }),
  batch: defaulted(batch, BATCH, { help: 'When a batch of events is complete.' }),
  queue: defaulted(queue, QUEUE, { help: 'How much may wait.' }),
  keep_order: defaulted(boolean(), DEFAULT_GENERATION.keep_order, {
    help: 'Write in chronological order: outputs write one batch at a time.',
  }),
  max_concurrency: defaulted(count, DEFAULT_GENERATION.max_concurrency, {
    help: 'Most concurrent writes of the outputs.',
  }),
  write_timeout: defaulted(count, DEFAULT_GENERATION.write_timeout, {
    help: 'Time for one attempt to write.',
    unit: 'seconds',
  }),
} as const;

const generation = record(generationFields);

/** Generation parameters as JSON. */
export const encodeGeneration = (params: GenerationParams): Json => generation.codec.encode(params);
