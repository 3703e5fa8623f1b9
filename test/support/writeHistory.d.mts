/** Types of `writeHistory.mjs`; its descriptions stand there. */
export interface WriteHistory<A> {
  readonly begin: (value: A) => { readonly end: (outcome: 'done' | 'refused') => void };
  readonly look: () => () => readonly A[];
  readonly possible: () => readonly A[];
  readonly settle: (value: A) => void;
  readonly answered: () => number;
}

export declare const writeHistory: <A>(initial: A) => WriteHistory<A>;
