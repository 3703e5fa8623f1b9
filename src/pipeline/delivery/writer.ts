import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import type { EventBatch } from '../../domain/events/eventBatch.js';
import { recordDuration } from '../../domain/stats/histogram.js';
import {
  addTo,
  addToOutput,
  FATES,
  type Fate,
  type OUTPUT_SLOTS,
  type Stats,
} from '../../domain/stats/stats.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import type { Formatted, Formatter, Output, Written } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { DeadLetters } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';
import { attemptWrite } from './attempt.js';
import { makeBreaker } from './breaker.js';
import { type RetryPolicy, withRetries } from './retry.js';

/** An open output with its formatter, in its place in the config. */
export interface Destination {
  /** From 0; `null` once another output has its place: what it still delivers is counted in the totals. */
  index: number | null;
  readonly output: Output;
  readonly formatter: Formatter;
  readonly log: Log;
  /** `null`: nothing is kept, what cannot be delivered counts as failed. */
  readonly deadLetters: DeadLetters | null;
}

export interface WriterOptions {
  readonly clock: Clock;
  readonly stats: Stats;
  readonly random: () => number;
  readonly retry: RetryPolicy;
  readonly write_timeout_ms: number;
  /** Ends every attempt in flight when the pipeline is torn down. */
  readonly signal: AbortSignal;
}

/** Events that are left out are logged one by one only up to this number a batch. */
const MAX_LOGGED = 3;

/**
 * Writes events of one destination; every one of them ends in exactly one counter of the output. The answer: whether
 * nothing reads them any more. An attempt that was given up may go on in the background for as long as it likes.
 */
export type WriteEvents = (events: EventBatch, producedAtMs: number) => Promise<boolean>;

/**
 * Format, write with retries, count. Whatever cannot be written goes to the dead letters:
 * produced = written + dead-lettered + write-failed + format-failed + abandoned.
 */
export const makeWriter = (
  destination: Destination,
  options: WriterOptions,
  onGone: (error: SpateError) => void,
): WriteEvents => {
  const { output, formatter, log } = destination;
  const { clock, signal } = options;
  const breaker = makeBreaker(clock.monotonicMs);
  let lastFailure = failure('output_failed', 'the output has failed');
  let isGone = false;

  const count = (name: keyof typeof OUTPUT_SLOTS, amount: number): void => {
    if (amount === 0) return;
    const { stats } = options;
    if (destination.index !== null) return addToOutput(stats, destination.index, name, amount);
    if (FATES.includes(name as Fate)) addTo(stats, 'owed_before', -amount);
    if (name === 'written') addTo(stats, 'written_before', amount);
    if (name === 'abandoned') addTo(stats, 'abandoned_before', amount);
  };

  /** `onFailedAttempt`: one more attempt follows. */
  const write = async (items: EventBatch, onFailedAttempt: () => void): Promise<Result<Written>> => {
    const allowance = isGone ? 'none' : breaker.allows();
    if (allowance === 'none') return E.left(lastFailure);
    const result = await withRetries(() => attemptWrite(output, items, options), {
      policy: allowance === 'one_attempt' ? { ...options.retry, attempts: 1 } : options.retry,
      clock,
      random: options.random,
      signal,
      onRetry: ({ message }) => {
        onFailedAttempt();
        count('retries', 1);
        log.write('warning', 'a write failed and is tried again', { reason: message });
      },
    });
    // A refusal of these events says nothing against the output.
    if (E.isRight(result) || result.left.code !== 'rejected') breaker.note(E.isRight(result));
    return result;
  };

  const giveUp = async (events: readonly string[], error: SpateError): Promise<void> => {
    lastFailure = error;
    if (error.code === 'reader_gone' && !isGone) {
      isGone = true;
      onGone(error);
    }
    const kept = destination.deadLetters === null ? null : await destination.deadLetters.put(events, error);
    if (kept !== null && E.isRight(kept)) {
      count('dead_lettered', events.length);
      log.write('error', 'a write failed; its events are in the dead letters', {
        reason: error.message,
        count: events.length,
      });
      return;
    }
    const hint = kept === null ? {} : { hint: `the dead letters took them neither: ${kept.left.message}` };
    const context = { reason: error.message, count: events.length, ...hint };
    // The run was ended while this could still have been written.
    if (signal.aborted && ERRORS[error.code].retryable) {
      count('abandoned', events.length);
      log.write('error', 'the run was ended before a write; its events are abandoned', context);
      return;
    }
    count('write_failed', events.length);
    log.write('error', 'a write failed; its events are lost', context);
  };

  /** Counts the items that were left out; those that a write stopped before are given up like a whole batch. */
  const countFailed = async (
    events: EventBatch,
    { failed, stopped }: Written,
    { eventsPerItem, failures }: Formatted,
  ): Promise<void> => {
    // Where an item has no spelling, nobody knows which events are the last ones.
    const isKnown = stopped !== undefined && failed === stopped.count && eventsPerItem === 1;
    if (!isKnown) return count('write_failed', failed * eventsPerItem);
    await giveUp(keptEvents(events, failures).slice(-stopped.count), stopped.reason);
  };

  return async (events, producedAtMs) => {
    const formatted = formatSafely(formatter, events);
    if (E.isLeft(formatted)) {
      count('format_failed', events.count);
      log.write('error', 'formatting failed', { reason: formatted.left.message, count: events.count });
      return true;
    }
    const { batch: items, eventsPerItem, failures } = formatted.right;
    count('format_failed', failures.length);
    logFailures(log, formatted.right);
    if (items.count === 0) return true;
    let isFirstAttempt = true;
    const result = await write(items, () => {
      isFirstAttempt = false;
    });
    if (E.isLeft(result)) {
      await giveUp(keptEvents(events, failures), result.left);
      return false;
    }
    count('written', result.right.written * eventsPerItem);
    if (result.right.failed > 0) await countFailed(events, result.right, formatted.right);
    count('bytes', result.right.bytes);
    const lag = (clock.monotonicMs() - producedAtMs) * MICROS_PER_MS;
    recordDuration(options.stats.deliveryLag, lag, items.count * eventsPerItem);
    addTo(options.stats, 'delivery_lag_micros', lag * items.count * eventsPerItem);
    return isFirstAttempt;
  };
};

/** Says why events are left out. */
const logFailures = (log: Log, { failures, failedTogether }: Formatted): void => {
  const [first] = failures;
  if (failedTogether === true && first !== undefined) {
    const { reason } = first;
    log.write('error', 'a batch was left out: it cannot be formatted', { reason, count: failures.length });
    return;
  }
  for (const { event, reason } of failures.slice(0, MAX_LOGGED))
    log.write('error', 'an event was left out: it cannot be formatted', { reason, original_event: event });
};

/** The original events of a write: all but those that could not be formatted. */
const keptEvents = (events: EventBatch, failures: Formatted['failures']): readonly string[] => {
  if (failures.length === 0) return events.texts();
  const left = new Map<string, number>();
  for (const { event } of failures) left.set(event, (left.get(event) ?? 0) + 1);
  return events.texts().filter((text) => {
    const times = left.get(text) ?? 0;
    if (times > 0) left.set(text, times - 1);
    return times === 0;
  });
};

const formatSafely = (formatter: Formatter, events: EventBatch): Result<Formatted> =>
  E.tryCatch(
    () => formatter.format(events),
    (thrown) => failure('bug', `the formatter threw: ${reasonOf(thrown)}`),
  );
