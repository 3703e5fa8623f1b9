import { ERRORS } from '../domain/errors.js';
import { ISOLATIONS } from '../domain/generator.js';
import { COUNTED } from '../domain/imperfections/imperfections.js';
import { MAX_SECRET_BYTES } from '../domain/secrets.js';
import { HEALTHS } from '../domain/stats/health.js';
import type { JsonSchema } from '../schema/index.js';

/** Schemas of responses, by their name under `components.schemas`. */

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const amount: JsonSchema = { type: 'number' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const maybe = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'] as string, 'null'],
});
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const free: JsonSchema = { type: 'object', additionalProperties: true };

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A strict object; keys that end in `?` are optional. */
export const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key.replace('?', ''), schema]),
  ),
  required: Object.keys(properties).filter((key) => !key.endsWith('?')),
  additionalProperties: false,
});

const errorCode: JsonSchema = { type: ['string', 'null'], enum: [...Object.keys(ERRORS), null] };
const outputName: JsonSchema = {
  type: 'string',
  description: 'Position of the output in the config and its kind, for example `1-file`.',
};
const shownValue: JsonSchema = maybe(
  object({
    value: {},
    is_cut: {
      ...flag,
      description: 'The value has over 1,024 characters; `value` is the start of its JSON text.',
    },
  }),
);
const plugin = { plugin_name: text, plugin_id: count };

const problemItem = (extra: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  object({ loc: list(text), msg: text, type: text, ...extra });

/** Generator parameters in responses. */
const generatorParams: Readonly<Record<string, JsonSchema>> = {
  id: text,
  path: text,
  live_mode: flag,
  skip_past: flag,
  from: { ...maybe(text), description: 'Where the stream begins, like -7d; null: at the start.' },
  params: free,
  seed: maybe(text),
  timezone: text,
  batch: object({ size: maybe(count), delay: maybe(amount) }),
  queue: object({ max_timestamp_batches: count, max_event_batches: count }),
  keep_order: flag,
  max_concurrency: count,
  write_timeout: { type: 'number', description: 'Maximum time of one write attempt, in seconds.' },
  retry: object({ attempts: count, base_delay: amount, max_delay: amount }),
  template_limits: object({
    loop_steps: count,
    output_bytes: count,
    string_length: count,
    integer_digits: count,
    collection_items: count,
    render_ms: count,
    recursion_depth: count,
  }),
  checkpoint: flag,
  isolation: { enum: [...ISOLATIONS] },
};

const buckets: JsonSchema = {
  ...list(object({ le_ms: { ...amount, description: 'Largest duration of the bucket.' }, count })),
  description: 'The buckets that are not empty, ascending.',
};

const phase: JsonSchema = {
  type: 'string',
  enum: ['idle', 'loading', 'running', 'draining', 'backing_off', 'finished', 'failed', 'stopped'],
};

const inStartupList = {
  autostart: flag,
  scenarios: list(text),
  partitions: count,
  runs_on: { type: 'object', additionalProperties: text },
};

const libraryItem: Readonly<Record<string, JsonSchema>> = {
  name: text,
  summary: text,
  category: { type: 'string', description: 'First part of the name.' },
  event_bytes: { ...count, description: 'Typical size of an event.' },
  templates: { ...count, description: 'Number of templates; 0 for other event plugins.' },
  parameters: list(object({ name: text, default: {}, help: text })),
  anomalies: {
    ...list(object({ name: text, help: text })),
    description: 'Values of the scenario global `anomaly`.',
  },
  detections: list(text),
};

export const RESPONSE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  GeneratorDirectory: object({
    name: text,
    'size_in_bytes?': count,
    'last_modified?': { type: 'number', description: 'Epoch seconds.' },
    'generator_ids?': list(text),
  }),
  FileNode: object({ name: text, is_dir: flag, children: list(refTo('FileNode')) }),
  LibraryItem: object(libraryItem),
  LibraryGenerator: object({
    ...libraryItem,
    files: list(object({ path: text, size_bytes: count, text: maybe(text) })),
  }),
  LibraryCopy: object({
    name: text,
    path: {
      type: 'string',
      description: 'For the `path` of a generator, for example `my-shop/generator.yml`.',
    },
  }),
  TimestampPreview: object({
    span_edges: list(time),
    span_counts: {
      type: 'object',
      description: 'Number of timestamps in each span, per input by its 1-based position in the body.',
      additionalProperties: list(count),
    },
    total: count,
    first_timestamps: list(time),
    last_timestamps: list(time),
    timestamps: list(time),
  }),
  EventPreview: object({
    events: list(text),
    errors: list(
      object({
        index: { ...count, description: 'Position of the failed timestamp, from 0.' },
        message: text,
        context: free,
      }),
    ),
    exhausted: {
      ...flag,
      description: 'True if the plugin has no more events; it ignores later timestamps.',
    },
  }),
  FormattedPreview: object({
    events: list(text),
    formatted_count: { ...count, description: 'Number of given events that were formatted.' },
    errors: list(object({ message: text, original_event: maybe(text) })),
  }),
  LogTimestamps: object({
    lines: { ...count, description: 'Lines of the sample that are not blank.' },
    candidates: list(
      object({
        name: text,
        timestamp_pattern: text,
        timestamp_format: text,
        matched: count,
        example: text,
      }),
    ),
    checked: {
      ...object({
        timestamp_pattern: text,
        timestamp_format: maybe(text),
        matched: { ...count, description: 'Lines that the pattern matches.' },
        alike: { ...maybe(count), description: 'Matched timestamps that look as the format writes.' },
        written: { ...maybe(text), description: 'The present time in the format.' },
        lines: list(
          object({
            number: { ...count, description: 'Number of the line, from 1.' },
            text,
            start: { ...maybe(count), description: 'Start of the timestamp in `text`, in UTF-16 units.' },
            end: maybe(count),
          }),
        ),
      }),
      type: ['object', 'null'],
      description: 'Of the given pattern, or of the best candidate; null without one, or with a flaw.',
    },
    flaws: list(
      object({
        field: { type: 'string', enum: ['timestamp_pattern', 'timestamp_format'] },
        message: text,
      }),
    ),
  }),
  SecretValue: { type: 'string', minLength: 1, maxLength: MAX_SECRET_BYTES },
  GeneratorStatus: object({
    is_initializing: flag,
    is_running: flag,
    is_ended_up: flag,
    is_ended_up_successfully: flag,
    is_stopping: flag,
    phase,
    reason: maybe(text),
    error_code: errorCode,
    restarts: count,
    health: { type: 'string', enum: [...HEALTHS], description: 'From the counters of the last seconds.' },
    health_reason: { ...maybe(text), description: 'Why, in one sentence.' },
    remedy: { ...maybe(text), description: 'What to do about it.' },
  }),
  GeneratorTurn: object({
    at: { ...time, description: 'Of several in a row the last.' },
    first_at: time,
    count: { ...count, description: 'Number of the same failure in a row.' },
    phase: { type: 'string', enum: ['running', 'backing_off', 'finished', 'failed', 'stopped'] },
    reason: { ...maybe(text), description: 'Why it failed and what to do.' },
    error_code: errorCode,
  }),
  GeneratorListItem: object({
    id: text,
    path: { ...text, description: 'Empty while only a node knows it that does not answer.' },
    status: refTo('GeneratorStatus'),
    start_time: maybe(time),
    scenarios: list(text),
    'node?': {
      ...maybe(text),
      description:
        'Node of the cluster that has it; null: none at the moment. Absent without a cluster, and with partitions.',
    },
    'partitions?': {
      ...list(object({ index: count, phase, node: maybe(text) })),
      description:
        'Of a generator with partitions, in the order of their index. `node` is null without a cluster.',
    },
  }),
  GeneratorParams: object(generatorParams),
  StartupEntry: object({ ...generatorParams, ...inStartupList }),
  BulkStart: object({
    running_generator_ids: list(text),
    non_running_generator_ids: list(text),
    reasons: {
      type: 'object',
      description: 'Why each id in `non_running` does not run.',
      additionalProperties: text,
    },
  }),
  GlobalsPatch: object({
    number: { ...count, description: 'Each number of a scenario once; higher ones are newer.' },
    at: time,
    user: { type: 'string', description: '`local` if the service asks for no credentials.' },
    kind: { type: 'string', enum: ['patch', 'merge_patch', 'replace', 'delete_key'] },
    keys: {
      ...list(object({ key: text, old: shownValue, new: shownValue })),
      description: 'Changed keys, at most 32; null: the key was or is missing.',
    },
    more_keys: { ...count, description: 'Number of further changed keys.' },
  }),
  Scenario: object({ name: text, generator_ids: list(text) }),
  GlobalsUsage: object({
    writes: list(object({ key: text, template: text })),
    reads: list(object({ key: text, template: text })),
    warnings: list(
      object({ type: { type: 'string', enum: ['dynamic_key', 'update_call'] }, template: text }),
    ),
  }),
  GeneratorStats: object({
    id: text,
    start_time: maybe(time),
    input: list(object({ ...plugin, generated: count })),
    event: object({
      ...plugin,
      produced: count,
      produced_before: {
        ...count,
        description: 'Generated by earlier runs of the stream that a checkpoint resumes.',
      },
      produce_failed: count,
      dropped: count,
    }),
    output: list(
      object({
        ...plugin,
        written: count,
        write_failed: count,
        format_failed: count,
        dead_lettered: count,
        abandoned: { ...count, description: 'Events abandoned at the end of the run.' },
        filtered: { ...count, description: 'Events that `when` or `sample` left out.' },
        retries: count,
        bytes: count,
        'imperfect?': {
          ...object(Object.fromEntries(COUNTED.map((kind) => [kind, count]))),
          description:
            'Events with each imperfection; absent without any. `early`: displaced ones that went before their time. `not_skewed`: ones without a timestamp that the wrong clock could move.',
        },
      }),
    ),
    total_generated: count,
    'expected_timestamps?': { ...count, description: 'What the inputs give in this run, if they can tell.' },
    total_written: count,
    total_abandoned: count,
    uptime: { type: 'number', description: 'Seconds since the last start.' },
    input_eps: amount,
    output_eps: amount,
    low_water_mark: count,
    lateness_ms: object({ p50: amount, p99: amount, max: amount, buckets }),
    delivery_lag_ms: object({ p50: amount, p99: amount, buckets }),
  }),
  DeadLetterBox: object({
    output: outputName,
    letters: count,
    bytes: count,
    torn: { ...count, description: 'Lines without a letter: a crash cut them off.' },
    oldest: maybe(time),
    newest: maybe(time),
    reasons: {
      ...list(object({ code: text, reason: text, letters: count })),
      description: 'The most frequent reasons, at most ten.',
    },
  }),
  DeadLetters: object({
    letters: list(
      object({
        at: { ...time, description: 'Time of the first failure.' },
        code: text,
        reason: text,
        event: { type: 'string', description: 'The event before formatting.' },
      }),
    ),
    next_offset: { ...maybe(count), description: 'Offset of the next page; null at the end.' },
  }),
  ReplayedLetters: object({
    output: outputName,
    sent: { ...count, description: 'Delivered and removed.' },
    refused: { ...count, description: 'Tried and kept, with the new reason.' },
    reason: { ...maybe(text), description: 'Why letters were kept or not tried.' },
    error_code: errorCode,
    is_down: { ...flag, description: 'The output is down; the rest was not tried.' },
    is_done: {
      ...flag,
      description: 'All letters that were there were tried. Otherwise call again for the rest.',
    },
  }),
  PurgedLetters: object({ output: outputName, removed: count, left: count }),
  Readiness: object({
    status: { const: 'ready' },
    expected: { ...count, description: 'Registered generators with autostart.' },
    up: { ...count, description: 'Generators with autostart that run or have finished.' },
    'failing?': { ...count, description: 'Generators whose health is `failing`; with `strict=true` only.' },
  }),
  InstanceInfo: object({
    app_version: text,
    python_version: {
      type: 'string',
      description: 'Node.js version; the name is that of the API document.',
    },
    python_implementation: text,
    python_compiler: { type: 'string', description: 'V8 version.' },
    node_version: text,
    v8_version: text,
    uv_version: text,
    platform: text,
    host_name: text,
    host_ip_v4: text,
    boot_timestamp: amount,
    cpu_count: maybe(count),
    cpu_frequency_mhz: amount,
    cpu_percent: amount,
    memory_total_bytes: count,
    memory_used_bytes: count,
    memory_available_bytes: count,
    network_sent_bytes: maybe(count),
    network_received_bytes: maybe(count),
    disk_written_bytes: maybe(count),
    disk_read_bytes: maybe(count),
    uptime: { type: 'number', description: 'Seconds since the machine booted.' },
  }),
  Health: object({
    status: { type: 'string', enum: ['ok', 'starting', 'stopping'] },
    uptime_seconds: amount,
  }),
  Error: {
    ...object({ detail: text, code: { type: 'string', enum: Object.keys(ERRORS) } }),
    description: 'A sentence with the problem and its remedy, and a stable code.',
  },
  ValidationError: {
    ...object({ detail: list(problemItem({})) }),
    description: 'One item per problem; `loc` starts with body, query or path.',
  },
  EchoedValidationError: {
    ...object({ detail: list(problemItem({ input: {}, ctx: free })) }),
    description: 'Like ValidationError, with the offending value.',
  },
};
