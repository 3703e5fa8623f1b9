import type { GeneratorDefinition, Isolation } from '../../domain/generator.js';

export interface ThreadLoad {
  readonly key: string;
  readonly runCount: number;
}

export const isProcess = (key: string): boolean => key.startsWith(PROCESS);

export const isPool = (key: string): boolean => key.startsWith('pool:');

const PROCESS = 'process:';
const SCENARIO = 'scenario:';

/**
 * Returns the group of a generator, or null for the pool. Members of a scenario share a group, so their globals are one
 * object on one thread. Code that can keep a thread busy without end, and `isolation: process`, get a group of their
 * own.
 */
export const groupOf = ({ scenarios, params }: GeneratorDefinition, runsApart: boolean): string | null => {
  const [home] = scenarios;
  if (home !== undefined) return `${SCENARIO}${home}`;
  return runsApart || params.isolation === 'process' ? `generator:${params.id}` : null;
};

/**
 * Key of the thread for a generator: that of its group; a new one below `maxGroupThreads`, else the least loaded; for
 * the pool the least loaded of `poolSize`. Isolated processes are counted and shared separately.
 */
export const slotKeyOf = (
  group: string | null,
  groups: ReadonlyMap<string, string>,
  threads: readonly ThreadLoad[],
  limits: { readonly poolSize: number; readonly maxGroupThreads: number },
  isolation: Isolation = 'thread',
): string => {
  if (group === null) {
    const pool = Array.from({ length: limits.poolSize }, (_, index) => `pool:${index}`);
    return leastLoaded(pool, threads);
  }
  const isIsolated = isolation === 'process';
  const present = groups.get(group);
  // The isolation of a single generator may change at each start; that of a scenario stays, its cell is there.
  if (present !== undefined && (isProcess(present) === isIsolated || group.startsWith(SCENARIO)))
    return present;
  const alike = threads.map(({ key }) => key).filter((key) => !isPool(key) && isProcess(key) === isIsolated);
  if (alike.length >= limits.maxGroupThreads) return leastLoaded(alike, threads);
  return isIsolated ? `${PROCESS}${group}` : group;
};

const leastLoaded = (keys: readonly string[], threads: readonly ThreadLoad[]): string => {
  const load = new Map(threads.map(({ key, runCount }) => [key, runCount]));
  return keys.reduce(
    (best, key) => ((load.get(key) ?? 0) < (load.get(best) ?? 0) ? key : best),
    keys[0] as string,
  );
};
