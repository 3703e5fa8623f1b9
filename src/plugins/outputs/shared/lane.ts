/** Runs one piece of work at a time, in the order of the calls; work that fails does not stop the next. */
export type Lane = <A>(work: () => Promise<A>) => Promise<A>;

/** A lane with nothing in it. */
export const makeLane = (): Lane => {
  let tail: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = tail.then(work);
    tail = turn.catch(() => undefined);
    return turn;
  };
};
