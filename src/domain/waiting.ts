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

/** Abort reason of signals that only end a wait: without a reason, `abort()` makes a `DOMException` with a stack. */
export const ENDED = 'ended';

/** Runs a task after those before it; resolves with its result. */
type Pacer = <A>(work: () => A | Promise<A>) => Promise<A>;

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

/** Milliseconds before retry `attempt` (from 1): exponential with a cap and equal jitter. `random`: uniform in [0, 1). */
export const backoffMs = (
  limits: { readonly base_ms: number; readonly cap_ms: number },
  attempt: number,
  random: number,
): number => {
  const full = Math.min(limits.cap_ms, limits.base_ms * 2 ** Math.min(30, attempt - 1));
  return Math.round(full / 2 + (full / 2) * random);
};
