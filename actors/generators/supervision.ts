/**
 * Restart policy, pure: backoff (`src/domain/backoff.ts`) and a budget of restarts per window. A stretch
 * of stable running refills the budget.
 */
export interface RestartPolicy {
  readonly base_ms: number;
  readonly cap_ms: number;
  /** Restarts allowed within `window_ms`; one more and the generator is failed until somebody starts it. */
  readonly max_restarts: number;
  readonly window_ms: number;
  /** Running this long without a failure forgets the earlier ones. */
  readonly stable_ms: number;
}

export const DEFAULT_POLICY: RestartPolicy = {
  base_ms: 500,
  cap_ms: 30_000,
  max_restarts: 5,
  window_ms: 120_000,
  stable_ms: 60_000,
};

/** Restart times (monotonic milliseconds) that still count at `nowMs`. */
export const recentRestarts = (
  policy: RestartPolicy,
  restartsMs: readonly number[],
  nowMs: number,
): readonly number[] => restartsMs.filter((at) => nowMs - at < policy.window_ms);

/** True while one more restart is allowed. */
export const hasBudget = (policy: RestartPolicy, restartsMs: readonly number[], nowMs: number): boolean =>
  recentRestarts(policy, restartsMs, nowMs).length < policy.max_restarts;
