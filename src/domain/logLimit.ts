/** Limits how often one kind of problem is logged, however often it happens. */
export interface LogLimit {
  /** Counts one occurrence; true when it should be logged. */
  readonly admit: () => boolean;
  /** Occurrences since the last call that were not logged; starts again from 0. */
  readonly takeSuppressed: () => number;
}

export interface LogLimitOptions {
  /** So many occurrences are logged one by one. */
  readonly first: number;
  /** After those, at most one occurrence per interval is logged. */
  readonly interval_ms: number;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number;
}

/** Defaults for problems of single events: enough to see what is wrong, never a flood. */
export const EVENT_LOG_LIMIT = { first: 5, interval_ms: 10_000 } as const;

export const logLimit = ({ first, interval_ms, monotonicMs }: LogLimitOptions): LogLimit => {
  let seen = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  let suppressed = 0;
  return {
    admit: () => {
      if (seen < first) {
        seen++;
        if (seen === first) lastMs = monotonicMs();
        return true;
      }
      const now = monotonicMs();
      if (now - lastMs >= interval_ms) {
        lastMs = now;
        return true;
      }
      suppressed++;
      return false;
    },
    takeSuppressed: () => {
      const count = suppressed;
      suppressed = 0;
      return count;
    },
  };
};
