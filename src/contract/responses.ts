import { ERRORS } from '../domain/errors.js';
import { ISOLATIONS } from '../domain/generator.js';
import { COUNTED } from '../domain/imperfections.js';
import { MAX_SECRET_BYTES } from '../domain/secrets.js';
import { HEALTHS } from '../domain/stats/health.js';
import type { JsonSchema } from '../schema/index.js';
import {
  amount,
  buckets,
  countField,
  errorCode,
  flagField,
  free,
  knob,
  list,
  maybe,
  object,
  refTo,
  textField,
  time,
} from './schemaParts.js';

/** Schemas of responses, by their name under `components.schemas`. */

const outputName: JsonSchema = {
  type: 'string',
  description: 'Position of the output in the config and its kind, for example `1-file`.',
};
const shownValue: JsonSchema = maybe(
  object({
    value: {},
    is_cut: {
      ...flagField,
      description: 'The value has over 1,024 characters; `value` is the start of its JSON text.',
    },
  }),
);
const plugin = { plugin_name: textField, plugin_id: countField };

const problemItem = (extra: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  object({ loc: list(textField), msg: textField, type: textField, ...extra });

/** Generator parameters in responses. */
const generatorParams: Readonly<Record<string, JsonSchema>> = {
  id: textField,
  path: textField,
  live_mode: flagField,
  skip_past: flagField,
  from: { ...maybe(textField), description: 'Where the stream begins, like -7d; null: at the start.' },
  params: free,
  seed: maybe(textField),
  timezone: textField,
  batch: object({ size: maybe(countField), delay: maybe(amount) }),
  queue: object({ max_timestamp_batches: countField, max_event_batches: countField }),
  keep_order: flagField,
  max_concurrency: countField,
  write_timeout: { type: 'number', description: 'Maximum time of one write attempt, in seconds.' },
  retry: object({ attempts: countField, base_delay: amount, max_delay: amount }),
  template_limits: object({
    loop_steps: countField,
    output_bytes: countField,
    string_length: countField,
    integer_digits: countField,
    collection_items: countField,
    render_ms: countField,
    recursion_depth: countField,
  }),
  checkpoint: flagField,
  isolation: { enum: [...ISOLATIONS] },
};

const phase: JsonSchema = {
  type: 'string',
  enum: ['idle', 'loading', 'running', 'draining', 'backing_off', 'finished', 'failed', 'stopped'],
};

const inStartupList = {
  autostart: flagField,
  scenarios: list(textField),
  partitions: countField,
  runs_on: { type: 'object', additionalProperties: textField },
};

const libraryItem: Readonly<Record<string, JsonSchema>> = {
  name: textField,
  summary: textField,
  category: { type: 'string', description: 'First part of the name.' },
  event_bytes: { ...countField, description: 'Typical size of an event.' },
  templates: { ...countField, description: 'Number of templates; 0 for other event plugins.' },
  parameters: list(object({ name: textField, default: {}, help: textField })),
  anomalies: {
    ...list(object({ name: textField, help: textField })),
    description: 'Values of the scenario global `anomaly`.',
  },
  detections: list(textField),
};

export const RESPONSE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  GeneratorDirectory: object({
    name: textField,
    'size_in_bytes?': countField,
    'last_modified?': { type: 'number', description: 'Epoch seconds.' },
    'generator_ids?': list(textField),
  }),
  FileNode: object({ name: textField, is_dir: flagField, children: list(refTo('FileNode')) }),
  LibraryItem: object(libraryItem),
  LibraryGenerator: object({
    ...libraryItem,
    files: list(object({ path: textField, size_bytes: countField, text: maybe(textField) })),
  }),
  LibraryCopy: object({
    name: textField,
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
      additionalProperties: list(countField),
    },
    total: countField,
    first_timestamps: list(time),
    last_timestamps: list(time),
    timestamps: list(time),
  }),
  EventPreview: object({
    events: list(textField),
    errors: list(
      object({
        index: { ...countField, description: 'Position of the failed timestamp, from 0.' },
        message: textField,
        context: free,
      }),
    ),
    exhausted: {
      ...flagField,
      description: 'True if the plugin has no more events; it ignores later timestamps.',
    },
  }),
  FormattedPreview: object({
    events: list(textField),
    formatted_count: { ...countField, description: 'Number of given events that were formatted.' },
    errors: list(object({ message: textField, original_event: maybe(textField) })),
  }),
  LogTimestamps: object({
    lines: { ...countField, description: 'Lines of the sample that are not blank.' },
    candidates: list(
      object({
        name: textField,
        timestamp_pattern: textField,
        timestamp_format: textField,
        matched: countField,
        example: textField,
      }),
    ),
    checked: {
      ...object({
        timestamp_pattern: textField,
        timestamp_format: maybe(textField),
        matched: { ...countField, description: 'Lines that the pattern matches.' },
        alike: { ...maybe(countField), description: 'Matched timestamps that look as the format writes.' },
        written: { ...maybe(textField), description: 'The present time in the format.' },
        lines: list(
          object({
            number: { ...countField, description: 'Number of the line, from 1.' },
            text: textField,
            start: {
              ...maybe(countField),
              description: 'Start of the timestamp in `text`, in UTF-16 units.',
            },
            end: maybe(countField),
          }),
        ),
      }),
      type: ['object', 'null'],
      description: 'Of the given pattern, or of the best candidate; null without one, or with a flaw.',
    },
    flaws: list(
      object({
        field: { type: 'string', enum: ['timestamp_pattern', 'timestamp_format'] },
        message: textField,
      }),
    ),
  }),
  SecretValue: { type: 'string', minLength: 1, maxLength: MAX_SECRET_BYTES },
  GeneratorStatus: object({
    is_initializing: flagField,
    is_running: flagField,
    is_ended_up: flagField,
    is_ended_up_successfully: flagField,
    is_stopping: flagField,
    phase,
    reason: maybe(textField),
    error_code: errorCode,
    restarts: countField,
    health: { type: 'string', enum: [...HEALTHS], description: 'From the counters of the last seconds.' },
    health_reason: { ...maybe(textField), description: 'Why, in one sentence.' },
    remedy: { ...maybe(textField), description: 'What to do about it.' },
  }),
  GeneratorTurn: object({
    at: { ...time, description: 'Of several in a row the last.' },
    first_at: time,
    count: { ...countField, description: 'Number of the same failure in a row.' },
    phase: { type: 'string', enum: ['running', 'backing_off', 'finished', 'failed', 'stopped'] },
    reason: { ...maybe(textField), description: 'Why it failed and what to do.' },
    error_code: errorCode,
  }),
  GeneratorListItem: object({
    id: textField,
    path: { ...textField, description: 'Empty while only a node knows it that does not answer.' },
    status: refTo('GeneratorStatus'),
    start_time: maybe(time),
    scenarios: list(textField),
    'node?': {
      ...maybe(textField),
      description:
        'Node of the cluster that has it; null: none at the moment. Absent without a cluster, and with partitions.',
    },
    'partitions?': {
      ...list(object({ index: countField, phase, node: maybe(textField) })),
      description:
        'Of a generator with partitions, in the order of their index. `node` is null without a cluster.',
    },
  }),
  GeneratorParams: object(generatorParams),
  StartupEntry: object({ ...generatorParams, ...inStartupList }),
  BulkStart: object({
    running_generator_ids: list(textField),
    non_running_generator_ids: list(textField),
    reasons: {
      type: 'object',
      description: 'Why each id in `non_running` does not run.',
      additionalProperties: textField,
    },
  }),
  GlobalsPatch: object({
    number: { ...countField, description: 'Each number of a scenario once; higher ones are newer.' },
    at: time,
    user: { type: 'string', description: '`local` if the service asks for no credentials.' },
    kind: { type: 'string', enum: ['patch', 'merge_patch', 'replace', 'delete_key'] },
    keys: {
      ...list(object({ key: textField, old: shownValue, new: shownValue })),
      description: 'Changed keys, at most 32; null: the key was or is missing.',
    },
    more_keys: { ...countField, description: 'Number of further changed keys.' },
  }),
  Scenario: object({ name: textField, generator_ids: list(textField) }),
  GlobalsUsage: object({
    writes: list(object({ key: textField, template: textField })),
    reads: list(object({ key: textField, template: textField })),
    warnings: list(
      object({ type: { type: 'string', enum: ['dynamic_key', 'update_call'] }, template: textField }),
    ),
    knobs: list(knob),
  }),
  GeneratorStats: object({
    id: textField,
    start_time: maybe(time),
    input: list(object({ ...plugin, generated: countField })),
    event: object({
      ...plugin,
      produced: countField,
      produced_before: {
        ...countField,
        description: 'Generated by earlier runs of the stream that a checkpoint resumes.',
      },
      produce_failed: countField,
      dropped: countField,
      'templates?': {
        ...list(object({ name: textField, produced: countField })),
        description: 'Events of this run by template, from two on; none of removed ones.',
      },
    }),
    output: list(
      object({
        ...plugin,
        written: countField,
        write_failed: countField,
        format_failed: countField,
        dead_lettered: countField,
        abandoned: { ...countField, description: 'Events abandoned at the end of the run.' },
        filtered: { ...countField, description: 'Events that `when` or `sample` left out.' },
        retries: countField,
        bytes: countField,
        'imperfect?': {
          ...object(Object.fromEntries(COUNTED.map((kind) => [kind, countField]))),
          description:
            'Events with each imperfection; absent without any. `early`: displaced ones that went before their time. `not_skewed`: ones without a timestamp that the wrong clock could move.',
        },
      }),
    ),
    total_generated: countField,
    'expected_timestamps?': {
      ...countField,
      description: 'What the inputs give in this run, if they can tell.',
    },
    total_written: countField,
    total_abandoned: countField,
    uptime: { type: 'number', description: 'Seconds since the last start.' },
    input_eps: amount,
    output_eps: amount,
    low_water_mark: countField,
    lateness_ms: object({ p50: amount, p99: amount, max: amount, buckets }),
    delivery_lag_ms: object({ p50: amount, p99: amount, buckets }),
  }),
  DeadLetterSummary: object({
    output: outputName,
    letters: countField,
    bytes: countField,
    torn: { ...countField, description: 'Lines without a letter: a crash cut them off.' },
    oldest: maybe(time),
    newest: maybe(time),
    reasons: {
      ...list(object({ code: textField, reason: textField, letters: countField })),
      description: 'The most frequent reasons, at most ten.',
    },
  }),
  DeadLetters: object({
    letters: list(
      object({
        at: { ...time, description: 'Time of the first failure.' },
        code: textField,
        reason: textField,
        event: { type: 'string', description: 'The event before formatting.' },
      }),
    ),
    next_offset: { ...maybe(countField), description: 'Offset of the next page; null at the end.' },
  }),
  ResentDeadLetters: object({
    output: outputName,
    sent: { ...countField, description: 'Delivered and removed.' },
    refused: { ...countField, description: 'Tried and kept, with the new reason.' },
    reason: { ...maybe(textField), description: 'Why letters were kept or not tried.' },
    error_code: errorCode,
    is_down: { ...flagField, description: 'The output is down; the rest was not tried.' },
    is_done: {
      ...flagField,
      description: 'All letters that were there were tried. Otherwise call again for the rest.',
    },
  }),
  PurgedDeadLetters: object({ output: outputName, removed: countField, left: countField }),
  Readiness: object({
    status: { const: 'ready' },
    expected: { ...countField, description: 'Registered generators with autostart.' },
    up: { ...countField, description: 'Generators with autostart that run or have finished.' },
    'failing?': {
      ...countField,
      description: 'Generators whose health is `failing`; with `strict=true` only.',
    },
  }),
  InstanceInfo: object({
    app_version: textField,
    python_version: {
      type: 'string',
      description: 'Node.js version; the name is that of the API document.',
    },
    python_implementation: textField,
    python_compiler: { type: 'string', description: 'V8 version.' },
    node_version: textField,
    v8_version: textField,
    uv_version: textField,
    platform: textField,
    host_name: textField,
    host_ip_v4: textField,
    boot_timestamp: amount,
    cpu_count: maybe(countField),
    cpu_frequency_mhz: amount,
    cpu_percent: amount,
    memory_total_bytes: countField,
    memory_used_bytes: countField,
    memory_available_bytes: countField,
    network_sent_bytes: maybe(countField),
    network_received_bytes: maybe(countField),
    disk_written_bytes: maybe(countField),
    disk_read_bytes: maybe(countField),
    uptime: { type: 'number', description: 'Seconds since the machine booted.' },
  }),
  Health: object({
    status: { type: 'string', enum: ['ok', 'starting', 'stopping'] },
    uptime_seconds: amount,
  }),
  Error: {
    ...object({ detail: textField, code: { type: 'string', enum: Object.keys(ERRORS) } }),
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
