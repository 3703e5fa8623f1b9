import { failure, type SpateError } from './errors.js';
import type { Json, JsonObject } from './json.js';
import type { Partition, PartitionBase } from './partitions.js';
import type { Micros } from './time/micros.js';

export const ISOLATIONS = ['thread', 'process'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** Parameters with defaults in the settings; a startup entry overrides single values. */
export interface GenerationParams {
  readonly timezone: string;
  /** `delay` is in seconds. Null means no limit; at most one of the two is null. */
  readonly batch: { readonly size: number | null; readonly delay: number | null };
  readonly queue: { readonly max_timestamp_batches: number; readonly max_event_batches: number };
  readonly keep_order: boolean;
  readonly max_concurrency: number;
  readonly write_timeout: number;
  /** Delays in seconds. */
  readonly retry: { readonly attempts: number; readonly base_delay: number; readonly max_delay: number };
  readonly template_limits: TemplateLimits;
  /** Save the position in the state folder, to resume after a crash or restart. */
  readonly checkpoint: boolean;
  readonly isolation: Isolation;
}

export interface GeneratorParams extends GenerationParams {
  readonly id: string;
  readonly path: string;
  readonly live_mode: boolean;
  readonly skip_past: boolean;
  /** Where the stream begins, as in `resolveBeginning`. Null when it begins at the start. */
  readonly from: string | null;
  readonly params: JsonObject;
  /** Root of the seed tree; `null` draws one at each start. */
  readonly seed: string | null;
  /** The partition that it makes. Undefined when it makes the events of all timestamps. */
  readonly partition?: Partition;
}

export interface StartupEntry extends GeneratorParams {
  readonly autostart: boolean;
  readonly scenarios: readonly string[];
  /** Pipelines that share the schedule; 1: one pipeline. */
  readonly partitions: number;
  /** Labels that a node of a cluster must have to run it. */
  readonly runs_on: Readonly<Record<string, string>>;
}

/** An invalid entry of the startup list; the others run. */
export interface SkippedEntry {
  /** Position in the file, from 0. */
  readonly index: number;
  /** The written id. Null when it is no text. */
  readonly id: string | null;
  readonly written: Json;
  readonly error: SpateError;
  /** Whether its generator should run, as far as it can be read. */
  readonly autostart: boolean;
}

export interface StartupList {
  readonly entries: readonly StartupEntry[];
  readonly rejected: readonly SkippedEntry[];
  readonly warnings: readonly string[];
}

/** Everything needed to run a generator, as plain data that can cross threads. */
export interface GeneratorDefinition {
  readonly params: GeneratorParams;
  /** Its scenarios, the home first. Empty when its globals are its own. */
  readonly scenarios: readonly string[];
  /** The config as JSON, placeholders substituted, validated. */
  readonly config: Json;
  readonly plugins: PluginNames;
  /** Secrets in the config, to be masked in messages. */
  readonly secrets?: readonly string[];
  /** Where the stream of a partition begins, the same for all partitions. */
  readonly base?: PartitionBase;
}

export interface RunTweaks {
  /** A wall clock that stands still, for byte-identical runs. Null for the clock of the machine. */
  readonly fixed_now: Micros | null;
  /** Ends the generator after this many events. Null when there is no limit. */
  readonly limit: number | null;
  /** Releases timestamps of a live generator without waiting. */
  readonly never_waits: boolean;
  /** Ignores the checkpoint. */
  readonly starts_over: boolean;
  /** Logs the templates and lines that made each event. */
  readonly is_traced: boolean;
  /** Ends the stream before this time. Null when the inputs decide. */
  readonly until: Micros | null;
  /** The number of this piece of time, of so many. Null when the run is no piece of a longer one. */
  readonly piece: Partition | null;
}

export const NO_TWEAKS: RunTweaks = {
  fixed_now: null,
  limit: null,
  never_waits: false,
  starts_over: false,
  is_traced: false,
  until: null,
  piece: null,
};

export interface Registration {
  readonly params: GeneratorParams;
  readonly scenarios: readonly string[];
  readonly tweaks: RunTweaks;
}

export interface PluginNames {
  readonly inputs: readonly string[];
  readonly event: string;
  readonly outputs: readonly string[];
  /** Templates of the event plugin in order. Undefined when it has fewer than two. */
  readonly templates?: readonly string[];
}

export type GeneratorPhase =
  | 'idle'
  | 'loading'
  | 'running'
  | 'draining'
  | 'backing_off'
  | 'finished'
  | 'failed'
  | 'stopped';

export const noSuchGenerator = (id: string): SpateError =>
  failure('not_found', `there is no generator "${id}"`);

/** Largest `render_ms`: half of the deadline for silent threads. */
export const MAX_RENDER_MS = 5_000;

/** Limits of one render; exceeding one ends that render only. */
export type TemplateLimits = {
  /** Loop iterations, macro calls, and elements read by filters. */
  readonly loop_steps: number;
  /** Bytes of the rendered text in UTF-8. */
  readonly output_bytes: number;
  /** UTF-16 units of any intermediate text. */
  readonly string_length: number;
  /** Decimal digits of any intermediate integer. */
  readonly integer_digits: number;
  /** Elements of any list, tuple, set, dict or range. */
  readonly collection_items: number;
  /** Checked at intervals. */
  readonly render_ms: number;
  /** Nesting of macros, includes, imports, blocks, recursive loops and values. */
  readonly recursion_depth: number;
};

export const DEFAULT_TEMPLATE_LIMITS: TemplateLimits = {
  loop_steps: 10_000_000,
  output_bytes: 16 * 1024 * 1024,
  string_length: 16 * 1024 * 1024,
  integer_digits: 10_000,
  collection_items: 1_000_000,
  render_ms: 1_000,
  recursion_depth: 100,
};
