import type { GeneratorDefinition } from '../domain/generator.js';

/** A thread that exists, as placement sees it. */
export interface PlacedThread {
  readonly key: string;
  readonly runCount: number;
}

/**
 * Group of a generator. Scenario mates share one, so that their globals are one plain object on one
 * thread; what may keep a thread busy without end has a group of its own; `null`: the pool.
 */
export const groupOf = ({ scenarios, params }: GeneratorDefinition, runsApart: boolean): string | null => {
  const [home] = scenarios;
  if (home !== undefined) return `scenario:${home}`;
  return runsApart ? `generator:${params.id}` : null;
};

/**
 * Key of the thread for a generator: its group's thread; a new one while there are fewer group threads
 * than `maxGroupThreads`, else the least loaded of them; for the pool the least loaded of `poolSize`.
 */
export const placeOf = (
  group: string | null,
  /** Thread key of each group that runs. */
  groups: ReadonlyMap<string, string>,
  threads: readonly PlacedThread[],
  limits: { readonly poolSize: number; readonly maxGroupThreads: number },
): string => {
  if (group === null) {
    const pool = Array.from({ length: limits.poolSize }, (_, index) => `pool:${index}`);
    return leastLoaded(pool, threads);
  }
  const present = groups.get(group);
  if (present !== undefined) return present;
  const groupThreads = threads.filter(({ key }) => !key.startsWith('pool:')).map(({ key }) => key);
  return groupThreads.length < limits.maxGroupThreads ? group : leastLoaded(groupThreads, threads);
};

const leastLoaded = (keys: readonly string[], threads: readonly PlacedThread[]): string => {
  const load = new Map(threads.map(({ key, runCount }) => [key, runCount]));
  return keys.reduce(
    (best, key) => ((load.get(key) ?? 0) < (load.get(best) ?? 0) ? key : best),
    keys[0] as string,
  );
};
