import type { EventBatch } from '../domain/events/eventBatch.js';
import type { EventHead } from '../domain/events/eventHead.js';
import { makeAllowance, type TailLimits } from '../domain/events/tail.js';

/** Copies produced events to viewers. Without any it costs one comparison per batch. */
export interface Tap {
  /** Takes the events of a batch. Null when there is no viewer. */
  take: ((events: EventBatch) => void) | null;
}

export const makeTap = (): Tap => ({ take: null });

/** Copies the first events of a batch within the limits: on average `rate` a second, and at most that many at once. */
export const sampler = (
  limits: TailLimits,
  monotonicMs: () => number,
  give: (heads: readonly EventHead[]) => void,
): NonNullable<Tap['take']> => {
  const allowance = makeAllowance(limits, monotonicMs);
  const { max_bytes } = limits;
  return (batch) => {
    allowance.refill();
    const count = allowance.events();
    if (count === 0) return;
    const heads = batch.heads({ count, max_bytes, total_bytes: allowance.bytes() });
    if (heads.length === 0) return;
    for (const { bytes } of heads) allowance.take(bytes);
    give(heads);
  };
};
