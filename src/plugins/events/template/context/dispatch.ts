import { asIndex, HostModule, native, raise } from '../../../../template/index.js';

/** Thrown by `dispatch.drop()` and `dispatch.exhaust()`; one object each, to avoid stack traces. */
export const DROP = new Error('dispatch.drop() ends a render');
export const EXHAUST = new Error('dispatch.exhaust() ends a render');

/** Thrown by `dispatch.next()`; reused. */
class Next extends Error {
  max_repicks = 0;
}
export const NEXT = new Next('dispatch.next() ends a render');

export const dispatchModule = (): HostModule =>
  new HostModule('dispatch', {
    drop: native('drop()', () => {
      throw DROP;
    }),
    next: native('next(max_repicks=64)', (max_repicks = null) => {
      const limit = asIndex(max_repicks);
      if (limit === undefined || limit < 1)
        return raise('ValueError', 'next() takes the most picks of a timestamp, an integer of at least 1');
      NEXT.max_repicks = limit;
      throw NEXT;
    }),
    exhaust: native('exhaust()', () => {
      throw EXHAUST;
    }),
  });
