import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 60_000;
/** Growth since the last collection that is worth another one. */
const GROWTH_BYTES = 4 * 1024 * 1024;
/** Collecting takes about 1 ms for each MB; events must not be held up for longer than that. */
const MAX_HEAP_BYTES = 32 * 1024 * 1024;
/**
 * Processor time of an idle process, as share of one processor: some thousand events a second. Where there is more to do
 * V8 collects often enough, and a collection, which several threads share, would wait for a processor.
 */
const MAX_UTILIZATION = 0.05;

/** What is known of a thread, and done to it. */
export interface Heap {
  readonly usedBytes: () => number;
  /** Processor time of the process since the last call, as share of one processor. */
  readonly utilization: () => number;
  /** False when it could not be done. */
  readonly collect: () => boolean;
}

/** Gives the look that is to be taken now and then: it collects a small heap that has grown while the process is idle. */
export const idleCollector = ({ usedBytes, utilization, collect }: Heap): (() => void) => {
  let leftBytes = 0;
  return () => {
    const isIdle = utilization() <= MAX_UTILIZATION;
    const used = usedBytes();
    // V8 has collected by itself.
    leftBytes = Math.min(leftBytes, used);
    if (!isIdle || used > MAX_HEAP_BYTES || used - leftBytes < GROWTH_BYTES) return;
    if (collect()) leftBytes = usedBytes();
  };
};

/**
 * Collects the heap of this thread. Contexts have the function for it only while the flag is set, which is one for all
 * threads: where another one has just taken it back, the next look will do.
 */
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

/**
 * Keeps the heap of this thread near what it holds while there is little to do. V8 collects a small heap once it has grown
 * by 8 MB, which with few events takes minutes, and each thread of a process has one.
 */
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
