import { availableParallelism } from 'node:os';
import { type GeneratorsInput, generatorsLogic } from '../../actors/generators.js';
import { DEFAULT_POLICY } from '../../actors/supervision.js';
import { uniform } from '../adapters/entropy.js';
import { nodeFiles } from '../adapters/files.js';
import { systemClock } from '../adapters/systemClock.js';
import { loadGenerator } from '../config/generatorConfig.js';
import type { CellDirectory } from '../host/cells.js';
import { workerHost } from '../host/workerHost.js';
import { generatorShape } from '../plugins/generatorShape.js';
import type { Secrets } from '../ports/files.js';
import type { Log } from '../ports/log.js';

/** Compiled entry of pipeline threads, beside this file's folder. */
export const WORKER_FILE = new URL('../worker.js', import.meta.url);

/** How long a generator that is stopped may take to deliver what it has produced. */
const DRAIN_MS = 10_000;

export interface ThreadLimits {
  readonly max_pool_threads: number | null;
  readonly max_script_threads: number;
  readonly thread_heap_mb: number;
}

/** What the supervisor of generators is given, for a daemon and for a single run alike. */
export const generatorsInput = (options: {
  readonly log: Log;
  readonly secrets: Secrets;
  readonly cells: CellDirectory;
  readonly threads: ThreadLimits;
  /** Folder of dead letters and checkpoints; `null`: nothing is kept. */
  readonly state: string | null;
  readonly signal: AbortSignal;
  readonly shownPath: (path: string) => string;
}): GeneratorsInput => ({
  host: workerHost({
    workerFile: WORKER_FILE,
    clock: systemClock,
    log: options.log,
    cells: options.cells,
    poolSize: options.threads.max_pool_threads ?? availableParallelism(),
    maxGroupThreads: options.threads.max_script_threads,
    thread_heap_mb: options.threads.thread_heap_mb,
    state: options.state,
    signal: options.signal,
  }),
  load: (params, scenarios) =>
    loadGenerator({ files: nodeFiles, secrets: options.secrets, shape: generatorShape }, params, scenarios),
  policy: DEFAULT_POLICY,
  drain_ms: DRAIN_MS,
  clock: systemClock,
  random: uniform,
  log: options.log,
  shownPath: options.shownPath,
});

export { generatorsLogic };
