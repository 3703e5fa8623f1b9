/** Milliseconds before retry `attempt` (from 1): exponential with a cap and equal jitter. `random`: uniform in [0, 1). */
export const backoffMs = (
  limits: { readonly base_ms: number; readonly cap_ms: number },
  attempt: number,
  random: number,
): number => {
  const full = Math.min(limits.cap_ms, limits.base_ms * 2 ** Math.min(30, attempt - 1));
  return Math.round(full / 2 + (full / 2) * random);
};
