/**
 * Runs jobs side by side in so many lanes, each lane one after the other. After one that fails none is begun;
 * rejects with its reason when those at work have ended.
 */
export const runInLanes = async <A>(
  jobs: readonly (() => Promise<readonly A[]>)[],
  lanes: number,
): Promise<readonly A[]> => {
  const queue = [...jobs];
  const results: A[] = [];
  const lane = async (): Promise<void> => {
    try {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) results.push(...(await job()));
    } finally {
      queue.length = 0;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
};
