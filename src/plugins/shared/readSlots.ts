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
  readonly all: Int32Array;
  readonly own: Int32Array;
}

const counters = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

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
  await wait(all, 0, seen, LOOK_EVERY_MS).value;
};

/** Takes a slot; false when none became free before the deadline. Each `true` needs a `leave`. */
export const enterRead = async (clock: Clock, deadline_ms: number): Promise<boolean> => {
  const { all, own } = shared;
  const until = clock.monotonicMs() + deadline_ms;
  for (;;) {
    const seen = Atomics.load(all, 0);
    if (seen < MAX_READS) {
      if (Atomics.compareExchange(all, 0, seen, seen + 1) !== seen) continue;
      Atomics.add(own, 0, 1);
      return true;
    }
    if (clock.monotonicMs() >= until) return false;
    await changed(all, seen);
  }
};

export const leaveRead = (): void => {
  const { all, own } = shared;
  Atomics.sub(own, 0, 1);
  Atomics.sub(all, 0, 1);
  Atomics.notify(all, 0);
};
