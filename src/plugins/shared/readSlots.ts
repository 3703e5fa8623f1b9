import type { Clock } from '../../ports/clock.js';

/** Concurrent reads of all threads; the thread pool of the process has four threads. */
export const MAX_READS = 3;

const LOOK_EVERY_MS = 1_000;

/**
 * Counters in shared memory. `own` counts the reads of one thread, to subtract them when the thread is terminated.
 */
interface ReadCounters {
  /** Reads in flight, and the number of reads that ended (wraps around). */
  readonly all: Int32Array;
  readonly own: Int32Array;
}

const BUSY = 0;
const ENDED = 1;

const counters = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

let shared: ReadCounters = { all: counters(), own: counters() };

/** Call once per thread, before its first read. */
export const shareReadSlots = (given: ReadCounters): void => {
  shared = given;
};

interface AsyncWait {
  readonly value: Promise<unknown> | string;
}

const changed = async (all: Int32Array, seen: number): Promise<void> => {
  const wait = (Atomics as unknown as { waitAsync: (...args: unknown[]) => AsyncWait }).waitAsync;
  await wait(all, BUSY, seen, LOOK_EVERY_MS).value;
};

/** Takes a slot; false if no read of any thread ends within `patience_ms`. Pair each `true` with `leaveRead`. */
export const enterRead = async (clock: Clock, patience_ms: number): Promise<boolean> => {
  const { all, own } = shared;
  let until = clock.monotonicMs() + patience_ms;
  let ended = Atomics.load(all, ENDED);
  for (;;) {
    const seen = Atomics.load(all, BUSY);
    if (seen < MAX_READS) {
      if (Atomics.compareExchange(all, BUSY, seen, seen + 1) !== seen) continue;
      Atomics.add(own, 0, 1);
      return true;
    }
    const endedNow = Atomics.load(all, ENDED);
    if (endedNow !== ended) until = clock.monotonicMs() + patience_ms;
    ended = endedNow;
    if (clock.monotonicMs() >= until) return false;
    await changed(all, seen);
  }
};

export const leaveRead = (): void => {
  const { all, own } = shared;
  Atomics.sub(own, 0, 1);
  Atomics.add(all, ENDED, 1);
  Atomics.sub(all, BUSY, 1);
  // Wake one: waking all would cost a thousand checks per read with a thousand generators.
  Atomics.notify(all, BUSY, 1);
};
