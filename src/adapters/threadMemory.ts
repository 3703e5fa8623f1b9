import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 60_000;
/** Growth that justifies a collection. */
const GROWTH_BYTES = 4 * 1024 * 1024;
/** A collection takes about 1 ms per MB; events must not wait longer than that. */
const MAX_HEAP_BYTES = 32 * 1024 * 1024;
/**
 * A few thousand events a second. Above it V8 collects often enough, and a collection would compete for
 * processors.
 */
const MAX_UTILIZATION = 0.05;

export interface Heap {
  readonly usedBytes: () => number;
  /** Processor share of the process since the last call. */
  readonly utilization: () => number;
  readonly collect: () => boolean;
}

/** Returns a check to run periodically: it collects a small heap that grew while the process is idle. */
export const idleCollector = ({ usedBytes, utilization, collect }: Heap): (() => void) => {
  let leftBytes = 0;
  return () => {
    const isIdle = utilization() <= MAX_UTILIZATION;
    const used = usedBytes();
    leftBytes = Math.min(leftBytes, used);
    if (!isIdle || used > MAX_HEAP_BYTES || used - leftBytes < GROWTH_BYTES) return;
    if (collect()) leftBytes = usedBytes();
  };
};

/** False if another thread has just reset the flag, which all threads share. */
export const collectGarbage = (): boolean => {
  setFlagsFromString('--expose-gc');
  try {
    const gc = runInNewContext("typeof gc === 'function' ? gc : null") as (() => void) | null;
    gc?.();
    return gc !== null;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
};

/** Keeps the heap of an idle thread small. By itself V8 collects only after 8 MB of growth, on each thread. */
export const collectWhenIdle = (): void => {
  let last = { at_ms: performance.now(), cpu: process.cpuUsage() };
  const look = idleCollector({
    usedBytes: () => getHeapStatistics().used_heap_size,
    utilization: () => {
      const { user, system } = process.cpuUsage(last.cpu);
      const now_ms = performance.now();
      const share = (user + system) / 1000 / (now_ms - last.at_ms);
      last = { at_ms: now_ms, cpu: process.cpuUsage() };
      return share;
    },
    collect: collectGarbage,
  });
  setInterval(look, LOOK_EVERY_MS).unref();
};

const KB = 1024;

/** Captured before a script can replace it. */
const { memoryUsage } = process;

/** Measures; the last figure while no file descriptor is free, because the kernel is asked through a file. */
const lasting = <A>(measure: () => A, first: A): (() => A) => {
  let last = first;
  return () => {
    try {
      last = measure();
    } catch {
      // The next look may succeed.
    }
    return last;
  };
};

const usage = lasting((): Pick<NodeJS.MemoryUsage, 'external' | 'arrayBuffers' | 'rss'> => memoryUsage(), {
  external: 0,
  arrayBuffers: 0,
  rss: 0,
});

/**
 * Kilobytes of this thread outside the heap, and of the whole process. Shared buffers count only in `arrayBuffers`,
 * WebAssembly only in `external`.
 */
export const memoryKb = (): { readonly outside_kb: number; readonly resident_kb: number } => {
  const { external, arrayBuffers, rss } = usage();
  return {
    outside_kb: Math.ceil(Math.max(external, arrayBuffers) / KB),
    resident_kb: Math.ceil(rss / KB),
  };
};

export const residentBytes = lasting(() => memoryUsage.rss(), 0);
