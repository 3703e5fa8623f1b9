import type { Isolation } from '../domain/generator.js';
import type { Clock } from '../ports/clock.js';
import type { StartIsolated } from '../ports/isolated.js';
import { childPort } from './child/port.js';
import { memoryWatch } from './memoryWatch.js';
import type { ThreadOptions } from './thread.js';
import { threadPort } from './workerPort.js';

/** How to open a thread, with its limits. */
export type Threads = (
  isolation: Isolation,
  more: {
    /** Where scripts run, the use of memory and messages is limited. */
    readonly hasUserCode: boolean;
  },
) => Pick<ThreadOptions, 'open' | 'heap_mb' | 'memory' | 'hasUserCode'>;

export interface ThreadsOptions {
  /** Compiled entry of the threads. */
  readonly workerFile: URL;
  /** Starts a process with such a thread. */
  readonly startIsolated: StartIsolated;
  readonly heap_mb: number;
  /** Memory of a thread outside of its heap. */
  readonly memory_mb: number;
  readonly residentBytes: () => number;
  /** Threads give way to the main one where processors are short. */
  readonly stepsBack: boolean;
  /** Whether templates may run programs of this machine. */
  readonly allow_subprocess: boolean;
  readonly clock: Clock;
  /** Ends the watch over memory. */
  readonly signal: AbortSignal;
}

/** Opens the threads of an instance: all of them share one watch over memory. */
export const threadsOf = (options: ThreadsOptions): Threads => {
  const { heap_mb, memory_mb, stepsBack, allow_subprocess } = options;
  const watch = memoryWatch(options);
  const inThread = { file: options.workerFile, heap_mb, stepsBack, allow_subprocess, isIsolated: false };
  const inProcess = { start: options.startIsolated, heap_mb, memory_mb, stepsBack, allow_subprocess };
  return (isolation, { hasUserCode }) =>
    isolation === 'process'
      ? { heap_mb, hasUserCode, memory: null, open: (name, events) => childPort(inProcess, name, events) }
      : {
          heap_mb,
          hasUserCode,
          memory: hasUserCode ? watch : null,
          open: (name, events) => threadPort(inThread, name, events),
        };
};
