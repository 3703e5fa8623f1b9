import {
  DEFAULT_TEMPLATE_LIMITS,
  type GenerationParams,
  ISOLATIONS,
  MAX_RENDER_MS,
} from '../../domain/generator.js';
import type { Json } from '../../domain/json.js';
import { zoneOf } from '../../domain/time/zone.js';
import {
  boolean,
  defaulted,
  integer,
  number,
  oneOf,
  optional,
  record,
  respelled,
  type Shape,
  text,
} from '../../schema/index.js';

/** Seconds. */
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

/** Defaults of all generators, with and without a settings file. */
export const DEFAULT_GENERATION: GenerationParams = {
  timezone: 'UTC',
  batch: { size: 10_000, delay: 1 },
  queue: { max_timestamp_batches: 10, max_event_batches: 10 },
  keep_order: false,
  max_concurrency: 100,
  write_timeout: 10,
  retry: { attempts: 5, base_delay: 0.2, max_delay: 5 },
  template_limits: DEFAULT_TEMPLATE_LIMITS,
  checkpoint: false,
  isolation: 'thread',
};
const { batch: BATCH, queue: QUEUE, retry: RETRY, template_limits: LIMITS } = DEFAULT_GENERATION;

const batchFields = record(
  {
    size: optional(integer({ min: 1 }), { help: 'Maximum number of events in a batch; null for no limit.' }),
    delay: optional(number({ min: MIN_DELAY }), {
      help: 'Maximum time that events wait for their batch to fill; null for no limit.',
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
                message: 'needs size, delay or both: a batch without a limit never ends',
              }
            : null,
      },
    ],
  },
);

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** Both fields default only if neither is given; otherwise the missing one is `null`. */
const batch: Shape<Batch> = respelled(batchFields, (value) => (isEmpty(value) ? BATCH : value));

const count = integer({ min: 1 });

const queue = record({
  max_timestamp_batches: defaulted(count, QUEUE.max_timestamp_batches, {
    help: 'Maximum number of timestamp batches that wait for the event plugin; a full queue stops the inputs.',
  }),
  max_event_batches: defaulted(count, QUEUE.max_event_batches, {
    help: 'Maximum number of event batches in flight to the outputs; a full queue stops the event plugin.',
  }),
});

/** `MAX_PAUSE` in seconds. */
const MAX_ATTEMPTS = 1_000;
const MAX_PAUSE = 3_600;

const retry = record(
  {
    attempts: defaulted(integer({ min: 1, max: MAX_ATTEMPTS }), RETRY.attempts, {
      help: 'Maximum number of attempts to write a batch, including the first.',
    }),
    base_delay: defaulted(number({ min: 0.001, max: MAX_PAUSE }), RETRY.base_delay, {
      help: 'Delay before the second attempt; each further delay doubles, and half of it is random.',
      unit: 'seconds',
    }),
    max_delay: defaulted(number({ min: 0.001, max: MAX_PAUSE }), RETRY.max_delay, {
      help: 'Maximum delay between two attempts.',
      unit: 'seconds',
    }),
  },
  {
    rules: [
      {
        fields: ['base_delay', 'max_delay'],
        check: ({ base_delay, max_delay }) =>
          base_delay > max_delay
            ? { at: 'max_delay', type: 'out_of_range', message: 'must not be less than base_delay' }
            : null,
      },
    ],
  },
);

/** Characters and bytes: half of V8's limit. */
const MAX_TEXT = 268_435_456;

const templateLimits = record({
  loop_steps: defaulted(integer({ min: 1, max: 1_000_000_000_000 }), LIMITS.loop_steps, {
    help: 'Maximum number of loop iterations, macro calls and items that filters process.',
  }),
  output_bytes: defaulted(integer({ min: 1, max: MAX_TEXT }), LIMITS.output_bytes, {
    help: 'Maximum size of the rendered event.',
    unit: 'bytes',
  }),
  string_length: defaulted(integer({ min: 1, max: MAX_TEXT }), LIMITS.string_length, {
    help: 'Maximum length of any string, in characters.',
  }),
  integer_digits: defaulted(integer({ min: 1, max: 100_000 }), LIMITS.integer_digits, {
    help: 'Maximum number of decimal digits of any integer.',
  }),
  collection_items: defaulted(integer({ min: 1, max: 100_000_000 }), LIMITS.collection_items, {
    help: 'Maximum number of items in any list, tuple, set, dict or range.',
  }),
  render_ms: defaulted(integer({ min: 1, max: MAX_RENDER_MS }), LIMITS.render_ms, {
    help: 'Maximum time of a render, without the time of `subprocess` commands.',
    unit: 'milliseconds',
  }),
  recursion_depth: defaulted(integer({ min: 1, max: 1_000 }), LIMITS.recursion_depth, {
    help: 'Maximum nesting of macros, includes, imports, blocks and recursive loops.',
  }),
});

/** Fields of the settings that a startup entry can override. */
export const generationFields = {
  timezone: defaulted(zone, DEFAULT_GENERATION.timezone, {
    help: 'IANA time zone of the generated timestamps.',
    example: 'Europe/Berlin',
  }),
  batch: defaulted(batch, BATCH, {
    help: 'Limits of a batch of events; the first one reached completes the batch.',
  }),
  queue: defaulted(queue, QUEUE, {
    help: 'Queue limits of the pipeline; a full queue applies back-pressure.',
  }),
  keep_order: defaulted(boolean(), DEFAULT_GENERATION.keep_order, {
    help: 'Keep chronological order: each output writes one batch at a time.',
  }),
  max_concurrency: defaulted(count, DEFAULT_GENERATION.max_concurrency, {
    help: 'Maximum number of concurrent writes of the outputs.',
  }),
  write_timeout: defaulted(count, DEFAULT_GENERATION.write_timeout, {
    help: 'Maximum time of one attempt to write a batch.',
    unit: 'seconds',
  }),
  retry: defaulted(retry, RETRY, {
    help: 'Retries of a failed write, with exponential backoff; after the last attempt the events go to the dead letters.',
    extension: true,
  }),
  template_limits: defaulted(templateLimits, LIMITS, {
    help: 'Resource limits of one template render; a render that exceeds one fails its event.',
    extension: true,
  }),
  checkpoint: defaulted(boolean(), DEFAULT_GENERATION.checkpoint, {
    help: 'Save the position of the stream every second, so that it resumes there after a crash or restart.',
    extension: true,
  }),
  isolation: defaulted(oneOf(ISOLATIONS), DEFAULT_GENERATION.isolation, {
    help: 'Run on a thread of the daemon, or in a child process that can crash without harm to the daemon; all members of a scenario need the same value.',
    extension: true,
  }),
} as const;

const generation = record(generationFields);

export const encodeGeneration = (params: GenerationParams): Json => generation.codec.encode(params);
