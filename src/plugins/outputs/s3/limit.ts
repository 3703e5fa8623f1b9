/** Runs at most `most` tasks at once; others wait in call order. */
export const makeLimit = (most: number): (<A>(task: () => Promise<A>) => Promise<A>) => {
  let free = most;
  const waiting: (() => void)[] = [];
  const take = (): Promise<void> | undefined => {
    if (free > 0) {
      free--;
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  return async (task) => {
    await take();
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
};
