import type { SpateError } from '../domain/errors.js';
import type { GeneratorParams, GeneratorPhase } from '../domain/generator.js';
import type { CountedImperfection } from '../domain/imperfections.js';
import type { JsonObject } from '../domain/json.js';
import type { CheckedOutput } from '../domain/preview.js';
import type { HealthReport } from '../domain/stats/health.js';
import type { HistogramBucket } from '../domain/stats/histogram.js';

/** Where a generator is in its life. */
export interface LifeStatus {
  readonly is_initializing: boolean;
  readonly is_running: boolean;
  readonly is_ended_up: boolean;
  readonly is_ended_up_successfully: boolean;
  readonly is_stopping: boolean;
  readonly phase: GeneratorPhase;
  /** `null` unless it failed or backs off. */
  readonly reason: string | null;
  readonly error_code: SpateError['code'] | null;
  /** Restarts within the current budget window. */
  readonly restarts: number;
}

export interface GeneratorStatus extends LifeStatus, HealthReport {}

export interface GeneratorListItem {
  readonly id: string;
  readonly path: string;
  readonly status: GeneratorStatus;
  /** ISO 8601 in UTC; `null` before the first start. */
  readonly start_time: string | null;
  readonly scenarios: readonly string[];
  /** Node of a cluster that has it. Null when none has it at the moment, undefined without a cluster. */
  readonly node?: string | null;
  /** In the order of their index. Undefined when the generator has none. */
  readonly partitions?: readonly {
    readonly index: number;
    readonly phase: GeneratorPhase;
    /** Node of a cluster. Null without a cluster: it is here. */
    readonly node: string | null;
  }[];
}

interface PluginStats {
  readonly plugin_name: string;
  readonly plugin_id: number;
}

export interface TemplateStats {
  readonly name: string;
  readonly produced: number;
}

export interface GeneratorStats {
  readonly id: string;
  readonly start_time: string | null;
  readonly input: readonly (PluginStats & { readonly generated: number })[];
  readonly event: PluginStats & {
    readonly produced: number;
    /** By earlier runs, when a checkpoint was resumed. */
    readonly produced_before: number;
    readonly produce_failed: number;
    readonly dropped: number;
    /** Events of this run by template. Undefined when the plugin has fewer than two. */
    readonly templates?: readonly TemplateStats[];
  };
  readonly output: readonly (PluginStats & {
    readonly written: number;
    readonly write_failed: number;
    readonly format_failed: number;
    readonly dead_lettered: number;
    /** Events neither written nor dead-lettered when the run ended. */
    readonly abandoned: number;
    /** Events that the routing of the output left out. */
    readonly filtered: number;
    readonly retries: number;
    readonly bytes: number;
    /** Events with each imperfection, once there are some. */
    readonly imperfect?: Readonly<Record<CountedImperfection, number>>;
  })[];
  readonly total_generated: number;
  /** Timestamps that the inputs give in this run. Undefined when they are endless, or their number is not known. */
  readonly expected_timestamps?: number;
  readonly total_written: number;
  /** By all outputs, replaced ones included. */
  readonly total_abandoned: number;
  /** In seconds. */
  readonly uptime: number;
  readonly input_eps: number;
  readonly output_eps: number;
  /** All batches up to this one are done at every output. */
  readonly low_water_mark: number;
  /** Produce time minus timestamp, in live mode. */
  readonly lateness_ms: {
    readonly p50: number;
    readonly p99: number;
    readonly max: number;
    readonly buckets: readonly HistogramBucket[];
  };
  /** Until the end of the write. */
  readonly delivery_lag_ms: {
    readonly p50: number;
    readonly p99: number;
    readonly buckets: readonly HistogramBucket[];
  };
}

/** A start, an end or a failure of a generator. */
export interface GeneratorTurn {
  /** Time of the last of several in a row, ISO 8601 in UTC. */
  readonly at: string;
  /** Time of the first of several in a row. */
  readonly first_at: string;
  /** Number of the same failure in a row. */
  readonly count: number;
  readonly phase: Extract<GeneratorPhase, 'running' | 'backing_off' | 'finished' | 'failed' | 'stopped'>;
  /** Why it failed and what to do; `null` unless it failed. */
  readonly reason: string | null;
  readonly error_code: SpateError['code'] | null;
}

/** Result of a bulk start: each id once, in the order of the request. */
export interface BulkStart {
  readonly running_generator_ids: readonly string[];
  /** Failed and unknown ones. */
  readonly non_running_generator_ids: readonly string[];
  readonly reasons: Readonly<Record<string, string>>;
}

interface Several {
  readonly ids: readonly string[];
}

/** Requests to the supervisor of all generators. */
export interface GeneratorRequests {
  'generators.list': { payload: null; answer: readonly GeneratorListItem[] };
  'generators.read': { payload: { readonly id: string }; answer: GeneratorParams };
  'generators.status': { payload: { readonly id: string }; answer: GeneratorStatus };
  'generators.stats': { payload: { readonly id: string }; answer: GeneratorStats };
  /** Newest first; since its registration. */
  'generators.history': { payload: { readonly id: string }; answer: readonly GeneratorTurn[] };
  /** Opens the outputs of the stored config as a start does, and closes them: no event is sent. */
  'generators.check_outputs': { payload: { readonly id: string }; answer: readonly CheckedOutput[] };
  /** Answers once it runs. The error says why the start failed. */
  'generators.start': { payload: { readonly id: string }; answer: true };
  /** Answers when the generator has ended; no error when it does not run. */
  'generators.stop': { payload: { readonly id: string }; answer: null };
  /** Registers a generator without starting or listing it; missing parameters come from the settings. */
  'generators.create': { payload: { readonly id: string; readonly params: JsonObject }; answer: null };
  /** Replaces the parameters of a generator at rest and resets its status. */
  'generators.replace': { payload: { readonly id: string; readonly params: JsonObject }; answer: null };
  /** Stops it first. */
  'generators.delete': { payload: { readonly id: string }; answer: null };
  /**
   * Gives a generator at rest another id: its registration, its entry of the startup list, its checkpoint and dead
   * letters. Its counters and history begin anew.
   */
  'generators.rename': { payload: { readonly id: string; readonly to: string }; answer: null };
  'generators.restart': { payload: { readonly id: string }; answer: true };
  /** Changes a running generator. */
  'generators.patch': {
    payload: {
      readonly id: string;
      /** `input`, `event`, `output`: each whole, as in the config file. */
      readonly sections: JsonObject;
      /** Write them to the config file too. */
      readonly persist: boolean;
    };
    answer: null;
  };
  'generators.stats_running': { payload: null; answer: readonly GeneratorStats[] };
  'generators.bulk_start': { payload: Several; answer: BulkStart };
  'generators.bulk_restart': { payload: Several; answer: BulkStart };
  /** Unknown ids are ignored. */
  'generators.bulk_stop': { payload: Several; answer: null };
  /** Unknown ids are ignored. */
  'generators.bulk_delete': { payload: Several; answer: null };
}
