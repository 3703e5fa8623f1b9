/** Runs a task after those before it; resolves with its result. */
export type Pacer = <A>(work: () => A | Promise<A>) => Promise<A>;

/** Starts tasks in order, one per turn of the event loop, the first at once. Async tasks do not hold up the next one. */
export const pacer = ({ yieldTurn }: { readonly yieldTurn: () => Promise<void> }): Pacer => {
  let waiting: (() => void)[] = [];
  let isPumping = false;

  const pump = async (): Promise<void> => {
    isPumping = true;
    await yieldTurn();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      for (const begin of batch) {
        begin();
        await yieldTurn();
      }
    }
    isPumping = false;
  };

  return <A>(work: () => A | Promise<A>): Promise<A> =>
    new Promise<A>((resolve, reject) => {
      const begin = (): void => void (async () => work())().then(resolve, reject);
      if (isPumping) return void waiting.push(begin);
      void pump();
      begin();
    });
};
