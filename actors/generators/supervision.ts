/** Exponential backoff and a budget of restarts per window. */
export interface RestartPolicy {
  readonly base_ms: number;
  readonly cap_ms: number;
  /** After this many restarts within `window_ms` the generator stays failed. */
  readonly max_restarts: number;
  readonly window_ms: number;
  /** Running this long refills the budget. */
  readonly stable_ms: number;
}

export const DEFAULT_POLICY: RestartPolicy = {
  base_ms: 500,
  cap_ms: 30_000,
  max_restarts: 5,
  window_ms: 120_000,
  stable_ms: 60_000,
};

/** Restart times (monotonic milliseconds) within the window. */
export const recentRestarts = (
  policy: RestartPolicy,
  restartsMs: readonly number[],
  nowMs: number,
): readonly number[] => restartsMs.filter((at) => nowMs - at < policy.window_ms);

export const hasBudget = (policy: RestartPolicy, restartsMs: readonly number[], nowMs: number): boolean =>
  recentRestarts(policy, restartsMs, nowMs).length < policy.max_restarts;
