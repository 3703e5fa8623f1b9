import * as E from 'fp-ts/lib/Either.js';
import type { CopyError } from './serverErrors.js';
import type { Session } from './session.js';

/** At most `size` sessions, opened when needed. */
export interface Pool {
  /** Runs with a session of its own; waits for one while all are in use. */
  readonly use: <A>(
    signal: AbortSignal,
    work: (session: Session, signal: AbortSignal) => Promise<E.Either<CopyError, A>>,
  ) => Promise<E.Either<CopyError, A>>;
  /** Ends copies in flight and closes all sessions. */
  readonly close: () => Promise<void>;
}

export const makePool = (
  size: number,
  open: (signal: AbortSignal) => Promise<E.Either<CopyError, Session>>,
  stopped: CopyError,
): Pool => {
  const idle: Session[] = [];
  const waiting: (() => void)[] = [];
  let isClosed = false;
  const inUse = new Map<AbortController, Promise<unknown>>();

  const closeIdle = async (): Promise<void> => {
    await Promise.all(idle.splice(0).map((session) => session.close()));
  };

  const wakeNext = (): void => waiting.shift()?.();

  /** Resolves when a place may be free, or the signal aborts. */
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(wake), 1);
        resolve();
      };
      waiting.push(wake);
      signal.addEventListener('abort', giveUp, { once: true });
    });

  const take = async (signal: AbortSignal): Promise<E.Either<CopyError, Session>> => {
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) {
      if (session.isUsable()) return E.right(session);
      await session.close();
    }
    return open(signal);
  };

  const run = async <A>(
    signal: AbortSignal,
    work: (session: Session, signal: AbortSignal) => Promise<E.Either<CopyError, A>>,
  ): Promise<E.Either<CopyError, A>> => {
    const taken = await take(signal);
    if (E.isLeft(taken)) return taken;
    const session = taken.right;
    const result = await work(session, signal);
    if (session.isUsable() && !signal.aborted) idle.push(session);
    else await session.close();
    return result;
  };

  return {
    use: async (signal, work) => {
      while (inUse.size >= size && !signal.aborted && !isClosed) await wait(signal);
      if (signal.aborted || isClosed) {
        wakeNext();
        return E.left(stopped);
      }
      const ending = new AbortController();
      const stop = (): void => ending.abort();
      signal.addEventListener('abort', stop, { once: true });
      const running = run(ending.signal, work);
      inUse.set(ending, running);
      try {
        return await running;
      } finally {
        signal.removeEventListener('abort', stop);
        inUse.delete(ending);
        wakeNext();
      }
    },
    close: async () => {
      isClosed = true;
      const ends = [...inUse.values()];
      for (const ending of inUse.keys()) ending.abort();
      await Promise.allSettled(ends);
      await closeIdle();
    },
  };
};
