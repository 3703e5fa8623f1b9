import { reasonOf } from '../domain/errors.js';
import type { ToWorker } from './protocol.js';
import { startWorker, type WorkerOptions } from './startWorker.js';

export interface PortEvents {
  /** Unchecked: scripts share the thread. */
  readonly onMessage: (value: unknown) => void;
  /** The thread is about to end. */
  readonly onError: (reason: string) => void;
  /** The last event. `reason`: if `onError` gave none. */
  readonly onExit: (reason: string) => void;
}

/** Connection to a pipeline thread, in this or in an isolated process. */
export interface WorkerPort {
  readonly heartbeat: Int32Array;
  readonly memory: Int32Array;
  readonly post: (message: ToWorker) => void;
  readonly terminate: () => void;
}

export const exitReason = (code: number): string => `it ended its thread with process.exit(${code})`;

/** Reason of an error that ended a worker by itself. */
export const workerErrorReason = (thrown: NodeJS.ErrnoException, heap_mb: number): string =>
  thrown.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? `it used more memory than its thread may have (${heap_mb} MB, generation.thread_heap_mb)`
    : `an error that nothing caught: ${reasonOf(thrown)}`;

/** A thread of this process. */
export const threadPort = (options: WorkerOptions, name: string, events: PortEvents): WorkerPort => {
  const { worker, heartbeat, memory } = startWorker(options, name);
  worker.on('message', events.onMessage);
  worker.on('messageerror', () => events.onMessage(null));
  worker.on('error', (thrown: NodeJS.ErrnoException) =>
    events.onError(workerErrorReason(thrown, options.heap_mb)),
  );
  worker.on('exit', (code) => events.onExit(exitReason(code)));
  return {
    heartbeat,
    memory,
    post: (message) => worker.postMessage(message),
    terminate: () => void worker.terminate(),
  };
};
