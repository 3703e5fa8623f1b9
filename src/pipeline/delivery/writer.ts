import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import type { EventBatch } from '../../domain/events/eventBatch.js';
import { recordDuration } from '../../domain/stats/histogram.js';
import {
  addTo,
  addToOutput,
  FATES,
  type Fate,
  noteWork,
  type OUTPUT_SLOTS,
  type Stats,
} from '../../domain/stats/stats.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import type { EventsOfItems } from '../../imperfections/apply.js';
import type {
  DeliveryChoices,
  Formatted,
  Formatter,
  Imperfections,
  Output,
  OutputRoute,
} from '../../plugins/kit.js';
import type { DeadLetters } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';
import {
  type AttemptOptions,
  attemptWrite,
  makeBreaker,
  makeWriteTurns,
  type RetryOptions,
  type RetryPolicy,
} from './attempts.js';
import type { Gathered } from './gather.js';
import { makeImperfect } from './imperfect.js';
import { type Attempted, type Search, writeUnits } from './isolate.js';
import { isOfEvents, unitsOfEvents, unitsOfItems } from './items.js';

export interface Destination {
  /** Number in the config, from 0; `null` once a patch removed it: its last writes count in the totals. */
  index: number | null;
  readonly output: Output;
  readonly formatter: Formatter;
  readonly log: Log;
  /** Stores undeliverable events. Null when these count as failed. */
  readonly deadLetters: DeadLetters | null;
  /** Delivery of this output. Undefined when it is that of the generator. */
  readonly choices?: DeliveryChoices;
  /** Chooses its events. Null or undefined when it gets every event. A patch may exchange it. */
  route?: OutputRoute | null;
  /** Makes errors on purpose. Null or undefined when it gets events as they are. */
  readonly imperfections?: Imperfections | null;
}

export interface WriterOptions extends AttemptOptions {
  readonly stats: Stats;
  readonly random: () => number;
  readonly retry: RetryPolicy;
}

/** Most events per batch that are logged one by one when they cannot be formatted. */
const MAX_LOGGED = 3;

/** Failed parts in a row after which an output is down: the halvings of the largest batch, and some events at fault. */
const MAX_FRUITLESS = 32;
/** Pause of the search in rejected batches when one of them had no event that the destination takes. */
const SEARCH_PAUSE_MS = 60_000;
/** Pause of the search in batches on which the connection was closed, when it found only an outage. */
const OUTAGE_PAUSE_MS = 5_000;

/** The search for events at fault of one write. */
interface Searching {
  /** No other write of the output is under way. */
  isAlone: boolean;
  isOfRejected: boolean;
}

/** Resolves with true when nothing reads the events any more: an abandoned attempt may still do so in the background. */
export type WriteEvents = (
  gathered: Pick<Gathered, 'events' | 'producedAtMs' | 'ordinals' | 'times'>,
) => Promise<boolean>;

/**
 * Format, write with retries, count. Undeliverable events go to the dead letters. Each event ends in exactly one
 * counter: produced + doubled = written + dead-lettered + write-failed + format-failed + abandoned + filtered + dropped on
 * purpose + lost in silences; doubled and the last two are imperfections.
 */
export const makeWriter = (
  destination: Destination,
  options: WriterOptions,
  onGone: (error: SpateError) => void,
): WriteEvents => {
  const { output, formatter, log, choices, imperfections } = destination;
  const { clock, signal } = options;
  const isBestEffort = choices?.isBestEffort === true;
  const retry = { ...options.retry, ...choices?.retry, ...(isBestEffort ? { attempts: 1 } : {}) };
  const attempts = { ...options, write_timeout_ms: choices?.write_timeout_ms ?? options.write_timeout_ms };
  const deadLetters = isBestEffort ? null : destination.deadLetters;
  const breaker = makeBreaker(clock.monotonicMs);
  const turns = makeWriteTurns();
  let worked = 0;
  let searchFromMs = Number.NEGATIVE_INFINITY;
  let outageUntilMs = Number.NEGATIVE_INFINITY;
  let lastFailure = failure('output_failed', 'the output has failed');
  let isGone = false;

  const count = counterOf(destination, options.stats);

  const giveUp = async (events: readonly string[], error: SpateError): Promise<void> => {
    if (!isOfEvents(error)) lastFailure = error;
    if (!ERRORS[error.code].retryable) count('rejected', events.length);
    if (error.code === 'reader_gone' && !isGone) {
      isGone = true;
      onGone(error);
    }
    const stored = deadLetters === null ? null : await deadLetters.put(events, error);
    if (stored !== null && E.isRight(stored)) {
      count('dead_lettered', events.length);
      log.write('error', 'a write failed; its events are in the dead letters', {
        reason: error.message,
        count: events.length,
      });
      return;
    }
    const hint = stored === null ? {} : { hint: `the dead letters failed too: ${stored.left.message}` };
    // `spate generate | head` is no problem worth a line for each batch.
    const code = error.code === 'reader_gone' ? { code: error.code } : {};
    const context = { reason: error.message, count: events.length, ...code, ...hint };
    // The run ended while a retry could still have succeeded.
    if (signal.aborted && !isBestEffort && ERRORS[error.code].retryable) {
      count('abandoned', events.length);
      log.write('error', 'the run was ended before a write; its events are abandoned', context);
      return;
    }
    count('write_failed', events.length);
    log.write('error', 'a write failed; its events are lost', context);
  };

  /** The attempts that the breaker allows. */
  const policyOf = (): RetryPolicy | null => {
    const allowance = isGone ? 'none' : breaker.allows();
    if (allowance === 'none') return null;
    return allowance === 'one_attempt' ? { ...retry, attempts: 1 } : retry;
  };

  const mayFindRejected = (): boolean => clock.monotonicMs() >= searchFromMs;

  const note = ({ health, hasWritten }: Attempted, { isOfRejected }: Searching): void => {
    breaker.note(health);
    if (hasWritten) {
      worked++;
      searchFromMs = Number.NEGATIVE_INFINITY;
      outageUntilMs = Number.NEGATIVE_INFINITY;
    } else if (isOfRejected) searchFromMs = clock.monotonicMs() + SEARCH_PAUSE_MS;
  };

  const isolationOf = (state: Searching): Search | null => {
    // What waits for a reader or an object to fill up cannot be tried in parts.
    if (isBestEffort || output.isPacedByReader === true) return null;
    let before: number | null = null;
    const finds = (): boolean => {
      if (breaker.allows() === 'none') return false;
      return state.isOfRejected ? mayFindRejected() : clock.monotonicMs() >= outageUntilMs;
    };
    return {
      max_fruitless: MAX_FRUITLESS,
      findsRejected: mayFindRejected,
      alone: ({ units, reason }, work) =>
        turns.alone(async () => {
          state.isOfRejected = isOfEvents(reason);
          if (!finds()) return null;
          state.isAlone = true;
          log.write('warning', 'a write failed and its events are tried in halves, to find those at fault', {
            reason: reason.message,
            count: units.length,
          });
          const attempted = await work();
          if (attempted.left === null) note(attempted, state);
          else {
            state.isAlone = false;
            if (attempted.hasWritten) worked++;
            before = null;
            outageUntilMs = clock.monotonicMs() + OUTAGE_PAUSE_MS;
          }
          return attempted;
        }),
      onFailure: ({ isSuspect }) => {
        before = isSuspect === true ? (before ?? worked) : null;
      },
      othersWork: () => before !== null && worked > before,
      retriesAfter: true,
    };
  };

  const onNotSkewed = once((event: string): void =>
    log.write('warning', 'no timestamp was found in an event: the wrong clock leaves it unchanged', {
      original_event: event,
      hint: 'check timestamp_pattern and timestamp_format of imperfections.clock; more such events are only counted',
    }),
  );

  return async ({ events, producedAtMs, ordinals = [], times = null }) => {
    const startedAtMs = clock.monotonicMs();
    const formatted = formatSafely(formatter, events);
    noteWork(options.stats, clock.monotonicMs() - startedAtMs);
    if (E.isLeft(formatted)) {
      count('format_failed', events.count);
      log.write('error', 'formatting failed', { reason: formatted.left.message, count: events.count });
      return true;
    }
    const { batch: plain, eventsPerItem, failures } = formatted.right;
    count('format_failed', failures.length);
    logFailures(log, formatted.right);
    if (plain.count === 0) return true;
    const policy = policyOf();
    if (policy === null) {
      await giveUp(formattedEvents(events, failures), lastFailure);
      return false;
    }
    const retrying: RetryOptions = {
      policy,
      clock,
      random: options.random,
      signal,
      onRetry: ({ message }) => {
        count('retries', 1);
        log.write('warning', 'a write failed and is retried', { reason: message });
      },
    };
    const texts = (): readonly string[] => formattedEvents(events, failures);
    const made =
      imperfections == null
        ? NO_IMPERFECTION
        : await makeImperfect(
            imperfections,
            plain,
            { ...formattedOf({ ordinals, times }, events, failures), texts },
            { ...retrying, ...attempts, count, onNotSkewed },
          );
    if (E.isLeft(made)) {
      await giveUp(texts(), made.left);
      return true;
    }
    const { batch: items, places } = made.right ?? { batch: plain, places: null };
    if (items.count === 0) return true;
    const state: Searching = { isAlone: false, isOfRejected: false };
    const attempt = (part: EventBatch) => attemptWrite(output, part, attempts);
    const write = (part: EventBatch) => (state.isAlone ? attempt(part) : turns.shared(() => attempt(part)));
    const isOfParts = eventsPerItem > 1 && places === null;
    const units = isOfParts
      ? unitsOfEvents(formatter, texts, { batch: items, eventsPerItem }, write)
      : unitsOfItems(items, write);
    const eventsPerUnit = isOfParts ? 1 : eventsPerItem;
    const attempted = await writeUnits(units, {
      ...retrying,
      isolation: isolationOf(state),
      onWritten: ({ written, failed, bytes }) => {
        count('written', written * eventsPerUnit);
        count('write_failed', failed * eventsPerUnit);
        count('bytes', bytes);
        const lag = (clock.monotonicMs() - producedAtMs) * MICROS_PER_MS;
        recordDuration(options.stats.deliveryLag, lag, written * eventsPerUnit);
        addTo(options.stats, 'delivery_lag_micros', lag * written * eventsPerUnit);
      },
      onGivenUp: (positions, reason) =>
        giveUp(
          places === null
            ? eventsOf(texts(), positions, eventsPerUnit)
            : eventsAt(texts(), places, positions),
          reason,
        ),
    });
    if (!state.isAlone) note(attempted, state);
    // What the formatter made has no other reader; the events themselves may have.
    const { unanswered } = attempted;
    if (unanswered === 0 && items !== events) items.release?.();
    if (items !== plain && plain !== events && unanswered === 0) plain.release?.();
    return unanswered === 0;
  };
};

/** The events of the items at these positions. */
const eventsOf = (
  events: readonly string[],
  positions: readonly number[],
  eventsPerItem: number,
): readonly string[] =>
  positions.length * eventsPerItem === events.length
    ? events
    : positions.flatMap((position) => events.slice(position * eventsPerItem, (position + 1) * eventsPerItem));

/** The events of the items at these positions, whose places among the events are known. */
const eventsAt = (
  events: readonly string[],
  places: readonly number[],
  positions: readonly number[],
): readonly string[] => positions.map((position) => events[places[position] as number] as string);

/** Counts fates of events for the output, or in the totals once a patch has removed it. */
export const counterOf =
  (destination: Destination, stats: Stats) =>
  (name: keyof typeof OUTPUT_SLOTS, amount: number): void => {
    if (amount === 0) return;
    if (destination.index !== null) return addToOutput(stats, destination.index, name, amount);
    if (FATES.includes(name as Fate)) addTo(stats, 'owed_before', -amount);
    if (name === 'imperfect_doubled') addTo(stats, 'owed_before', amount);
    if (name === 'written') addTo(stats, 'written_before', amount);
    if (name === 'abandoned') addTo(stats, 'abandoned_before', amount);
  };

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

/** The original events of a write, without those that could not be formatted. */
const formattedEvents = (events: EventBatch, failures: Formatted['failures']): readonly string[] => {
  const texts = events.texts();
  return failures.length === 0 ? texts : texts.filter(isFormatted(failures));
};

/** The numbers and times of the same events. */
const formattedOf = (
  all: Omit<EventsOfItems, 'texts'>,
  events: EventBatch,
  failures: Formatted['failures'],
): Omit<EventsOfItems, 'texts'> => {
  if (failures.length === 0) return all;
  const isKept = events.texts().map(isFormatted(failures));
  return {
    ordinals: all.ordinals.filter((_, index) => isKept[index]),
    times: all.times?.filter((_, index) => isKept[index] === true) ?? null,
  };
};

/** Calls `act` the first time only. */
const once = <A>(act: (value: A) => void): ((value: A) => void) => {
  let isDone = false;
  return (value) => {
    if (!isDone) act(value);
    isDone = true;
  };
};

/** Equal texts fail alike, so it does not matter which of them is left out. Asked once for each event. */
const isFormatted = (failures: Formatted['failures']): ((text: string) => boolean) => {
  const left = new Map<string, number>();
  for (const { event } of failures) left.set(event, (left.get(event) ?? 0) + 1);
  return (text) => {
    const times = left.get(text) ?? 0;
    if (times > 0) left.set(text, times - 1);
    return times === 0;
  };
};

const NO_IMPERFECTION = E.right(null);

const formatSafely = (formatter: Formatter, events: EventBatch): Result<Formatted> =>
  E.tryCatch(
    // A formatter plugin, for example `src/plugins/formatters/plain/plugin.ts`.
    () => formatter.format(events),
    (thrown) => failure('bug', `the formatter threw: ${reasonOf(thrown)}`),
  );
