import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import { type ConnectionOptions, networkError, type RequestError, retryableError } from './errors.js';

export const STOPPED = retryableError('the attempt ended before the server replied', '');

/** Longest time of an attempt; `error` is the reason of its signal then. */
export interface Limit {
  readonly clock: Clock;
  readonly ms: number;
  readonly error: RequestError;
}

/** Runs work with a signal that also ends when the output closes, or at a limit. Else its reason is `STOPPED`. */
export interface Attempts {
  readonly run: <A>(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<A>,
    limit?: Limit,
  ) => Promise<A>;
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

export const makeAttempts = (): Attempts => {
  const underWay = new Set<AbortController>();
  let isClosed = false;
  return {
    isClosed: () => isClosed,
    run: async (signal, work, limit) => {
      const attempt = new AbortController();
      const stop = (): void => attempt.abort(STOPPED);
      underWay.add(attempt);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      const stopWaiting = limit?.clock.after(limit.ms, () => attempt.abort(limit.error));
      try {
        return await work(attempt.signal);
      } finally {
        stopWaiting?.();
        underWay.delete(attempt);
        signal.removeEventListener('abort', stop);
      }
    },
    close: () => {
      isClosed = true;
      for (const attempt of underWay) attempt.abort(STOPPED);
    },
  };
};

/** Runs an exchange with a server. Returns an error with what it threw, or why it had to end. */
export const exchanged = async <A>(
  attempts: Attempts,
  {
    signal,
    limit,
    options,
  }: {
    readonly signal: AbortSignal;
    readonly limit: Limit;
    readonly options?: ConnectionOptions;
  },
  work: (signal: AbortSignal) => Promise<E.Either<RequestError, A>>,
): Promise<E.Either<RequestError, A>> => {
  if (signal.aborted || attempts.isClosed()) return E.left(STOPPED);
  return attempts.run(
    signal,
    async (ending) => {
      try {
        return await work(ending);
      } catch (thrown) {
        return E.left(ending.aborted ? (ending.reason as RequestError) : networkError(thrown, options));
      }
    },
    limit,
  );
};

export const lateError = (name: string, ms: number): RequestError =>
  retryableError(
    `no reply within ${name} (${ms / 1000} s)`,
    `Check the load of the server, or raise \`${name}\`.`,
  );
