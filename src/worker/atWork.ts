import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { CURRENT } from '../host/protocol.js';

/** Bound before a script can replace them. */
const { exchange, load } = Atomics;

/** Attributes the code that executes to a run. */
export interface AtWork {
  /** A run begins to build its parts. `runsUserCode`: its code may wait and continue outside of `within`. */
  readonly begin: (run: number, runsUserCode: boolean) => void;
  readonly isBuilt: (run: number) => void;
  readonly end: (run: number) => void;
  /** Calls a function as code of a run; where runs are followed, async work that it starts belongs to the run too. */
  readonly within: <A>(run: number, work: () => A) => A;
  readonly current: () => number | null;
}

/**
 * Maintains `CURRENT` of a heartbeat, by which the main thread names the run that hangs or crashes the thread. `within`
 * marks synchronous calls. Async work is followed through its async context, which makes an event up to half as
 * expensive again: only while one of several runs builds its parts or runs user code.
 */
export const atWork = (heartbeat: Int32Array): AtWork => {
  const store = new AsyncLocalStorage<number>();
  const runs = new Map<number, { isBuilding: boolean; readonly runsUserCode: boolean }>();
  let followed = 0;
  let isFollowing = false;
  /** Runs user code and began alone, so it is not followed: code of no other run is attributed to it. */
  let loner: number | null = null;
  const outer: number[] = [];

  const mark = (run: number): number => exchange(heartbeat, CURRENT, run);
  const owner = (): number | undefined => (isFollowing ? store.getStore() : undefined);
  const current = (): number => owner() ?? loner ?? 0;
  const hook = createHook({
    before: () => void outer.push(mark(current())),
    after: () => void mark(outer.pop() ?? 0),
  });
  const follow = (): void => {
    const isWanted = followed > 0 && runs.size > 1;
    if (isWanted === isFollowing) return;
    isFollowing = isWanted;
    if (isWanted) return void hook.enable();
    hook.disable();
    store.disable();
    outer.length = 0;
    mark(current());
  };

  return {
    begin: (run, runsUserCode) => {
      runs.set(run, { isBuilding: true, runsUserCode });
      followed++;
      if (runsUserCode && runs.size === 1) loner = run;
      follow();
      if (!isFollowing) mark(current());
    },
    isBuilt: (run) => {
      const state = runs.get(run);
      if (state === undefined || !state.isBuilding) return;
      state.isBuilding = false;
      if (!state.runsUserCode) followed--;
      follow();
    },
    end: (run) => {
      const state = runs.get(run);
      if (state === undefined) return;
      if (state.isBuilding || state.runsUserCode) followed--;
      runs.delete(run);
      if (loner === run) loner = null;
      follow();
      if (!isFollowing) mark(current());
    },
    within: (run, work) => {
      const before = mark(run);
      try {
        return isFollowing && run !== loner ? store.run(run, work) : work();
      } finally {
        mark(before);
      }
    },
    current: () => owner() ?? (load(heartbeat, CURRENT) || loner),
  };
};
