import type { Result } from '../../../../domain/errors.js';
import type { Written } from '../../../kit.js';
import type { ErrorReporter, RequestError } from '../requestErrors.js';
import { isRetryable, missedItems, writtenResult } from '../written.js';

const OPEN = 0;
const ACCEPTED = 1;
const MISSED = 2;

/** Fate of each item of one write. */
export interface Outcome {
  /** Each returns false for an item that has a fate already. */
  readonly accept: (item: number) => boolean;
  readonly miss: (item: number, error: RequestError) => boolean;
  /** Gives all items without a fate this one. */
  readonly missRest: (error: RequestError) => void;
  readonly isOpen: (item: number) => boolean;
  /** Items that may have arrived without an acknowledgement. */
  readonly inDoubt: () => readonly number[];
  /** Returns an error when all items missed for one reason, or all for reasons that a retry may help. */
  readonly result: (bytes: number) => Result<Written>;
}

export const makeOutcome = (count: number, act: string, report: ErrorReporter): Outcome => {
  const fates = new Uint8Array(count);
  const missed = missedItems();
  let accepted = 0;
  const miss = (item: number, error: RequestError): boolean => {
    if (fates[item] !== OPEN) return false;
    fates[item] = MISSED;
    missed.add(`${error.isRetryable} ${error.origin} ${error.what}`, item, () => report(act, error));
    return true;
  };
  return {
    accept: (item) => {
      if (fates[item] !== OPEN) return false;
      fates[item] = ACCEPTED;
      accepted += 1;
      return true;
    },
    miss,
    missRest: (error) => {
      for (let item = 0; item < count; item++) miss(item, error);
    },
    isOpen: (item) => fates[item] === OPEN,
    inDoubt: () =>
      missed
        .list()
        .filter(isRetryable)
        .flatMap(({ items }) => items),
    result: (bytes) => writtenResult({ written: accepted, failed: 0, bytes }, missed.list()),
  };
};
