import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf, type SpateError } from '../domain/errors.js';
import type { EventBatch } from '../domain/eventBatch.js';
import { addToOutput, type Stats } from '../domain/stats.js';
import type { Formatted, Formatter, Output, Written } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { makeCredits } from './demand.js';
import type { SequencedBatch } from './produce.js';

/** An open output with its formatter, in its place in the config. */
export interface Destination {
  /** From 0. */
  readonly index: number;
  readonly output: Output;
  readonly formatter: Formatter;
  readonly log: Log;
}

export interface DeliverOptions {
  readonly destinations: readonly Destination[];
  readonly clock: Clock;
  readonly stats: Stats;
  /** Writes in flight for the whole generator. */
  readonly max_concurrency: number;
  readonly write_timeout_ms: number;
  /** Ends every attempt in flight when the pipeline is torn down. */
  readonly signal: AbortSignal;
  /** Called once when the readers of all outputs have gone: nothing that is produced can arrive any more. */
  readonly onAllGone: (error: SpateError) => void;
}

/**
 * Writes a batch to every destination; resolves when all of them wrote or failed it. Failures are
 * counted and logged, never thrown: one bad output touches neither the others nor later batches.
 */
export const deliver = (options: DeliverOptions): ((batch: SequencedBatch) => Promise<void>) => {
  const slots = makeCredits(options.max_concurrency, options.signal);
  let present = options.destinations.length;
  const onGone = (error: SpateError): void => {
    present--;
    if (present === 0) options.onAllGone(error);
  };
  const lanes = options.destinations.map((destination) => {
    const write = writer(destination, options, onGone);
    let tail: Promise<void> = Promise.resolve();
    const inTurn = async (batch: SequencedBatch): Promise<void> => {
      if (!(await slots.take())) return;
      try {
        await write(batch);
      } finally {
        slots.give();
      }
    };
    return (batch: SequencedBatch): Promise<void> => {
      if (!destination.output.isOrdered) return inTurn(batch);
      tail = tail.then(() => inTurn(batch));
      return tail;
    };
  });
  return async (batch) => {
    await Promise.all(lanes.map((lane) => lane(batch)));
  };
};

/** One write: format, then write within the timeout, then count. */
const writer = (destination: Destination, options: DeliverOptions, onGone: (error: SpateError) => void) => {
  let isGone = false;
  const { index, output, formatter, log } = destination;
  const count = (name: 'written' | 'write_failed' | 'format_failed' | 'bytes', amount: number): void => {
    if (amount > 0) addToOutput(options.stats, index, name, amount);
  };
  return async (batch: SequencedBatch): Promise<void> => {
    const formatted = formatSafely(formatter, batch.events);
    if (E.isLeft(formatted)) {
      count('format_failed', batch.events.count);
      log.write('error', 'formatting failed', { reason: formatted.left.message, count: batch.events.count });
      return;
    }
    const { batch: items, eventsPerItem, failures } = formatted.right;
    count('format_failed', failures.length);
    for (const { event, reason } of failures.slice(0, 3)) {
      log.write('error', 'an event was left out: it cannot be formatted', { reason, original_event: event });
    }
    if (items.count === 0) return;
    if (isGone) return count('write_failed', items.count * eventsPerItem);
    const result = await attempt(output, items, options);
    if (E.isLeft(result)) {
      count('write_failed', items.count * eventsPerItem);
      if (result.left.code === 'reader_gone') {
        isGone = true;
        onGone(result.left);
      }
      log.write('error', 'a write failed', {
        reason: result.left.message,
        count: items.count * eventsPerItem,
      });
      return;
    }
    count('written', result.right.written * eventsPerItem);
    count('write_failed', result.right.failed * eventsPerItem);
    count('bytes', result.right.bytes);
  };
};

const formatSafely = (formatter: Formatter, events: EventBatch): E.Either<SpateError, Formatted> =>
  E.tryCatch(
    () => formatter.format(events),
    (thrown) => failure('bug', `the formatter threw: ${reasonOf(thrown)}`),
  );

/** How long an output may take to answer after its attempt was ended, before it is given up. */
const GRACE_MS = 1_000;
/** A ready reason: without one each abort makes an exception with a stack, which shows in profiles. */
const OVER = 'over';
/** Longest timer of Node, 24 days: what stands for no limit. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * One attempt, ended by `write_timeout` unless the output is paced by its reader. A throw of the output
 * is its failure; an output that does not answer even to the end of its signal is given up.
 */
const attempt = async (
  output: Output,
  items: EventBatch,
  options: DeliverOptions,
): Promise<E.Either<SpateError, Written>> => {
  const ending = new AbortController();
  const waiting = new AbortController();
  const end = (): void => {
    ending.abort(OVER);
    waiting.abort(OVER);
  };
  options.signal.addEventListener('abort', end, { once: true });
  const done = new AbortController();
  const deadline = async (): Promise<E.Either<SpateError, Written>> => {
    const limit_ms = output.isPacedByReader === true ? MAX_TIMER_MS : options.write_timeout_ms;
    await options.clock.sleepMs(limit_ms, waiting.signal);
    if (!done.signal.aborted) ending.abort(OVER);
    await options.clock.sleepMs(GRACE_MS, done.signal);
    return E.left(failure('timed_out', `no answer within write_timeout (${limit_ms / 1000} s)`));
  };
  const write = output
    .write(items, ending.signal)
    .catch((thrown: unknown) => E.left(failure('bug', `the output threw: ${reasonOf(thrown)}`)));
  const result = await Promise.race([write, deadline()]);
  done.abort(OVER);
  waiting.abort(OVER);
  options.signal.removeEventListener('abort', end);
  return result;
};
