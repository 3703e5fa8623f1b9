/** Thrown by `drop()` and `exhaust()`. Shared, so a call costs no stack trace. */
export const DROP = new Error('drop() ends the call of produce: do not catch this');
export const EXHAUST = new Error('exhaust() ends the call of produce: do not catch this');

/** Functions for scripts: in the argument of `produce`, and from `import { drop, exhaust } from 'spate'`. */
export interface Signals {
  /** Ends the call without an event; the timestamp counts as dropped. */
  readonly drop: () => never;
  /** Ends the call without an event, then the generator. */
  readonly exhaust: () => never;
}

export const SIGNALS: Signals = Object.freeze({
  drop: (): never => {
    throw DROP;
  },
  exhaust: (): never => {
    throw EXHAUST;
  },
});
