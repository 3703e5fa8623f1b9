import type { Result } from '../domain/errors.js';

/** A message of a table in a mailbox. The owner calls `reply` exactly once. */
export type Request<T> = {
  [K in keyof T & string]: T[K] extends { payload: infer P; answer: infer A }
    ? { readonly type: K; readonly payload: P; readonly reply: (answer: Result<A>) => void }
    : never;
}[keyof T & string];
