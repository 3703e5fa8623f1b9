import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { SCRIPT_THREAD_FLAGS } from '../domain/scriptThread.js';
import type { Clock } from '../ports/clock.js';
import { makeHeartbeat, makeMemoryCell, READS, type ThreadData } from './protocol.js';

/** Size of the space for new objects of a thread. */
const YOUNG_GENERATION_MB = 16;

/** What a thread is started with. */
export interface WorkerOptions {
  readonly file: URL;
  /** Heap limit of the thread; exceeding it ends this thread only. */
  readonly heap_mb: number;
  /** Gives way to the main thread where processors are short: there is an API to answer. */
  readonly stepsBack: boolean;
  /** Whether templates may run programs of this machine. */
  readonly allow_subprocess: boolean;
  /** Whether the whole process is for this thread. */
  readonly isIsolated: boolean;
}

export interface StartedWorker {
  readonly worker: Worker;
  readonly heartbeat: Int32Array;
  readonly memory: Int32Array;
}

/** Reads of files that all threads have under way, and those that have ended: threads share the pool of the process. */
const reads = new Int32Array(new SharedArrayBuffer(8));

/** Threads that have not ended. */
const alive = new Set<Worker>();

/** Ends every thread; false when one has not ended after that time: it is in a call of the system that does not return. */
export const endThreads = async (clock: Pick<Clock, 'sleepMs'>, within_ms: number): Promise<boolean> => {
  const ended = new AbortController();
  const gone = Promise.all([...alive].map((worker) => worker.terminate())).then(() => ended.abort());
  await Promise.race([gone, clock.sleepMs(within_ms, ended.signal)]);
  return alive.size === 0;
};

/**
 * Threads collect their own new objects. V8 would wake helpers on the other cores for it, which are busy with the
 * other threads: without them two generators on two cores are a tenth faster, and one alone as fast.
 */
const collectAlone = (): void => setFlagsFromString('--no-parallel-scavenge');

const start = (
  { file, heap_mb, stepsBack, allow_subprocess, isIsolated }: WorkerOptions,
  name: string,
  likely_plugins: readonly string[] = [],
): StartedWorker => {
  collectAlone();
  const heartbeat = makeHeartbeat();
  const memory = makeMemoryCell();
  const worker = new Worker(file, {
    name,
    workerData: {
      heartbeat,
      reads,
      memory,
      stepsBack,
      allow_subprocess,
      isIsolated,
      likely_plugins,
    } satisfies ThreadData,
    execArgv: [...SCRIPT_THREAD_FLAGS],
    // A small young generation keeps resident memory low and was as fast or faster on replay and scripts.
    resourceLimits: { maxOldGenerationSizeMb: heap_mb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    stdout: false,
    stderr: false,
  });
  alive.add(worker);
  worker.once('exit', () => {
    alive.delete(worker);
    Atomics.sub(reads, 0, Atomics.load(heartbeat, READS));
  });
  return { worker, heartbeat, memory };
};

/** A thread that was started before it was wanted, with what it was started with. */
let warm: (StartedWorker & { readonly key: string; readonly forget: () => void }) | null = null;

const keyOf = ({ file, heap_mb, stepsBack, allow_subprocess, isIsolated }: WorkerOptions): string =>
  JSON.stringify([file.href, heap_mb, stepsBack, allow_subprocess, isIsolated]);

/**
 * Starts a thread that will surely be wanted soon: it loads its program while the caller loads its own. The
 * first `startWorker` with the same options takes it; until then it keeps nobody from ending.
 */
export const warmUp = (options: WorkerOptions, likely_plugins: readonly string[]): void => {
  const started = start(options, 'warm', likely_plugins);
  const forget = (): void => {
    warm = null;
  };
  started.worker.unref();
  // One that fails is started again by whoever wants it, who then hears why.
  started.worker.once('error', forget).once('exit', forget);
  warm = { ...started, key: keyOf(options), forget };
};

/** A thread of its own, or the one that was warmed up with the same options. */
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
