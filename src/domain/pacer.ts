/** Runs work in order, each piece in a turn of its own where others wait; resolves with its result. */
export type Pacer = <A>(work: () => A | Promise<A>) => Promise<A>;

/**
 * Spreads many pieces of work that are asked for at once over turns of the event loop, so that timers, messages and
 * requests get theirs in between. A single piece starts at once. Work that waits does not hold up the next piece.
 */
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
