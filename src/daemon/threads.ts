import { isolatedProcess } from '../adapters/processes/isolatedProcess.js';
import { systemClock } from '../adapters/systemClock.js';
import { residentBytes } from '../adapters/threadMemory.js';
import { WORKER_FILE } from '../host/singleThread.js';
import { type Threads, threadsOf } from '../host/thread.js';
import { loadedSources } from '../plugins/loaded.js';

const ISOLATE_FILE = new URL('../isolate.js', import.meta.url);

export interface ThreadLimits {
  readonly allow_subprocess: boolean;
  readonly max_pool_threads: number | null;
  readonly max_script_threads: number;
  readonly thread_heap_mb: number;
  readonly thread_memory_mb: number;
}

/** Threads of generators and previews. */
export const openThreads = (options: {
  readonly limits: ThreadLimits;
  /** True where an API must stay responsive. */
  readonly stepsBack: boolean;
  readonly signal: AbortSignal;
}): Threads => {
  const { allow_subprocess, thread_heap_mb, thread_memory_mb } = options.limits;
  return threadsOf({
    workerFile: WORKER_FILE,
    startIsolated: isolatedProcess(ISOLATE_FILE),
    heap_mb: thread_heap_mb,
    memory_mb: thread_memory_mb,
    residentBytes,
    stepsBack: options.stepsBack,
    allow_subprocess,
    plugins: loadedSources(),
    clock: systemClock,
    signal: options.signal,
  });
};
