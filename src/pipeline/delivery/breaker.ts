/** How long an output that failed all its attempts is left alone before one attempt looks whether it is back. */
const COOL_DOWN_MS = 5_000;

/** What the breaker allows for the next write. */
export type Allowance = 'all_attempts' | 'one_attempt' | 'none';

/**
 * A circuit breaker for one output. A write that failed in all its attempts opens it: writes then fail at
 * once instead of each waiting through its retries, until the cool-down is over and a single attempt looks
 * whether the output is back. A success closes it.
 */
export interface Breaker {
  readonly allows: () => Allowance;
  readonly note: (hasWorked: boolean) => void;
}

export const makeBreaker = (monotonicMs: () => number): Breaker => {
  let openUntilMs: number | null = null;
  return {
    allows: () => {
      if (openUntilMs === null) return 'all_attempts';
      return monotonicMs() < openUntilMs ? 'none' : 'one_attempt';
    },
    note: (hasWorked) => {
      openUntilMs = hasWorked ? null : monotonicMs() + COOL_DOWN_MS;
    },
  };
};
