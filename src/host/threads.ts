import type { PluginSource } from '../domain/foreign.js';
import type { Isolation } from '../domain/generator.js';
import type { Clock } from '../ports/clock.js';
import type { StartIsolated } from '../ports/isolated.js';
import { childPort } from './child/port.js';
import { memoryWatch } from './memoryWatch.js';
import type { ThreadOptions } from './thread.js';
import { threadPort } from './workerPort.js';

export type Threads = (
  isolation: Isolation,
  more: {
    /** Limits memory and messages of threads with scripts. */
    readonly hasUserCode: boolean;
    /** Limits of an expendable process, in place of those of the instance. */
    readonly expendable?: { readonly heap_mb: number; readonly memory_mb: number };
  },
) => Pick<ThreadOptions, 'open' | 'heap_mb' | 'memory' | 'hasUserCode'>;

export interface ThreadsOptions {
  /** Compiled entry of the threads. */
  readonly workerFile: URL;
  /** Starts an isolated process with such a thread. */
  readonly startIsolated: StartIsolated;
  readonly heap_mb: number;
  /** Memory of a thread outside of its heap. */
  readonly memory_mb: number;
  readonly residentBytes: () => number;
  /** Threads run at lower priority than the main thread. */
  readonly stepsBack: boolean;
  readonly allow_subprocess: boolean;
  /** Files of third-party plugins. */
  readonly plugins: readonly PluginSource[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Threads of an instance share one memory watch. */
export const threadsOf = (options: ThreadsOptions): Threads => {
  const { heap_mb, memory_mb, ...shared } = options;
  const more = {
    stepsBack: shared.stepsBack,
    allow_subprocess: shared.allow_subprocess,
    plugins: shared.plugins,
  };
  const watch = memoryWatch(options);
  const inThread = { file: options.workerFile, heap_mb, memory_mb, isIsolated: false, ...more };
  const inProcess = { start: options.startIsolated, heap_mb, memory_mb, ...more };
  return (isolation, { hasUserCode, expendable }) => {
    if (expendable !== undefined) {
      const start: StartIsolated = (events) => options.startIsolated(events, { isExpendable: true });
      const open: ThreadOptions['open'] = (name, events) =>
        childPort({ start, ...expendable, ...more }, name, events);
      return { heap_mb: expendable.heap_mb, hasUserCode, memory: null, open };
    }
    return isolation === 'process'
      ? { heap_mb, hasUserCode, memory: null, open: (name, events) => childPort(inProcess, name, events) }
      : {
          heap_mb,
          hasUserCode,
          memory: hasUserCode ? watch : null,
          open: (name, events) => threadPort(inThread, name, events),
        };
  };
};
