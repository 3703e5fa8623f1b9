import { type GenerationParams, ISOLATIONS } from '../../domain/generator.js';
import type { Json } from '../../domain/json.js';
import { DEFAULT_TEMPLATE_LIMITS, MAX_RENDER_MS } from '../../domain/templateLimits.js';
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
  retry: { attempts: 5, base_delay: 0.2, max_delay: 5 },
  template_limits: DEFAULT_TEMPLATE_LIMITS,
  checkpoint: false,
  isolation: 'thread',
};
const { batch: BATCH, queue: QUEUE, retry: RETRY, template_limits: LIMITS } = DEFAULT_GENERATION;

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
const batch: Shape<Batch> = respelled(batchFields, (value) => (isEmpty(value) ? BATCH : value));

const count = integer({ min: 1 });

const queue = record({
  max_timestamp_batches: defaulted(count, QUEUE.max_timestamp_batches, {
    help: 'Batches of timestamps that may wait for the event plugin.',
  }),
  max_event_batches: defaulted(count, QUEUE.max_event_batches, {
    help: 'Batches of events that may be on their way to the outputs.',
  }),
});

/** Most attempts for one write, and the longest pause between two, in seconds. */
const MAX_ATTEMPTS = 1_000;
const MAX_PAUSE = 3_600;

const retry = record(
  {
    attempts: defaulted(integer({ min: 1, max: MAX_ATTEMPTS }), RETRY.attempts, {
      help: 'Attempts for one write, the first included.',
    }),
    base_delay: defaulted(number({ min: 0.001, max: MAX_PAUSE }), RETRY.base_delay, {
      help: 'Pause before the second attempt; each further one doubles. Half of every pause is random.',
      unit: 'seconds',
    }),
    max_delay: defaulted(number({ min: 0.001, max: MAX_PAUSE }), RETRY.max_delay, {
      help: 'Longest pause.',
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

/** Longest text that a template may make or render, in characters and in bytes: half of what the engine can hold. */
const MAX_TEXT = 268_435_456;

const templateLimits = record({
  loop_steps: defaulted(integer({ min: 1, max: 1_000_000_000_000 }), LIMITS.loop_steps, {
    help: 'Turns of loops, calls of macros and items that filters look at.',
  }),
  output_bytes: defaulted(integer({ min: 1, max: MAX_TEXT }), LIMITS.output_bytes, {
    help: 'Size of the event.',
    unit: 'bytes',
  }),
  string_length: defaulted(integer({ min: 1, max: MAX_TEXT }), LIMITS.string_length, {
    help: 'Characters of any text on the way.',
  }),
  integer_digits: defaulted(integer({ min: 1, max: 100_000 }), LIMITS.integer_digits, {
    help: 'Decimal digits of any integer on the way.',
  }),
  collection_items: defaulted(integer({ min: 1, max: 100_000_000 }), LIMITS.collection_items, {
    help: 'Items of any list, tuple, set, dict or range.',
  }),
  render_ms: defaulted(integer({ min: 1, max: MAX_RENDER_MS }), LIMITS.render_ms, {
    help: 'Time of one render; a command of `subprocess` does not count.',
    unit: 'milliseconds',
  }),
  recursion_depth: defaulted(integer({ min: 1, max: 1_000 }), LIMITS.recursion_depth, {
    help: 'Macros, includes, imports, blocks and recursive loops inside each other.',
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
  retry: defaulted(retry, RETRY, {
    help: 'How a write that failed is tried again, before the dead letters.',
    extension: true,
  }),
  template_limits: defaulted(templateLimits, LIMITS, {
    help: 'What one render of a template may use; more is an error of that event.',
    extension: true,
  }),
  checkpoint: defaulted(boolean(), DEFAULT_GENERATION.checkpoint, {
    help: 'Keep the position in the state folder every second: after a crash or restart the stream goes on where it was.',
    extension: true,
  }),
  isolation: defaulted(oneOf(ISOLATIONS), DEFAULT_GENERATION.isolation, {
    help: 'Run on a thread of the daemon, or in a process of its own, which a script can crash without harm to the daemon. Members of a scenario share one place: give all of them the same.',
    extension: true,
  }),
} as const;

const generation = record(generationFields);

/** Generation parameters as JSON. */
export const encodeGeneration = (params: GenerationParams): Json => generation.codec.encode(params);
