import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { CURRENT } from '../host/protocol.js';

/** Knows which run the code that executes right now belongs to, across every `await`, timer and callback. */
export interface AtWork {
  /** Calls a function as code of a run; whatever it starts belongs to the run too. */
  readonly within: <A>(run: number, work: () => A) => A;
  /** The run at work; `null`: code of the thread itself. */
  readonly current: () => number | null;
  /** The run has ended. */
  readonly ended: (run: number) => void;
}

/**
 * Keeps `CURRENT` of a heartbeat true, so that the main thread can name the run that hangs or crashes the thread.
 * Node reports every callback and continuation before it runs, so plugins cannot forget to. That costs 0.1 us
 * each: a thread pays it from its second run on. Until then all code is that of the first.
 */
export const atWork = (heartbeat: Int32Array): AtWork => {
  const store = new AsyncLocalStorage<number>();
  const outer: number[] = [];
  let isTracking = false;
  /** Started before tracking: code that belongs to no other run is its. */
  let first: number | null = null;
  const mark = (run: number): number => Atomics.exchange(heartbeat, CURRENT, run);
  const current = (): number | null => store.getStore() ?? first;
  const track = (): void => {
    isTracking = true;
    createHook({
      before: () => void outer.push(mark(current() ?? 0)),
      after: () => void mark(outer.pop() ?? 0),
    }).enable();
  };

  return {
    current,
    within: (run, work) => {
      if (!isTracking) {
        first ??= run;
        if (first !== run) track();
      }
      const before = mark(run);
      try {
        return run === first ? work() : store.run(run, work);
      } finally {
        mark(isTracking ? before : run);
      }
    },
    ended: (run) => {
      if (first !== run) return;
      first = null;
      if (!isTracking) mark(0);
    },
  };
};
