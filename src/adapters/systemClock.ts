import type { Micros } from '../domain/time/micros.js';
import { MICROS_PER_MS } from '../domain/time/micros.js';
import type { Clock } from '../ports/clock.js';

/** 24 days, the limit of Node. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A timer that is later than this comes after a time in which the process stood still. */
const STALL_MS = 250;

const sleepMs = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
  });

/** Whole milliseconds, rounded down: a clock that runs ahead would release events early. */
const now = (): Micros => Date.now() * MICROS_PER_MS;

export const systemClock: Clock = {
  now,
  monotonicMs: () => performance.now(),
  sleepMs,
  after: (ms, run) => {
    const delay = Math.min(ms, MAX_TIMER_MS);
    const dueMs = performance.now() + delay;
    let late: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      if (performance.now() - dueMs < STALL_MS) return run();
      // What came in while the process stood still is heard first, so that no answer is too late only because of that.
      late = setImmediate(() => {
        late = setImmediate(run);
      });
    }, delay);
    return () => {
      clearTimeout(timer);
      clearImmediate(late);
    };
  },
  yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** A clock stopped at `at`, for runs that repeat byte for byte. Timers still run. */
export const fixedClock = (at: Micros): Clock => ({
  ...systemClock,
  now: () => at,
});

/** Milliseconds of the machine's monotonic clock (CLOCK_MONOTONIC): the same for all threads and processes. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;
