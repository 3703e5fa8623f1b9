import type { Order } from './orders.js';
import { sameTexts } from './placement.js';
import type { TaskGenerator } from './tasks.js';

/** Generators and partitions of one node: which run, and which stop. */
export interface GeneratorsHere {
  /** Runs or stops a generator; returns whether it is where it should be. */
  readonly settle: (
    generator: TaskGenerator,
    isLeaving: boolean,
    isLive: boolean,
    orders: Order[],
  ) => boolean;
  /** Stops the generator of a key that is in no task; returns whether there is none. */
  readonly stopOrphan: (key: string, isLive: boolean, orders: Order[]) => boolean;
  /** A generator rests. Returns the keys that it was started with. */
  readonly noteRest: (key: string) => readonly string[];
  /** A generator was started with the key: it is not given back before that one rests. */
  readonly isUsed: (key: string) => boolean;
  readonly keys: () => Iterable<string>;
  /** Those that run or stop. */
  readonly size: () => number;
  readonly running: () => number;
}

interface Local {
  readonly epoch: number;
  /** Its own key and those of its scenarios, as it was started. */
  readonly keys: readonly string[];
  /** The last stop that was ordered. */
  stopping: 'no' | 'drain' | 'at once';
}

/** `isUsable`: generators may run by the lease of this key. `epochOf`: of a lease. */
export const makeGeneratorsHere = (
  isUsable: (key: string) => boolean,
  epochOf: (key: string) => number,
): GeneratorsHere => {
  const locals = new Map<string, Local>();
  const uses = new Map<string, number>();

  const stop = (key: string, local: Local, isLost: boolean, orders: Order[]): void => {
    if (local.stopping === 'at once' || (local.stopping === 'drain' && !isLost)) return;
    local.stopping = isLost ? 'at once' : 'drain';
    orders.push({ type: 'stop', key, isLost });
  };

  const isValid = (key: string, local: Local, isLive: boolean): boolean =>
    isLive && local.epoch === epochOf(key) && local.keys.every(isUsable);

  const run = (key: string, keys: readonly string[], orders: Order[]): void => {
    const epoch = epochOf(key);
    locals.set(key, { epoch, keys, stopping: 'no' });
    for (const one of keys) uses.set(one, (uses.get(one) ?? 0) + 1);
    orders.push({ type: 'run', key, epoch });
  };

  const settle: GeneratorsHere['settle'] = ({ key, scenarios }, isLeaving, isLive, orders) => {
    const local = locals.get(key);
    const keys = [key, ...scenarios];
    if (local === undefined) {
      if (!isLeaving && isLive && keys.every(isUsable)) run(key, keys, orders);
      return true;
    }
    const mustStop = isLeaving || !sameTexts(local.keys, keys);
    if (!isValid(key, local, isLive)) stop(key, local, true, orders);
    else if (mustStop) stop(key, local, false, orders);
    return local.stopping === 'no';
  };

  return {
    settle,
    stopOrphan: (key, isLive, orders) => {
      const local = locals.get(key);
      if (local !== undefined) stop(key, local, !isValid(key, local, isLive), orders);
      return local === undefined;
    },
    noteRest: (key) => {
      const local = locals.get(key);
      if (local === undefined || local.stopping === 'no') return [];
      locals.delete(key);
      for (const one of local.keys) {
        const count = (uses.get(one) ?? 1) - 1;
        if (count === 0) uses.delete(one);
        else uses.set(one, count);
      }
      return local.keys;
    },
    isUsed: (key) => uses.has(key),
    keys: () => locals.keys(),
    size: () => locals.size,
    running: () => [...locals.values()].filter(({ stopping }) => stopping === 'no').length,
  };
};
