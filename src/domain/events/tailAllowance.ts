import type { TailLimits } from './tail.js';

/** A token bucket for events and bytes, of one second's worth at most. */
export interface Allowance {
  readonly refill: () => void;
  /** Whole events left. */
  readonly events: () => number;
  readonly bytes: () => number;
  /** Takes one event of this size; false: not enough left. */
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
