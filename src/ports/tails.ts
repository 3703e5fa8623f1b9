import type { EventHead } from '../domain/events/eventHead.js';
import type { TailLimits } from '../domain/events/tail.js';

/** Copies of events for viewers. */
export interface Tails {
  /** Copies events until the result is called, over restarts; with several viewers the widest limits apply. `onHeads`: quick, total. */
  readonly open: (
    id: string,
    limits: TailLimits,
    onHeads: (heads: readonly EventHead[]) => void,
  ) => () => void;
}
