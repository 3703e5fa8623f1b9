import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, type Result, type SpateError } from '../../domain/errors.js';
import type { EventBatch } from '../../domain/events/eventBatch.js';
import type { Missed, Written } from '../../plugins/kit.js';
import { type RetryOptions, withRetries } from './attempts.js';

export interface ItemOptions extends RetryOptions {
  readonly attempt: (items: EventBatch) => Promise<Result<Written>>;
  /** After each attempt that was answered; `failed` items are lost and nothing is known of them. */
  readonly onWritten: (counts: Pick<Written, 'written' | 'failed' | 'bytes'>) => void;
  /** Items that no retry can deliver: ascending positions in the batch. Called once for each reason. */
  readonly onGivenUp: (items: readonly number[], reason: SpateError) => Promise<void>;
}

export interface Attempted {
  /** Attempts without an answer. One that was given up may still read the items in the background. */
  readonly unanswered: number;
  /** What the last attempt tells of the output: it works, it is down, or nothing. */
  readonly health: 'up' | 'down' | 'unknown';
  /** Why the last attempt had no answer; `null`: it had one. */
  readonly failure: SpateError | null;
}

/** Writes all items. Those that a partly accepted write missed are retried alone, if their reason allows it. */
export const writeItems = async (batch: EventBatch, options: ItemOptions): Promise<Attempted> => {
  const { attempt, onWritten, onGivenUp } = options;
  let health: Attempted['health'] = 'unknown';
  let unanswered = 0;
  let failure: SpateError | null = null;
  let items = batch;
  /** Positions of `items` in the batch; `null`: all of it. */
  let places: readonly number[] | null = null;
  /** Missed by the last attempt, retryable, by reason. */
  let missed: readonly Missed[] = [];
  const placesOf = (positions: readonly number[]): readonly number[] => {
    const former = places;
    return former === null ? positions : positions.map((position) => former[position] as number);
  };

  const settle = async (result: Written): Promise<Result<void>> => {
    const { stopped, failed } = result;
    failure = null;
    // Items that could not be encoded make it unknown which ones are the last.
    const cut = stopped !== undefined && failed === stopped.count ? stopped : null;
    onWritten({ ...result, failed: cut === null ? failed : 0 });
    if (cut !== null && cut.count > 0) {
      await onGivenUp(placesOf(lastOf(items.count, cut.count)), cut.reason);
    }
    const all = byReason(result.missed ?? []).map((one) => ({ ...one, items: placesOf(one.items) }));
    missed = all.filter(isRetryable);
    for (const one of all) if (!isRetryable(one)) await onGivenUp(one.items, one.reason);
    const [first] = missed;
    if (result.written > 0 || all.length === 0) health = 'up';
    else health = first === undefined ? 'unknown' : 'down';
    if (first === undefined) return E.right(undefined);
    places = ascending(missed.flatMap((one) => one.items));
    items = batch.pick(places);
    return E.left(first.reason);
  };

  const result = await withRetries(async () => {
    const written = await attempt(items);
    if (E.isRight(written)) return settle(written.right);
    unanswered++;
    missed = [];
    failure = written.left;
    // Rejected events say nothing about the health of the output.
    health = written.left.code === 'rejected' ? 'unknown' : 'down';
    return written;
  }, options);
  if (E.isLeft(result)) {
    if (missed.length === 0) await onGivenUp(placesOf(lastOf(items.count, items.count)), result.left);
    for (const one of missed) await onGivenUp(one.items, one.reason);
  }
  return { unanswered, health, failure };
};

const isRetryable = ({ reason }: Missed): boolean => ERRORS[reason.code].retryable;

const lastOf = (total: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => total - count + index);

const ascending = (positions: readonly number[]): readonly number[] => [...positions].sort((a, b) => a - b);

/** One entry for each reason: an output may report item by item. */
const byReason = (missed: readonly Missed[]): readonly Missed[] => {
  const found = new Map<string, { readonly items: number[]; readonly reason: SpateError }>();
  for (const { items, reason } of missed) {
    const key = `${reason.code} ${reason.message}`;
    const same = found.get(key);
    if (same !== undefined) for (const item of items) same.items.push(item);
    else if (items.length > 0) found.set(key, { items: [...items], reason });
  }
  return [...found.values()].map(({ items, reason }) => ({ items: ascending(items), reason }));
};
