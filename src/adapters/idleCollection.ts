import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 60_000;
/** Growth since the last collection that is worth another one. */
const GROWTH_BYTES = 4 * 1024 * 1024;
/** Collecting takes about 1 ms for each MB; events must not be held up for longer than that. */
const MAX_HEAP_BYTES = 32 * 1024 * 1024;
/** Share of its time that an idle thread is at work: some hundred events a second. Where more flow, V8 collects often enough. */
const MAX_UTILIZATION = 0.02;

/** What is known of a thread, and done to it. */
export interface Heap {
  readonly usedBytes: () => number;
  /** Share of the time since the last call that the thread was at work. */
  readonly utilization: () => number;
  readonly collect: () => void;
}

/** Gives the look that is to be taken now and then: it collects a small heap of an idle thread that has grown. */
export const idleCollector = ({ usedBytes, utilization, collect }: Heap): (() => void) => {
  let leftBytes = 0;
  return () => {
    const isIdle = utilization() <= MAX_UTILIZATION;
    const used = usedBytes();
    // V8 has collected by itself.
    leftBytes = Math.min(leftBytes, used);
    if (!isIdle || used > MAX_HEAP_BYTES || used - leftBytes < GROWTH_BYTES) return;
    collect();
    leftBytes = usedBytes();
  };
};

/** Collects the heap of this thread. Contexts have the function for it only while the flag is set. */
export const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  try {
    const gc = runInNewContext('gc') as () => void;
    gc();
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
};

/**
 * Keeps the heap of this thread near what it holds while there is little to do. V8 collects a small heap once it has grown
 * by 8 MB, which with few events takes minutes, and each thread of a process has one.
 */
export const collectWhenIdle = (): void => {
  let last = performance.eventLoopUtilization();
  const look = idleCollector({
    usedBytes: () => getHeapStatistics().used_heap_size,
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect: collectGarbage,
  });
  setInterval(look, LOOK_EVERY_MS).unref();
};
