import type { EventHead } from '../domain/events/eventHead.js';
import type { TailLimits } from '../domain/events/tail.js';

/** Copies of events for viewers. */
export interface Tails {
  /**
   * Copies events whenever the generator runs, later starts included, until the result is called. With several viewers
   * the widest limits apply to all. `onHeads` must be quick and never throw.
   */
  readonly open: (
    id: string,
    limits: TailLimits,
    onHeads: (heads: readonly EventHead[]) => void,
  ) => () => void;
}
