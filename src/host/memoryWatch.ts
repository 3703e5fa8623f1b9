import type { Clock } from '../ports/clock.js';
import type { ThreadDeath } from './thread.js';

/** How often memory is looked at. A script fills about 2 GB a second. */
const LOOK_EVERY_MS = 100;
/** A thread that has not reported for so many looks is judged by the growth of the process. */
const SILENT_LOOKS = 4;

const KB = 1024;
const MB = 1024 * KB;

/** A thread as the watch sees it. */
export interface WatchedThread {
  /** How often it has reported so far, and what it uses outside of its heap. */
  readonly memory: () => { readonly reports: number; readonly outside_kb: number };
  readonly current: () => number | null;
  readonly terminate: (death: ThreadDeath) => void;
}

/** Ends threads that use too much memory outside of the JavaScript heap, which V8 does not limit. */
export interface MemoryWatch {
  /** Watches a thread until the returned function is called. */
  readonly add: (thread: WatchedThread, limits: { readonly heap_mb: number }) => () => void;
}

export interface MemoryWatchOptions {
  readonly clock: Pick<Clock, 'sleepMs'>;
  /** Memory of the whole process. */
  readonly residentBytes: () => number;
  /** What a thread may use outside of its heap. */
  readonly memory_mb: number;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly thread: WatchedThread;
  readonly heap_bytes: number;
  reports: number;
  outside_bytes: number;
  silentLooks: number;
  /** Memory of the process, and what all threads had reported, at its last report. */
  resident: number;
  reported: number;
  isEnding: boolean;
}

/**
 * A thread reports with each beat. One that allocates in a loop does not get to its timers, so a silent thread is
 * charged with the growth of the process since its last report, less what the others report. Its own heap may be part of
 * that growth, so it gets its heap on top of the limit. While one is being ended, no other is charged with growth.
 */
export const memoryWatch = (options: MemoryWatchOptions): MemoryWatch => {
  const { clock, signal, memory_mb } = options;
  const limit_bytes = memory_mb * MB;
  const entries = new Set<Entry>();
  let isLooking = false;

  const reportedByAll = (): number => [...entries].reduce((sum, entry) => sum + entry.outside_bytes, 0);

  const readReports = (): void => {
    const heard: Entry[] = [];
    for (const entry of entries) {
      const { reports, outside_kb } = entry.thread.memory();
      entry.silentLooks = reports === entry.reports ? entry.silentLooks + 1 : 0;
      if (entry.silentLooks > 0) continue;
      entry.reports = reports;
      entry.outside_bytes = outside_kb * KB;
      heard.push(entry);
    }
    const resident = options.residentBytes();
    const reported = reportedByAll();
    for (const entry of heard) Object.assign(entry, { resident, reported });
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

  const look = (): void => {
    readReports();
    const all = [...entries];
    for (const entry of all) if (!entry.isEnding && entry.outside_bytes > limit_bytes) end(entry);
    if (all.some(({ isEnding }) => isEnding)) return;
    const silent = all.filter(({ silentLooks }) => silentLooks >= SILENT_LOOKS);
    const over = silent.filter(
      (entry) => entry.outside_bytes + growthOf(entry) > limit_bytes + entry.heap_bytes,
    );
    // The one that was silent first has had most time to grow.
    over.sort((a, b) => b.silentLooks - a.silentLooks);
    if (over[0] !== undefined) end(over[0]);
  };

  const keepLooking = async (): Promise<void> => {
    while (entries.size > 0 && !signal.aborted) {
      await clock.sleepMs(LOOK_EVERY_MS, signal);
      look();
    }
    isLooking = false;
  };

  return {
    add: (thread, { heap_mb }) => {
      const entry: Entry = {
        thread,
        heap_bytes: heap_mb * MB,
        reports: 0,
        outside_bytes: 0,
        silentLooks: 0,
        resident: options.residentBytes(),
        reported: reportedByAll(),
        isEnding: false,
      };
      entries.add(entry);
      if (!isLooking) {
        isLooking = true;
        void keepLooking();
      }
      return () => void entries.delete(entry);
    },
  };
};
