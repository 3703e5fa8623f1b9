import { type WorkerOptions, warmUp } from './startWorker.js';

export { endThreads } from './startWorker.js';

/** Compiled entry of pipeline threads. */
export const WORKER_FILE = new URL('../worker.js', import.meta.url);

/** Program that runs Python scripts. */
export const PYTHON_FILE = new URL('../plugins/events/script/python/child/main.py', import.meta.url);

export const SINGLE_HEAP_MB = 4_096;
export const SINGLE_MEMORY_MB = 4_096;

const singleThread = (allow_subprocess: boolean): WorkerOptions => ({
  file: WORKER_FILE,
  heap_mb: SINGLE_HEAP_MB,
  memory_mb: SINGLE_MEMORY_MB,
  stepsBack: false,
  allow_subprocess,
  isIsolated: false,
  plugins: [],
});

/** Starts the thread before the run is known, so that both load at the same time. */
export const warmUpSingle = (allow_subprocess: boolean, likely_plugins: readonly string[]): void =>
  warmUp(singleThread(allow_subprocess), likely_plugins);
