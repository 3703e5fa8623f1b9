import type { Result } from '../domain/errors.js';

/**
 * A request in a mailbox: the owner calls `reply` exactly once. The table of an actor makes the union
 * of all its requests.
 */
export type Request<T> = {
  [K in keyof T & string]: T[K] extends { payload: infer P; answer: infer A }
    ? { readonly type: K; readonly payload: P; readonly reply: (answer: Result<A>) => void }
    : never;
}[keyof T & string];
