/** Runs jobs side by side in so many lanes, each lane one after the other; rejects with the first that fails. */
export const runInLanes = async <A>(
  jobs: readonly (() => Promise<readonly A[]>)[],
  lanes: number,
): Promise<readonly A[]> => {
  const queue = [...jobs];
  const results: A[] = [];
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) results.push(...(await job()));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
};
