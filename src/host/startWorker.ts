import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type PluginSource, SCRIPT_THREAD_FLAGS } from '../domain/thirdParty.js';
import type { Clock } from '../ports/clock.js';
import { makeHeartbeat, makeMemoryReport, READS, type ThreadData } from './protocol.js';

const YOUNG_GENERATION_MB = 16;

export interface WorkerOptions {
  readonly file: URL;
  /** Heap limit; exceeding it ends this thread only. */
  readonly heap_mb: number;
  /** Limit of each Python process that it starts. */
  readonly memory_mb: number;
  /** Runs at lower priority than the main thread, which serves the API. */
  readonly stepsBack: boolean;
  readonly allow_subprocess: boolean;
  readonly isIsolated: boolean;
  /** Files of third-party plugins. */
  readonly plugins: readonly PluginSource[];
}

export interface StartedWorker {
  readonly worker: Worker;
  readonly heartbeat: Int32Array;
  readonly memory: Int32Array;
}

/** File reads of all threads in progress: they share the libuv pool of the process. */
const reads = new Int32Array(new SharedArrayBuffer(8));

const alive = new Set<Worker>();

/** Terminates every thread; false when one is still alive after the deadline, stuck in a system call. */
export const endThreads = async (clock: Pick<Clock, 'sleepMs'>, within_ms: number): Promise<boolean> => {
  const ended = new AbortController();
  const gone = Promise.all([...alive].map((worker) => worker.terminate())).then(() => ended.abort());
  await Promise.race([gone, clock.sleepMs(within_ms, ended.signal)]);
  return alive.size === 0;
};

/** Collects new objects without helper threads: two generators on two cores are a tenth faster, one is as fast. */
const collectAlone = (): void => setFlagsFromString('--no-parallel-scavenge');

const start = (
  { file, heap_mb, memory_mb, stepsBack, allow_subprocess, isIsolated, plugins }: WorkerOptions,
  name: string,
  likely_plugins: readonly string[] = [],
): StartedWorker => {
  collectAlone();
  const heartbeat = makeHeartbeat();
  const memory = makeMemoryReport();
  const worker = new Worker(file, {
    name,
    workerData: {
      heartbeat,
      reads,
      memory,
      memory_mb,
      stepsBack,
      allow_subprocess,
      isIsolated,
      likely_plugins,
      plugins,
    } satisfies ThreadData,
    execArgv: [...SCRIPT_THREAD_FLAGS],
    // It replaces its standard streams: Node must not read the former ones, which asks the new ones for more.
    stdout: true,
    stderr: true,
    // A small young generation keeps resident memory low; replay and scripts were as fast or faster.
    resourceLimits: { maxOldGenerationSizeMb: heap_mb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  alive.add(worker);
  worker.once('exit', () => {
    alive.delete(worker);
    Atomics.sub(reads, 0, Atomics.load(heartbeat, READS));
  });
  return { worker, heartbeat, memory };
};

/** A thread started in advance, with its options as `key`. */
let warm: (StartedWorker & { readonly key: string; readonly forget: () => void }) | null = null;

const keyOf = ({
  file,
  heap_mb,
  memory_mb,
  stepsBack,
  allow_subprocess,
  isIsolated,
  plugins,
}: WorkerOptions): string =>
  JSON.stringify([file.href, heap_mb, memory_mb, stepsBack, allow_subprocess, isIsolated, plugins]);

/**
 * Starts a thread in advance: it loads its program while the caller loads its own. The first `startWorker` with the
 * same options takes it; until then it does not keep the process alive.
 */
export const warmUp = (options: WorkerOptions, likely_plugins: readonly string[]): void => {
  const started = start(options, 'warm', likely_plugins);
  const forget = (): void => {
    warm = null;
  };
  started.worker.unref();
  // After a failure `startWorker` starts a new thread and reports its error.
  started.worker.once('error', forget).once('exit', forget);
  warm = { ...started, key: keyOf(options), forget };
};

/** Starts a thread, or takes the one warmed up with the same options. */
export const startWorker = (options: WorkerOptions, name: string): StartedWorker => {
  const ready = warm;
  if (ready === null) return start(options, name);
  ready.forget();
  ready.worker.off('error', ready.forget).off('exit', ready.forget);
  if (ready.key !== keyOf(options)) {
    void ready.worker.terminate();
    return start(options, name);
  }
  ready.worker.ref();
  return ready;
};
