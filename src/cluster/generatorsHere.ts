import type { Order } from './orders.js';
import { sameTexts } from './placement.js';
import type { TaskGenerator } from './tasks.js';

interface Local {
  readonly epoch: number;
  /** Its own key and those of its scenarios, as it was started. */
  readonly keys: readonly string[];
  /** The last stop that was ordered. */
  stopping: 'no' | 'drain' | 'at once';
}

/**
 * Generators and partitions of one node: which run, and which stop. `isUsable`: generators may run by the lease of this
 * key. `epochOf`: of a lease.
 */
export const makeGeneratorsHere = (isUsable: (key: string) => boolean, epochOf: (key: string) => number) => {
  const locals = new Map<string, Local>();
  /** How many of them were started with a key. */
  const uses = new Map<string, number>();

  const stop = (key: string, local: Local, isLost: boolean, orders: Order[]): void => {
    if (local.stopping === 'at once' || (local.stopping === 'drain' && !isLost)) return;
    local.stopping = isLost ? 'at once' : 'drain';
    orders.push({ type: 'stop', key, isLost });
  };

  const isValid = (key: string, local: Local, isLive: boolean): boolean =>
    isLive && local.epoch === epochOf(key) && local.keys.every(isUsable);

  return {
    /** Runs or stops a generator; returns whether it is where it should be. */
    settle: (
      { key, scenarios }: TaskGenerator,
      isLeaving: boolean,
      isLive: boolean,
      orders: Order[],
    ): boolean => {
      const local = locals.get(key);
      const keys = [key, ...scenarios];
      if (local === undefined) {
        if (isLeaving || !isLive || !keys.every(isUsable)) return true;
        const epoch = epochOf(key);
        locals.set(key, { epoch, keys, stopping: 'no' });
        for (const one of keys) uses.set(one, (uses.get(one) ?? 0) + 1);
        orders.push({ type: 'run', key, epoch });
        return true;
      }
      const isLost = !isValid(key, local, isLive);
      if (isLost || isLeaving || !sameTexts(local.keys, keys)) stop(key, local, isLost, orders);
      return local.stopping === 'no';
    },
    /** Stops the generator of a key that is in no task; returns whether there is none. */
    stopOrphan: (key: string, isLive: boolean, orders: Order[]): boolean => {
      const local = locals.get(key);
      if (local !== undefined) stop(key, local, !isValid(key, local, isLive), orders);
      return local === undefined;
    },
    /** A generator rests. Returns the keys that it was started with. */
    noteRest: (key: string): readonly string[] => {
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
    /** A generator was started with the key: it is not given back before that one rests. */
    isUsed: (key: string): boolean => uses.has(key),
    keys: (): Iterable<string> => locals.keys(),
    /** Those that run or stop. */
    size: (): number => locals.size,
    running: (): number => [...locals.values()].filter(({ stopping }) => stopping === 'no').length,
  };
};
