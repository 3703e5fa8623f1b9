import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { Missed, Written } from '../../kit.js';

export const NOTHING: Written = { written: 0, failed: 0, bytes: 0 };

/** Items of a batch that did not arrive, by reason. */
export interface MissedItems {
  /** `key` tells reasons apart; `reason` is called once for each. */
  readonly add: (key: string, items: number | readonly number[], reason: () => SpateError) => void;
  /** Number of reasons. */
  readonly count: () => number;
  readonly list: () => readonly Missed[];
}

export const missedItems = (): MissedItems => {
  const groups = new Map<string, { readonly items: number[]; readonly reason: SpateError }>();
  return {
    add: (key, items, reason) => {
      let group = groups.get(key);
      if (group === undefined) {
        group = { items: [], reason: reason() };
        groups.set(key, group);
      }
      if (typeof items === 'number') group.items.push(items);
      else for (const item of items) group.items.push(item);
    },
    count: () => groups.size,
    list: () =>
      [...groups.values()].map(({ items, reason }) => ({ items: items.sort((a, b) => a - b), reason })),
  };
};

/** Items by the reason why they are not sent. */
export const itemsByReason = () => {
  const groups = new Map<string, number[]>();
  return {
    groups: groups as ReadonlyMap<string, readonly number[]>,
    add: (reason: string, item: number): void => {
      const known = groups.get(reason);
      if (known === undefined) groups.set(reason, [item]);
      else known.push(item);
    },
  };
};

export const isRetryable = ({ reason }: Pick<Missed, 'reason'>): boolean => ERRORS[reason.code].retryable;

/** Returns an error when no item arrived, for one reason or only for reasons that may pass. */
export const writtenResult = (
  { written, failed, bytes }: Pick<Written, 'written' | 'failed' | 'bytes'>,
  missed: readonly Missed[],
): Result<Written> => {
  const [first] = missed;
  if (first === undefined) return E.right({ written, failed, bytes });
  const isOne = missed.length === 1 || missed.every(isRetryable);
  return written === 0 && failed === 0 && isOne
    ? E.left(first.reason)
    : E.right({ written, failed, bytes, missed });
};

export const closedFailure = (name: string): SpateError =>
  failure('unwritable', `cannot write to ${name}: the output is closed. Start the generator again.`);
