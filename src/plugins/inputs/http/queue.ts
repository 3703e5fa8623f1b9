import type { Requests } from '../../kit.js';

type Refusal = 'stopping' | 'full';

/** Counts of accepted requests, in order. */
export interface RequestQueue extends Pick<Requests, 'next' | 'stop'> {
  /** Returns why a request is refused, or null when it is accepted. */
  readonly offer: (count: number) => Refusal | null;
}

export const requestQueue = (max_pending_requests: number): RequestQueue => {
  const pending: number[] = [];
  let isStopping = false;
  let wake = (): void => {};
  return {
    offer: (count) => {
      if (isStopping) return 'stopping';
      if (pending.length >= max_pending_requests) return 'full';
      pending.push(count);
      wake();
      return null;
    },
    stop: () => {
      isStopping = true;
      wake();
    },
    next: async () => {
      for (;;) {
        const count = pending.shift();
        if (count !== undefined) return count;
        if (isStopping) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
};
