import type { EventHead } from '../domain/events/eventHead.js';
import type { TailLimits } from '../domain/events/tail.js';

/** Looking on at the events of generators. */
export interface Tails {
  /**
   * Copies of events whenever the generator runs, now and after later starts, until the result is called. Others may look
   * on at the same generator with other limits: what is given fits the widest of them. `onHeads` must be total and quick.
   */
  readonly open: (
    id: string,
    limits: TailLimits,
    onHeads: (heads: readonly EventHead[]) => void,
  ) => () => void;
}
