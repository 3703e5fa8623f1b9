import type { SpateError } from '../domain/errors.js';
import type { GeneratorParams, GeneratorPhase } from '../domain/generator.js';

export interface GeneratorStatus {
  readonly is_initializing: boolean;
  readonly is_running: boolean;
  readonly is_ended_up: boolean;
  readonly is_ended_up_successfully: boolean;
  readonly is_stopping: boolean;
  readonly phase: GeneratorPhase;
  /** Why it failed or backs off; `null` when all is well. */
  readonly reason: string | null;
  readonly error_code: SpateError['code'] | null;
  /** Restarts within the current budget window. */
  readonly restarts: number;
}

export interface GeneratorListItem {
  readonly id: string;
  readonly path: string;
  readonly status: GeneratorStatus;
  /** Last start, ISO 8601 in UTC; `null` when never started. */
  readonly start_time: string | null;
  readonly scenarios: readonly string[];
}

interface PluginStats {
  readonly plugin_name: string;
  readonly plugin_id: number;
}

export interface GeneratorStats {
  readonly id: string;
  readonly start_time: string | null;
  readonly input: readonly (PluginStats & { readonly generated: number })[];
  readonly event: PluginStats & {
    readonly produced: number;
    readonly produce_failed: number;
    readonly dropped: number;
  };
  readonly output: readonly (PluginStats & {
    readonly written: number;
    readonly write_failed: number;
    readonly format_failed: number;
    /** Events that could not be written and are kept in the dead letters. */
    readonly dead_lettered: number;
    /** Attempts after the first. */
    readonly retries: number;
    readonly bytes: number;
  })[];
  readonly total_generated: number;
  readonly total_written: number;
  /** Seconds since the last start. */
  readonly uptime: number;
  readonly input_eps: number;
  readonly output_eps: number;
  /** Sequence number of the last batch up to which every batch is done at every output. */
  readonly low_water_mark: number;
  /** Produce time minus timestamp, live mode, milliseconds. */
  readonly lateness_ms: { readonly p50: number; readonly p99: number; readonly max: number };
  /** From production to the end of the write, milliseconds. */
  readonly delivery_lag_ms: { readonly p50: number; readonly p99: number };
}

/** Requests to the supervisor of all generators. */
export interface GeneratorRequests {
  'generators.list': { payload: null; answer: readonly GeneratorListItem[] };
  'generators.read': { payload: { readonly id: string }; answer: GeneratorParams };
  'generators.status': { payload: { readonly id: string }; answer: GeneratorStatus };
  'generators.stats': { payload: { readonly id: string }; answer: GeneratorStats };
  /** True once running; a start that fails is a Left that says why. */
  'generators.start': { payload: { readonly id: string }; answer: true };
  /** Answers when the generator has ended; fine when it does not run. */
  'generators.stop': { payload: { readonly id: string }; answer: null };
}
