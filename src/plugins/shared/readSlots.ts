import type { Clock } from '../../ports/clock.js';

/** Reads of all threads that may be under way at once: the thread pool of a process has four threads. */
export const MAX_READS = 3;

/** Looks again at least this often, so that a wait sees its deadline. */
const LOOK_EVERY_MS = 1_000;

/**
 * Shared memory that all threads of a process count their reads in. `own` counts those of one thread, so that
 * whoever ends the thread can take them off.
 */
export interface ReadCounters {
  /** Reads under way, and how many have ended (which wraps around). */
  readonly all: Int32Array;
  readonly own: Int32Array;
}

const BUSY = 0;
const ENDED = 1;

const counters = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

let shared: ReadCounters = { all: counters(), own: counters() };

/** To be called once by a thread, before its first read. */
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

/**
 * Takes a slot; false when no read of anybody has ended for this long: where many wait, each gets its turn. Each
 * `true` needs a `leave`.
 */
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
  // One slot is for one: waking everybody would be a thousand looks for each read of a thousand generators.
  Atomics.notify(all, BUSY, 1);
};
