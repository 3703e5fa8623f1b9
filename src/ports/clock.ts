import type { Micros } from '../domain/time/micros.js';

/** The wall clock decides what is due; the monotonic clock measures. */
export interface Clock {
  /** Wall clock; never ahead of real time, may lag by its resolution. */
  readonly now: () => Micros;
  /** Milliseconds since an arbitrary origin; never jumps. */
  readonly monotonicMs: () => number;
  /** Resolves after a span of monotonic time, or at once when the signal aborts. */
  readonly sleepMs: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls `run` after a span of monotonic time, at most 24 days, unless the result is called before. Cheaper than `sleepMs`. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Resolves in a later turn of the event loop, after pending I/O and messages. */
  readonly yieldTurn: () => Promise<void>;
}
