import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import { type EventBatch, textBatch } from '../../domain/events/eventBatch.js';
import type { Formatted, Formatter, Missed, Written } from '../../plugins/kit.js';
import { isRetryableError, type OutputHealth, type RetryOptions, withRetries } from './attempts.js';

/** What a write consists of: the events, or the items that imperfections made of them. */
export interface Units {
  readonly count: number;
  /** Writes the units at these ascending positions once; null: all of them. The result counts units. */
  readonly attempt: (positions: readonly number[] | null) => Promise<Result<Written>>;
}

type WriteBatch = (items: EventBatch) => Promise<Result<Written>>;

export const unitsOfItems = (items: EventBatch, write: WriteBatch): Units => ({
  count: items.count,
  attempt: (positions) => write(positions === null ? items : items.pick(positions)),
});

/** Counts events in place of items that hold several. */
const inEvents = (written: Written, eventsPerItem: number): Written => {
  const { stopped, missed } = written;
  const eventsOf = (item: number): readonly number[] =>
    Array.from({ length: eventsPerItem }, (_, index) => item * eventsPerItem + index);
  return {
    ...written,
    written: written.written * eventsPerItem,
    failed: written.failed * eventsPerItem,
    ...(stopped === undefined ? {} : { stopped: { ...stopped, count: stopped.count * eventsPerItem } }),
    ...(missed === undefined
      ? {}
      : { missed: missed.map(({ items, reason }) => ({ items: items.flatMap(eventsOf), reason })) }),
  };
};

/** Units of items that hold several events: a part of them is formatted again. */
export const unitsOfEvents = (
  formatter: Formatter,
  texts: () => readonly string[],
  { batch, eventsPerItem }: Pick<Formatted, 'batch' | 'eventsPerItem'>,
  write: WriteBatch,
): Units => ({
  count: batch.count * eventsPerItem,
  attempt: async (positions) => {
    if (positions === null) {
      return E.map((written: Written) => inEvents(written, eventsPerItem))(await write(batch));
    }
    const events = texts();
    const part = formatPart(formatter, textBatch(positions.map((position) => events[position] as string)));
    if (E.isLeft(part)) return part;
    const made = part.right;
    return E.map((written: Written) => inEvents(written, made.eventsPerItem))(await write(made.batch));
  },
});

const formatPart = (formatter: Formatter, events: EventBatch): Result<Formatted> => {
  try {
    const formatted = formatter.format(events);
    const [first] = formatted.failures;
    return first === undefined
      ? E.right(formatted)
      : E.left(failure('invalid', `a part of the batch cannot be formatted: ${first.reason}`));
  } catch (thrown) {
    return E.left(failure('bug', `the formatter threw: ${reasonOf(thrown)}`));
  }
};

/** Units that may be the cause of a failed write. */
export interface Suspects {
  readonly units: readonly number[];
  readonly reason: SpateError;
}

export interface TryOptions extends RetryOptions {
  /** After each attempt that was answered; `failed` units are lost and nothing is known of them. */
  readonly onWritten: (counts: Pick<Written, 'written' | 'failed' | 'bytes'>) => void;
  /** Units that no retry can deliver: ascending positions. Called once for each reason. */
  readonly onGivenUp: (units: readonly number[], reason: SpateError) => Promise<void>;
  /** Failures in a row that the events may have caused, after which no attempt follows. */
  readonly most_suspect: number;
  /** Whether units with this reason are suspects rather than given up. */
  readonly suspects: (reason: SpateError, isWhole: boolean) => boolean;
}

export interface Tried {
  readonly attempts: number;
  /** Attempts without an answer. One that was given up may still read the items in the background. */
  readonly unanswered: number;
  /** What the last attempt tells. */
  readonly health: OutputHealth;
  readonly hasWritten: boolean;
  /** Whether something was written between the suspect failures in a row at the end. */
  readonly hasWrittenBetween: boolean;
  /** Why the last attempt had no answer; null when it had one. */
  readonly failure: SpateError | null;
  readonly suspects: Suspects | null;
}

/** Events that are at fault say nothing about the health of the output. */
export const isOfEvents = ({ code }: SpateError): boolean => code === 'rejected' || code === 'unroutable';

/**
 * Writes units with retries. Those that a partly accepted write missed are retried alone, if their reason allows it. Those
 * that may be the cause of the failure are returned; all others have a fate.
 */
export const tryUnits = async (
  { count, attempt }: Units,
  start: readonly number[] | null,
  options: TryOptions,
): Promise<Tried> => {
  const { onWritten, onGivenUp } = options;
  let health: OutputHealth = 'unknown';
  let [attempts, unanswered, suspectInRow] = [0, 0, 0];
  let [hasWritten, hasWrittenBetween] = [false, false];
  let noAnswer: SpateError | null = null;
  /** Positions of what the next attempt writes; null: all units. */
  let places = start;
  /** Missed by the last attempt, retryable, by reason. */
  let missed: readonly Missed[] = [];
  const size = (): number => places?.length ?? count;
  const placesOf = (positions: readonly number[]): readonly number[] => {
    const former = places;
    return former === null ? positions : positions.map((position) => former[position] as number);
  };

  const settle = async (result: Written): Promise<Result<void>> => {
    const { stopped, failed } = result;
    noAnswer = null;
    // Items that could not be encoded make it unknown which ones are the last.
    const cut = stopped !== undefined && failed === stopped.count ? stopped : null;
    onWritten({ ...result, failed: cut === null ? failed : 0 });
    if (cut !== null && cut.count > 0) {
      await onGivenUp(placesOf(lastOf(size(), cut.count)), cut.reason);
    }
    const all = byReason(result.missed ?? []).map((one) => ({ ...one, items: placesOf(one.items) }));
    missed = all.filter(({ reason }) => isRetryableError(reason));
    for (const one of all) if (!isRetryableError(one.reason)) await onGivenUp(one.items, one.reason);
    const [first] = missed;
    if (result.written > 0) hasWritten = true;
    if (result.written > 0 && suspectInRow > 0) hasWrittenBetween = true;
    if (result.written > 0 || all.length === 0) health = 'up';
    else health = first === undefined ? 'unknown' : 'down';
    if (first === undefined) return E.right(undefined);
    places = ascending(missed.flatMap((one) => one.items));
    return E.left(first.reason);
  };

  const result = await withRetries(
    async () => {
      attempts++;
      const written = await attempt(places);
      if (E.isRight(written)) return settle(written.right);
      unanswered++;
      missed = [];
      noAnswer = written.left;
      health = isOfEvents(written.left) ? 'unknown' : 'down';
      return written;
    },
    {
      ...options,
      goesOn: (reason) => {
        suspectInRow = reason.isSuspect === true ? suspectInRow + 1 : 0;
        if (suspectInRow === 0) hasWrittenBetween = false;
        return isRetryableError(reason) && suspectInRow < options.most_suspect;
      },
    },
  );
  const tried = { attempts, unanswered, health, hasWritten, hasWrittenBetween, failure: noAnswer };
  if (E.isRight(result)) return { ...tried, suspects: null };
  const left =
    missed.length === 0 ? [{ items: placesOf(lastOf(size(), size())), reason: result.left }] : missed;
  const isWhole = missed.length === 0;
  const suspected = left.filter(({ reason }) => options.suspects(reason, isWhole));
  for (const one of left) if (!suspected.includes(one)) await onGivenUp(one.items, one.reason);
  const [first] = suspected;
  return {
    ...tried,
    suspects:
      first === undefined
        ? null
        : { units: ascending(suspected.flatMap(({ items }) => items)), reason: first.reason },
  };
};

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
