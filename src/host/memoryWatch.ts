import type { Clock } from '../ports/clock.js';

/** How often memory is checked. A script can fill about 2 GB per second. */
const CHECK_EVERY_MS = 100;
/** After this many checks without a report a thread is charged with the growth of the process. */
const SILENT_CHECKS = 4;

const KB = 1024;
const MB = 1024 * KB;

export interface WatchedThread {
  /** Number of reports so far, and as of the last one the memory outside of the heap and that of the whole process. */
  readonly memory: () => {
    readonly reports: number;
    readonly outside_kb: number;
    readonly resident_kb: number;
  };
  readonly current: () => number | null;
  readonly terminate: (death: { readonly reason: string; readonly culprit: number | null }) => void;
}

/** Terminates threads that use too much memory outside of the JavaScript heap, which V8 does not limit. */
export interface MemoryWatch {
  /** Watches a thread until the returned function is called. */
  readonly add: (thread: WatchedThread, limits: { readonly heap_mb: number }) => () => void;
}

export interface MemoryWatchOptions {
  readonly clock: Pick<Clock, 'sleepMs'>;
  /** Memory of the whole process. */
  readonly residentBytes: () => number;
  /** Limit of each thread outside of its heap. */
  readonly memory_mb: number;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly thread: WatchedThread;
  readonly heap_bytes: number;
  reports: number;
  outside_bytes: number;
  silentChecks: number;
  /** At its last report: memory of the process, and the sum that all threads had reported. */
  resident: number;
  reported: number;
  isEnding: boolean;
}

/**
 * Threads report with each beat. One that allocates in a loop runs no timers: a silent thread is charged with the growth
 * of the process since its last report, less the reports of the others. That growth may be its heap, so the limit is
 * raised by the heap size. While a thread is being terminated, no other is charged with growth.
 */
export const memoryWatch = (options: MemoryWatchOptions): MemoryWatch => {
  const { clock, signal, memory_mb } = options;
  const limit_bytes = memory_mb * MB;
  const entries = new Set<Entry>();
  let isChecking = false;

  const reportedByAll = (): number => [...entries].reduce((sum, entry) => sum + entry.outside_bytes, 0);

  const readReports = (): void => {
    const heard: Entry[] = [];
    for (const entry of entries) {
      const { reports, outside_kb, resident_kb } = entry.thread.memory();
      entry.silentChecks = reports === entry.reports ? entry.silentChecks + 1 : 0;
      if (entry.silentChecks > 0) continue;
      entry.reports = reports;
      entry.outside_bytes = outside_kb * KB;
      // Not what it is now: a late check would miss what a thread has filled since its report.
      entry.resident = resident_kb * KB;
      heard.push(entry);
    }
    const reported = reportedByAll();
    for (const entry of heard) entry.reported = reported;
  };

  const growthOf = (entry: Entry): number => {
    const others = Math.max(0, reportedByAll() - entry.reported);
    return Math.max(0, options.residentBytes() - entry.resident - others);
  };

  const end = (entry: Entry): void => {
    entry.isEnding = true;
    const reason = `it used more memory outside of the JavaScript heap than its thread may have (${memory_mb} MB, generation.thread_memory_mb)`;
    entry.thread.terminate({ reason, culprit: entry.thread.current() });
  };

  const check = (): void => {
    readReports();
    const all = [...entries];
    for (const entry of all) if (!entry.isEnding && entry.outside_bytes > limit_bytes) end(entry);
    if (all.some(({ isEnding }) => isEnding)) return;
    const silent = all.filter(({ silentChecks }) => silentChecks >= SILENT_CHECKS);
    const over = silent.filter(
      (entry) => entry.outside_bytes + growthOf(entry) > limit_bytes + entry.heap_bytes,
    );
    // The thread silent for longest had most time to grow.
    over.sort((a, b) => b.silentChecks - a.silentChecks);
    if (over[0] !== undefined) end(over[0]);
  };

  const keepChecking = async (): Promise<void> => {
    while (entries.size > 0 && !signal.aborted) {
      await clock.sleepMs(CHECK_EVERY_MS, signal);
      check();
    }
    isChecking = false;
  };

  return {
    add: (thread, { heap_mb }) => {
      const entry: Entry = {
        thread,
        heap_bytes: heap_mb * MB,
        reports: 0,
        outside_bytes: 0,
        silentChecks: 0,
        resident: options.residentBytes(),
        reported: reportedByAll(),
        isEnding: false,
      };
      entries.add(entry);
      if (!isChecking) {
        isChecking = true;
        void keepChecking();
      }
      return () => void entries.delete(entry);
    },
  };
};
