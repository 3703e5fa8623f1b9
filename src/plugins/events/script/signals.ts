/** What `drop()` and `exhaust()` throw: made once, so that a call costs no stack trace. */
export const DROP = new Error('drop() ends a call of produce: let it through');
export const EXHAUST = new Error('exhaust() ends a call of produce: let it through');

/** The functions that scripts get, in the argument of `produce` and from `import { drop, exhaust } from 'spate'`. */
export interface Signals {
  /** Ends this call without an event; the timestamp counts as dropped. */
  readonly drop: () => never;
  /** Ends this call without an event and the generator after it. */
  readonly exhaust: () => never;
}

/** The only instance of them. */
export const SIGNALS: Signals = Object.freeze({
  drop: (): never => {
    throw DROP;
  },
  exhaust: (): never => {
    throw EXHAUST;
  },
});
