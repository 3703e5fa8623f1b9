/** Runs one task at a time, in call order. A task that rejects does not stop the next one. */
export type SerialQueue = <A>(task: () => Promise<A>) => Promise<A>;

/** Unbounded: callers limit the queue. */
export const serialQueue = (): SerialQueue => {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = tail.then(task);
    tail = done.catch(() => undefined);
    return done;
  };
};
