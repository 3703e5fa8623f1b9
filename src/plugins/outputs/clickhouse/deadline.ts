import type { Clock } from '../../../ports/clock.js';

/** A ready reason: without one each abort makes an exception with a stack. */
const OVER = 'over';
/** Longest timer of Node, 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `onDue` after so many milliseconds, unless the returned function is called before. */
export const deadline = (clock: Clock, ms: number, onDue: () => void): (() => void) => {
  const waiting = new AbortController();
  void clock.sleepMs(Math.min(ms, MAX_TIMER_MS), waiting.signal).then(() => {
    if (!waiting.signal.aborted) onDue();
  });
  return () => waiting.abort(OVER);
};
