export interface LogLimit {
  /** Counts one occurrence; true: log it. */
  readonly admit: () => boolean;
  /** Number of occurrences not logged since the last call. */
  readonly takeSuppressed: () => number;
}

export interface LogLimitOptions {
  /** Occurrences logged one by one; after them one per interval. */
  readonly first: number;
  readonly interval_ms: number;
  readonly monotonicMs: () => number;
}

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
