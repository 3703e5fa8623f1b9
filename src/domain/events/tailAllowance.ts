import type { TailLimits } from './tail.js';

/** What may be copied right now: it fills up with time, to one second's worth at most. */
export interface Allowance {
  /** Adds what has become free since the last call. */
  readonly refill: () => void;
  /** Whole events that are free. */
  readonly events: () => number;
  readonly bytes: () => number;
  /** Takes one event of so many bytes; false when it is not free. */
  readonly take: (bytes: number) => boolean;
}

export const makeAllowance = (
  { rate, bytes_per_second }: TailLimits,
  monotonicMs: () => number,
): Allowance => {
  let events = rate;
  let bytes = bytes_per_second;
  let lastMs = monotonicMs();
  return {
    refill: () => {
      const nowMs = monotonicMs();
      const seconds = (nowMs - lastMs) / 1_000;
      lastMs = nowMs;
      events = Math.min(rate, events + seconds * rate);
      bytes = Math.min(bytes_per_second, bytes + seconds * bytes_per_second);
    },
    events: () => Math.floor(events),
    bytes: () => bytes,
    take: (wanted) => {
      if (events < 1 || bytes < wanted) return false;
      events--;
      bytes -= wanted;
      return true;
    },
  };
};
