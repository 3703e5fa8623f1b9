import * as E from 'fp-ts/lib/Either.js';
import type { RequestError } from '../shared/requestErrors.js';
import type { Entry } from './entries.js';

/** Why a push failed. */
export interface PushError extends RequestError {
  /** Some entries are at fault; Loki has taken the others. */
  readonly isPartial: boolean;
}

type Push = (entries: readonly Entry[]) => Promise<E.Either<PushError, number>>;

export interface Isolated {
  readonly written: number;
  readonly bytes: number;
  /** Entries by the reason why they were not written. */
  readonly missed: readonly { readonly entries: readonly Entry[]; readonly error: PushError }[];
}

/** Requests for one batch. */
const MAX_REQUESTS = 64;

/**
 * Pushes the entries; when some are at fault, pushes halves until these stand alone. Loki drops what it has already
 * taken: the entries keep their timestamps.
 */
export const isolate = async (entries: readonly Entry[], push: Push): Promise<Isolated> => {
  let requests = 0;
  let written = 0;
  let bytes = 0;
  const missed: { entries: readonly Entry[]; error: PushError }[] = [];
  const waiting: (readonly Entry[])[] = [entries];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    requests += 1;
    const pushed = await push(next);
    if (E.isRight(pushed)) {
      written += next.length;
      bytes += pushed.right;
    } else if (pushed.left.isPartial && next.length > 1 && requests + waiting.length + 2 <= MAX_REQUESTS) {
      const middle = next.length >> 1;
      waiting.push(next.slice(0, middle), next.slice(middle));
    } else {
      missed.push({ entries: next, error: pushed.left });
    }
  }
  return { written, bytes, missed };
};
