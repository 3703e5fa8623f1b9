import type { TailLimits, TailSample } from '../domain/events/tail.js';

/** Copies of events for viewers. */
export interface Tails {
  /** Copies events until the result is called, over restarts; viewers with the same search share the widest limits. `onSample`: quick, total. */
  readonly open: (id: string, limits: TailLimits, onSample: (sample: TailSample) => void) => () => void;
}
