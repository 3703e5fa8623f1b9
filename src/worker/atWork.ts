import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { CURRENT } from '../host/protocol.js';

/** Taken before a script can replace them. */
const { exchange, load } = Atomics;

/** Says which run the code that executes right now belongs to. */
export interface AtWork {
  /** A run begins; it is building its parts. `runsUserCode`: for good, it runs code that may wait and go on unseen. */
  readonly begin: (run: number, runsUserCode: boolean) => void;
  /** Its parts are built. */
  readonly isBuilt: (run: number) => void;
  readonly end: (run: number) => void;
  /** Calls a function as code of a run; where runs are followed, whatever it starts belongs to the run too. */
  readonly within: <A>(run: number, work: () => A) => A;
  /** The run at work; `null`: none, or code of the thread itself. */
  readonly current: () => number | null;
}

/**
 * Keeps `CURRENT` of a heartbeat true, so that the main thread can name the run that hangs or crashes the thread. Calls
 * that return at once are marked by `within`. What waits is followed through the asynchronous context: Node reports
 * every callback and continuation before it runs. An event then costs up to half as much again, so runs are followed
 * only while one of several builds its parts or runs user code.
 */
export const atWork = (heartbeat: Int32Array): AtWork => {
  const store = new AsyncLocalStorage<number>();
  /** Each run: whether it has to be followed. */
  const runs = new Map<number, { isBuilding: boolean; readonly runsUserCode: boolean }>();
  let followed = 0;
  let isFollowing = false;
  /** Runs user code and began alone, so nothing of it is followed: what belongs to no other run is its. */
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
