/** Limits of the events that a viewer gets. */
export interface TailLimits {
  /** Events per second, from 1. */
  readonly rate: number;
  /** Longer events are cut. */
  readonly max_bytes: number;
  /** At least `max_bytes`. */
  readonly bytes_per_second: number;
}

export const MAX_TAIL_RATE = 1_000;
export const DEFAULT_TAIL_RATE = 10;
export const MAX_TAIL_BYTES = 1_048_576;
/** Generators of one stream. */
export const MAX_TAILED = 32;
export const DEFAULT_TAIL_BYTES = 16_384;

/** Upper limit of every tail. */
const TAIL_BYTES_PER_SECOND = 4 * 1_048_576;

export const tailLimits = (rate: number, max_bytes: number): TailLimits => ({
  rate,
  max_bytes,
  bytes_per_second: Math.max(max_bytes, TAIL_BYTES_PER_SECOND),
});

/** Returns limits wide enough for all viewers, or null when there is no viewer. */
export const widest = (all: readonly TailLimits[]): TailLimits | null =>
  all.length === 0
    ? null
    : {
        rate: Math.max(...all.map(({ rate }) => rate)),
        max_bytes: Math.max(...all.map(({ max_bytes }) => max_bytes)),
        bytes_per_second: Math.max(...all.map(({ bytes_per_second }) => bytes_per_second)),
      };

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
