/**
 * A bounded number of batches in flight: the only back-pressure of a pipeline, as RxJS has none. A stage takes a
 * credit before it makes a batch; the stage that finishes the batch gives it back.
 */
export interface Credits {
  /** True: a credit is taken. False: the signal has ended. A promise of either while none is free. */
  readonly take: () => Promise<boolean> | boolean;
  readonly give: () => void;
  /** A `take` now would not wait. */
  readonly isFree: () => boolean;
}

export const makeCredits = (limit: number, signal: AbortSignal): Credits => {
  let free = limit;
  const waiting: ((taken: boolean) => void)[] = [];
  signal.addEventListener('abort', () => {
    for (const resume of waiting.splice(0)) resume(false);
  });
  return {
    take: () => {
      if (signal.aborted) return false;
      if (free > 0) {
        free--;
        return true;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    give: () => {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next(true);
    },
    isFree: () => free > 0,
  };
};
