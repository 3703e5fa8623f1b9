import type { LogLevel, Result, SpateError } from '../domain/errors.js';
import type { EventHead } from '../domain/events/eventHead.js';
import type { TailLimits } from '../domain/events/tail.js';
import type { GeneratorDefinition, RunTweaks } from '../domain/generator.js';
import type { GlobalsChange } from '../domain/globals/patch.js';
import type { JsonObject } from '../domain/json.js';
import type { PreviewTask } from '../domain/preview.js';
import type { LogContext } from '../ports/log.js';

/** One run of a generator on a thread. Runs are numbered, so that a late message of an old run is known. */
export interface RunJob {
  readonly run: number;
  readonly definition: GeneratorDefinition;
  readonly stats: SharedArrayBuffer;
  readonly tweaks: RunTweaks;
  /** Its event plugin may wait and go on in code of the user. */
  readonly runs_user_code: boolean;
  /** Folder for what its outputs cannot deliver; `null`: nothing is kept. */
  readonly dead_letters: string | null;
  /** File of its position; `null`: it is not kept. */
  readonly checkpoint: string | null;
}

/** A cell as it moves between threads. */
export interface CellState {
  readonly scenario: string;
  readonly values: JsonObject;
  readonly changeNumber: number;
}

/** One task of a preview; tasks of a thread are numbered. */
export interface PreviewJob {
  readonly job: number;
  readonly task: PreviewTask;
}

/** What the main thread sends to a pipeline thread. */
export type ToWorker =
  | { readonly type: 'start'; readonly job: RunJob }
  | { readonly type: 'drain'; readonly run: number }
  /** Ends what is in flight; the end of the run is still waited for. */
  | { readonly type: 'give_up'; readonly run: number }
  | { readonly type: 'abort'; readonly run: number }
  /** Another definition for a run that flows; answered by `patched`. */
  | {
      readonly type: 'patch';
      readonly run: number;
      readonly request: number;
      readonly definition: GeneratorDefinition;
      readonly stats: SharedArrayBuffer;
    }
  /** Copies of events are wanted, at most so many; answered by `tailed` while events flow. `null`: none any more. */
  | { readonly type: 'tail'; readonly run: number; readonly limits: TailLimits | null }
  /** The thread owns the cell from here on. */
  | { readonly type: 'cell.host'; readonly state: CellState }
  /** Gives the cell back: the last state follows as `cell.released`. */
  | { readonly type: 'cell.release'; readonly scenario: string }
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
  /** Read-only copy of a cell that another thread owns. */
  | { readonly type: 'cell.replica'; readonly state: CellState; readonly request: number }
  | { readonly type: 'preview'; readonly job: PreviewJob };

/** What a pipeline thread sends to the main thread. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'running'; readonly run: number }
  | { readonly type: 'ended'; readonly run: number; readonly end: 'completed' | 'drained' }
  | { readonly type: 'failed'; readonly run: number; readonly error: SpateError }
  /** `null`: the new definition is in force. */
  | {
      readonly type: 'patched';
      readonly run: number;
      readonly request: number;
      readonly error: SpateError | null;
    }
  /** Copies of events, within the limits of the last `tail`. */
  | { readonly type: 'tailed'; readonly run: number; readonly heads: readonly EventHead[] }
  | { readonly type: 'log'; readonly level: LogLevel; readonly message: string; readonly context: LogContext }
  /** The thread is about to die of an error that no generator caught. */
  | { readonly type: 'crashing'; readonly reason: string; readonly run: number | null }
  | { readonly type: 'globals.answer'; readonly request: number; readonly answer: Result<GlobalsAnswer> }
  /** What scripts and templates changed, at most once a second. */
  | {
      readonly type: 'cell.changed';
      readonly scenario: string;
      readonly text: string;
      readonly changeNumber: number;
    }
  | {
      readonly type: 'cell.released';
      readonly scenario: string;
      readonly text: string;
      readonly changeNumber: number;
    }
  /** The whole answer as JSON text; the chunks are transferred, not copied. */
  | { readonly type: 'preview.done'; readonly job: number; readonly chunks: readonly Uint8Array[] }
  | { readonly type: 'preview.failed'; readonly job: number; readonly error: SpateError };

/** Entity tag of the globals after a request; `text`: their JSON, `null` unless the request was a read. */
export interface GlobalsAnswer {
  readonly etag: string;
  readonly text: string | null;
}

/**
 * Shared memory of one thread: it bumps `BEAT` from a timer and says in `CURRENT` which run is at work
 * (0: none), so that a thread that hangs can be told from an idle one and its culprit named.
 */
export const BEAT = 0;
export const CURRENT = 1;
/** Reads of files that its plugins have under way. */
export const READS = 2;

/** What a thread is given when it starts. */
export interface ThreadData {
  readonly heartbeat: Int32Array;
  /** Reads of all threads that are under way. */
  readonly reads: Int32Array;
  readonly stepsBack: boolean;
  /** Whether templates may run programs of this machine. */
  readonly allow_subprocess: boolean;
  /** Plugins that will probably be used, by name: they are loaded while nothing is asked of the thread yet. */
  readonly likely_plugins: readonly string[];
  /** Where it reports its memory. */
  readonly memory: Int32Array;
  /** Whether the whole process is for this thread: scripts may use more of Node there. */
  readonly isIsolated: boolean;
}

export const makeHeartbeat = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));

/**
 * Shared memory in which a thread reports with each beat how much it uses outside of the JavaScript heap: the number
 * of reports, and kilobytes.
 */
export const REPORTS = 0;
export const OUTSIDE_KB = 1;

export const makeMemoryCell = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));
