import { failure, type SpateError } from './errors.js';
import type { Json, JsonObject } from './json.js';
import type { TemplateLimits } from './templateLimits.js';
import type { Micros } from './time/micros.js';

/** Where the code of a generator runs: on a thread of the daemon, or on one in a process of its own. */
export const ISOLATIONS = ['thread', 'process'] as const;
export type Isolation = (typeof ISOLATIONS)[number];

/** Parameters common to all generators; the settings hold the defaults, an entry overrides single values. */
export interface GenerationParams {
  readonly timezone: string;
  /** `delay` in seconds; `null` is no limit, both `null` is refused. */
  readonly batch: { readonly size: number | null; readonly delay: number | null };
  readonly queue: { readonly max_timestamp_batches: number; readonly max_event_batches: number };
  readonly keep_order: boolean;
  readonly max_concurrency: number;
  /** Seconds per attempt. */
  readonly write_timeout: number;
  /** Delays in seconds; half of each pause is random. */
  readonly retry: { readonly attempts: number; readonly base_delay: number; readonly max_delay: number };
  /** What one render of a template may use. */
  readonly template_limits: TemplateLimits;
  /** Keep the position in the state folder, so that the stream goes on after a crash or restart. */
  readonly checkpoint: boolean;
  readonly isolation: Isolation;
}

/** One generator of an instance: which config file it runs and how. */
export interface GeneratorParams extends GenerationParams {
  readonly id: string;
  /** Absolute path of the config file. */
  readonly path: string;
  readonly live_mode: boolean;
  readonly skip_past: boolean;
  /** Values for `${params.*}`. */
  readonly params: JsonObject;
  /** Root of the seed tree; `null` draws one at each start. */
  readonly seed: string | null;
}

/** A generator as the startup file lists it. */
export interface StartupEntry extends GeneratorParams {
  readonly autostart: boolean;
  readonly scenarios: readonly string[];
}

/** Everything a host needs to run a generator: plain data that survives a thread boundary. */
export interface GeneratorDefinition {
  readonly params: GeneratorParams;
  /** Member of these; the first is the home. Empty: a private cell. */
  readonly scenarios: readonly string[];
  /** The whole config as JSON, placeholders substituted, checked against its declaration. */
  readonly config: Json;
  /** Names of the plugins, for status and stats before anything is decoded again. */
  readonly plugins: PluginNames;
  /** Secrets that went into the config: what is written about it must not show them. */
  readonly secrets?: readonly string[];
}

/** How a run differs from a normal one; all of it is for single runs and previews. */
export interface RunTweaks {
  /** Wall clock that stands still, for runs that must repeat byte for byte; `null`: the machine's. */
  readonly fixed_now: Micros | null;
  /** Ends the generator after this many events; `null`: no limit. */
  readonly limit: number | null;
  /** Hands out timestamps of a live generator at once: what it would do, without the wait. */
  readonly never_waits: boolean;
  /** Leaves out what a checkpoint says: the stream begins again. */
  readonly starts_over: boolean;
  /** Logs of each event which templates and lines made it. */
  readonly is_traced: boolean;
}

export const NO_TWEAKS: RunTweaks = {
  fixed_now: null,
  limit: null,
  never_waits: false,
  starts_over: false,
  is_traced: false,
};

/** A generator as it is registered. */
export interface Registration {
  readonly params: GeneratorParams;
  readonly scenarios: readonly string[];
  readonly tweaks: RunTweaks;
}

export interface PluginNames {
  readonly inputs: readonly string[];
  readonly event: string;
  readonly outputs: readonly string[];
}

/** Where a generator is in its life. */
export type GeneratorPhase =
  | 'idle'
  | 'loading'
  | 'running'
  | 'draining'
  | 'backing_off'
  | 'finished'
  | 'failed'
  | 'stopped';

/** No generator has this id. */
export const noSuchGenerator = (id: string): SpateError =>
  failure('not_found', `there is no generator "${id}"`);
