import type { GeneratorDefinition, Isolation } from '../domain/generator.js';

/** A thread that exists, as placement sees it. */
export interface PlacedThread {
  readonly key: string;
  readonly runCount: number;
}

/** Whether the thread of this key has a process of its own. */
export const isProcess = (key: string): boolean => key.startsWith(PROCESS);

export const isPool = (key: string): boolean => key.startsWith('pool:');

const PROCESS = 'process:';
const SCENARIO = 'scenario:';

/**
 * Group of a generator. Scenario mates share one, so that their globals are one plain object on one
 * thread; what may keep a thread busy without end has a group of its own, and so has what wants a process; `null`: the
 * pool.
 */
export const groupOf = ({ scenarios, params }: GeneratorDefinition, runsApart: boolean): string | null => {
  const [home] = scenarios;
  if (home !== undefined) return `${SCENARIO}${home}`;
  return runsApart || params.isolation === 'process' ? `generator:${params.id}` : null;
};

/**
 * Key of the thread for a generator: its group's thread; a new one while there are fewer group threads
 * than `maxGroupThreads`, else the least loaded of them; for the pool the least loaded of `poolSize`. Threads in
 * processes of their own are counted and shared apart from the others.
 */
export const placeOf = (
  group: string | null,
  /** Thread key of each group that runs. */
  groups: ReadonlyMap<string, string>,
  threads: readonly PlacedThread[],
  limits: { readonly poolSize: number; readonly maxGroupThreads: number },
  isolation: Isolation = 'thread',
): string => {
  if (group === null) {
    const pool = Array.from({ length: limits.poolSize }, (_, index) => `pool:${index}`);
    return leastLoaded(pool, threads);
  }
  const isIsolated = isolation === 'process';
  const present = groups.get(group);
  // A single generator may ask for another kind of place at each start; a scenario has its cell there.
  if (present !== undefined && (isProcess(present) === isIsolated || group.startsWith(SCENARIO)))
    return present;
  const alike = threads.map(({ key }) => key).filter((key) => !isPool(key) && isProcess(key) === isIsolated);
  if (alike.length >= limits.maxGroupThreads) return leastLoaded(alike, threads);
  return isIsolated ? `${PROCESS}${group}` : group;
};

const leastLoaded = (keys: readonly string[], threads: readonly PlacedThread[]): string => {
  const load = new Map(threads.map(({ key, runCount }) => [key, runCount]));
  return keys.reduce(
    (best, key) => ((load.get(key) ?? 0) < (load.get(best) ?? 0) ? key : best),
    keys[0] as string,
  );
};
