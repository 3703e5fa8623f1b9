import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, type Result, type SpateError } from '../../../../domain/errors.js';
import type { Missed, Written } from '../../../kit.js';
import type { ErrorReporter, RequestError } from '../requestErrors.js';

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
  /** Left: all items missed for one reason, or all for reasons that a retry may help. */
  readonly result: (bytes: number) => Result<Written>;
}

export const makeOutcome = (count: number, act: string, report: ErrorReporter): Outcome => {
  const fates = new Uint8Array(count);
  const groups = new Map<string, { readonly items: number[]; readonly reason: SpateError }>();
  let accepted = 0;
  const miss = (item: number, error: RequestError): boolean => {
    if (fates[item] !== OPEN) return false;
    fates[item] = MISSED;
    const key = `${error.isRetryable} ${error.origin} ${error.what}`;
    const group = groups.get(key) ?? { items: [], reason: report(act, error) };
    groups.set(key, group);
    group.items.push(item);
    return true;
  };
  const isRetryable = ({ reason }: { readonly reason: SpateError }): boolean => ERRORS[reason.code].retryable;
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
    inDoubt: () => [...groups.values()].filter(isRetryable).flatMap(({ items }) => items),
    result: (bytes) => {
      const all = [...groups.values()];
      const [first] = all;
      if (first !== undefined && accepted === 0 && (all.length === 1 || all.every(isRetryable))) {
        return E.left(first.reason);
      }
      const missed: readonly Missed[] = all.map(({ items, reason }) => ({
        items: items.sort((a, b) => a - b),
        reason,
      }));
      return E.right({ written: accepted, failed: 0, bytes, ...(missed.length === 0 ? {} : { missed }) });
    },
  };
};
