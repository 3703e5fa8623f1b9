import { type WorkerOptions, warmUp } from '../host/startWorker.js';

export { endThreads } from '../host/startWorker.js';

/** Compiled entry of pipeline threads, beside this file's folder. */
export const WORKER_FILE = new URL('../worker.js', import.meta.url);

/** Heap of the only thread of a single run. */
export const SINGLE_HEAP_MB = 4_096;
/** What it may have outside of its heap. */
export const SINGLE_MEMORY_MB = 4_096;

/** What the thread of a single run is started with. */
const singleThread = (allow_subprocess: boolean): WorkerOptions => ({
  file: WORKER_FILE,
  heap_mb: SINGLE_HEAP_MB,
  stepsBack: false,
  allow_subprocess,
  isIsolated: false,
});

/** Starts the thread of a single run before the run is known: both load their programs at the same time. */
export const warmUpSingle = (allow_subprocess: boolean, likely_plugins: readonly string[]): void =>
  warmUp(singleThread(allow_subprocess), likely_plugins);
