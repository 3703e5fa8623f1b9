import type { Micros } from '../domain/time/micros.js';

/** Time as a port. The wall clock decides what is due; the monotonic clock measures. */
export interface Clock {
  /** Wall clock; never ahead of the real time (it may lag by its resolution). */
  readonly now: () => Micros;
  /** Milliseconds of a clock that never jumps; its origin is arbitrary. */
  readonly monotonicMs: () => number;
  /** Resolves after a span of monotonic time, or at once when the signal ends. */
  readonly sleepMs: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * Calls `run` after a span of monotonic time (at most 24 days: a longer one is cut), unless the function that
   * it gives is called before. Cheaper than `sleepMs`, for limits that are hardly ever reached.
   */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Resolves in a later turn of the event loop, after pending I/O and messages got theirs. */
  readonly yieldTurn: () => Promise<void>;
}
