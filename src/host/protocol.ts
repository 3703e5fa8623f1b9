import type { LogLevel, Result, SpateError } from '../domain/errors.js';
import type { TailLimits, TailSample } from '../domain/events/tail.js';
import type { GeneratorDefinition, RunTweaks } from '../domain/generator.js';
import type { GlobalsChange } from '../domain/globals/globals.js';
import type { JsonObject } from '../domain/json.js';
import type { PreviewTask } from '../domain/preview.js';
import type { PluginSource } from '../domain/thirdParty.js';
import type { LogContext } from '../ports/log.js';

/** One run of a generator on a thread. Runs are numbered: late messages of old runs are recognized. */
export interface RunJob {
  readonly run: number;
  readonly definition: GeneratorDefinition;
  readonly stats: SharedArrayBuffer;
  readonly tweaks: RunTweaks;
  /** User code of its event plugin may wait and continue later. */
  readonly runs_user_code: boolean;
  /** Folder of its dead letters. Null when none are stored. */
  readonly dead_letters: string | null;
  /** Where its checkpoint is. Null when none is kept. */
  readonly checkpoint: CheckpointPlace | null;
  /** Until when it may write, as in `permit`. Null for no limit. */
  readonly permit_ms: number | null;
}

/** A file, or the main thread, which stores it elsewhere. */
export type CheckpointPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'main_thread' };

/** Globals as they move between threads. */
export interface MovedGlobals {
  readonly scenario: string;
  readonly values: JsonObject;
  readonly changeNumber: number;
}

/** One task of a preview; tasks of a thread are numbered. */
export interface PreviewJob {
  readonly job: number;
  readonly task: PreviewTask;
}

export type ToWorker =
  | { readonly type: 'start'; readonly job: RunJob }
  | { readonly type: 'drain'; readonly run: number }
  /** Ends writes in flight; the run then ends by itself. */
  | { readonly type: 'give_up'; readonly run: number }
  | { readonly type: 'abort'; readonly run: number }
  /** A new definition for a run; answered by `patched`. */
  | {
      readonly type: 'patch';
      readonly run: number;
      readonly request: number;
      readonly definition: GeneratorDefinition;
      readonly stats: SharedArrayBuffer;
    }
  /** Copies events within the limits, for each search; answered by `tailed` while events flow. */
  | { readonly type: 'tail'; readonly run: number; readonly viewers: readonly TailLimits[] }
  /** Outputs may write until this time of the machine's monotonic clock, in milliseconds. */
  | { readonly type: 'permit'; readonly until_ms: number }
  | {
      readonly type: 'checkpoint.answer';
      readonly run: number;
      readonly request: number;
      /** The text for a read, null when there is none. Null for a write. */
      readonly answer: Result<string | null>;
    }
  /** The thread owns the globals from here on. */
  | { readonly type: 'owner.host'; readonly state: MovedGlobals }
  /** Gives the globals back: the last state follows as `owner.released`. */
  | { readonly type: 'owner.release'; readonly scenario: string }
  /** `number`: of the change in the journal. */
  | {
      readonly type: 'globals.change';
      readonly name: string;
      readonly change: GlobalsChange;
      readonly if_match: string | null;
      readonly number: number;
      readonly request: number;
    }
  | { readonly type: 'globals.read'; readonly name: string; readonly request: number }
  /** Read-only copy of globals that another thread owns. */
  | { readonly type: 'owner.replica'; readonly state: MovedGlobals; readonly request: number }
  | { readonly type: 'preview'; readonly job: PreviewJob };

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'running'; readonly run: number }
  | { readonly type: 'ended'; readonly run: number; readonly end: 'completed' | 'drained' }
  | { readonly type: 'failed'; readonly run: number; readonly error: SpateError }
  /** Answers `patch`. `error` is null when the new definition is in force. */
  | {
      readonly type: 'patched';
      readonly run: number;
      readonly request: number;
      readonly error: SpateError | null;
    }
  /** Copies of events, within the limits of the last `tail`. */
  | { readonly type: 'tailed'; readonly run: number; readonly sample: TailSample }
  /** Stores `text` as the checkpoint, or reads the checkpoint when it is null. Answered by `checkpoint.answer`. */
  | {
      readonly type: 'checkpoint';
      readonly run: number;
      readonly request: number;
      readonly text: string | null;
    }
  | { readonly type: 'log'; readonly level: LogLevel; readonly message: string; readonly context: LogContext }
  /** The thread is about to exit after an error that no generator caught. */
  | { readonly type: 'crashing'; readonly reason: string; readonly run: number | null }
  | { readonly type: 'globals.answer'; readonly request: number; readonly answer: Result<GlobalsAnswer> }
  /** Scripts or templates changed globals; at most once a second. */
  | {
      readonly type: 'owner.changed';
      readonly scenario: string;
      readonly text: string;
      readonly changeNumber: number;
    }
  | {
      readonly type: 'owner.released';
      readonly scenario: string;
      readonly text: string;
      readonly changeNumber: number;
    }
  /** The answer as JSON text; the chunks are transferred, not copied. */
  | { readonly type: 'preview.done'; readonly job: number; readonly chunks: readonly Uint8Array[] }
  | { readonly type: 'preview.failed'; readonly job: number; readonly error: SpateError };

/** Entity tag of the globals after a request. */
export interface GlobalsAnswer {
  readonly etag: string;
  /** JSON of the state after a read, and of what changed (`parseChanges`) after a change. Null for a replica. */
  readonly text: string | null;
}

/** Shared memory of one thread: a timer increments `BEAT`; `CURRENT` is the run that executes, 0 for none. */
export const BEAT = 0;
export const CURRENT = 1;
/** File reads of its plugins in progress. */
export const READS = 2;

/** `workerData` of a pipeline thread. */
export interface ThreadData {
  readonly heartbeat: Int32Array;
  /** File reads of all threads in progress. */
  readonly reads: Int32Array;
  readonly stepsBack: boolean;
  readonly allow_subprocess: boolean;
  /** Names of plugins to load while the thread waits for its first run. */
  readonly likely_plugins: readonly string[];
  readonly memory: Int32Array;
  /** Memory of the thread outside of its heap, and of each Python process that it starts. */
  readonly memory_mb: number;
  /** Whether the thread has a process of its own: scripts may use more of Node there. */
  readonly isIsolated: boolean;
  /** Files of third-party plugins, which the thread loads when a config uses them. */
  readonly plugins: readonly PluginSource[];
}

export const makeHeartbeat = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));

/** Shared memory of one thread: with each beat it reports its memory outside of the JavaScript heap, and that of its process. */
export const REPORTS = 0;
export const OUTSIDE_KB = 1;
export const RESIDENT_KB = 2;

export const makeMemoryReport = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));
