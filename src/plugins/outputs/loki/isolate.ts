import * as E from 'fp-ts/lib/Either.js';
import type { RequestError } from '../shared/errors.js';
import type { LokiEntry } from './entries.js';

/** Why a push failed. */
export interface PushError extends RequestError {
  /** Some entries are at fault; Loki has taken the others. */
  readonly isPartial: boolean;
}

type Push = (entries: readonly LokiEntry[]) => Promise<E.Either<PushError, number>>;

export interface Isolated {
  readonly written: number;
  readonly bytes: number;
  /** Entries by the reason why they were not written. */
  readonly missed: readonly { readonly entries: readonly LokiEntry[]; readonly error: PushError }[];
}

/** Requests for one batch. */
const MAX_REQUESTS = 64;

/**
 * After a push of all entries that failed: if some are at fault, pushes halves until these stand alone. Loki drops what
 * it has already taken: the entries keep their timestamps.
 */
export const isolate = async (
  entries: readonly LokiEntry[],
  failed: PushError,
  push: Push,
): Promise<Isolated> => {
  let requests = 1;
  let written = 0;
  let bytes = 0;
  const missed: { entries: readonly LokiEntry[]; error: PushError }[] = [];
  const waiting: (readonly LokiEntry[])[] = [];
  const split = (whole: readonly LokiEntry[], error: PushError): void => {
    if (error.isPartial && whole.length > 1 && requests + waiting.length + 2 <= MAX_REQUESTS) {
      const middle = whole.length >> 1;
      waiting.push(whole.slice(0, middle), whole.slice(middle));
    } else {
      missed.push({ entries: whole, error });
    }
  };
  split(entries, failed);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    requests += 1;
    const pushed = await push(next);
    if (E.isRight(pushed)) {
      written += next.length;
      bytes += pushed.right;
    } else split(next, pushed.left);
  }
  return { written, bytes, missed };
};
