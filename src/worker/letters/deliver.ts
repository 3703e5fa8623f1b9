import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, failure, reasonOf, type SpateError } from '../../domain/errors.js';
import { textBatch } from '../../domain/events/eventBatch.js';
import { attemptWrite, type RetryPolicy } from '../../pipeline/delivery/attempts.js';
import { writeItems } from '../../pipeline/delivery/items.js';
import type { Formatted, Formatter, Output } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { StoredLetter } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';

/** Consecutive single rejections after which the output counts as down. */
const MAX_REFUSED_IN_A_ROW = 100;

/** Delivery path of letters. */
export interface Delivery {
  readonly formatter: Formatter;
  readonly output: Output;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: RetryPolicy;
  readonly write_timeout_ms: number;
  readonly log: Log;
  /** Cuts the backoff short. */
  readonly stop: AbortSignal;
  /** Single rejections since the last successful write; starts at 0. */
  readonly streak: { refused: number };
}

export interface Refused {
  readonly letter: StoredLetter;
  readonly why: SpateError;
}

export interface Outcome {
  readonly refused: readonly Refused[];
  /** The output is down: further letters would fail too. */
  readonly outage: SpateError | null;
}

/** Attempts in flight are never aborted: their outcome would be unknown. */
const NEVER = new AbortController().signal;

const refuseAll = (letters: readonly StoredLetter[], why: SpateError): readonly Refused[] =>
  letters.map((letter) => ({ letter, why }));

/** Left: the formatter threw. */
export const formatLetters = (
  formatter: Formatter,
  letters: readonly StoredLetter[],
): E.Either<
  SpateError,
  {
    readonly formatted: Formatted;
    readonly accepted: readonly StoredLetter[];
    readonly refused: readonly Refused[];
  }
> =>
  E.tryCatch(
    () => {
      const formatted = formatter.format(textBatch(letters.map(({ event }) => event)));
      const reasons = new Map<string, string[]>();
      for (const { event, reason } of formatted.failures) {
        reasons.set(event, [...(reasons.get(event) ?? []), reason]);
      }
      const accepted: StoredLetter[] = [];
      const refused: Refused[] = [];
      for (const letter of letters) {
        const reason = reasons.get(letter.event)?.shift();
        if (reason === undefined) accepted.push(letter);
        else refused.push({ letter, why: failure('invalid', `it cannot be formatted: ${reason}`) });
      }
      return { formatted, accepted, refused };
    },
    (thrown) => failure('bug', `the formatter threw: ${reasonOf(thrown)}`),
  );

/** Items that were given up for one reason. */
interface GivenUp {
  readonly items: readonly number[];
  readonly reason: SpateError;
}

const write = async ({ batch }: Formatted, delivery: Delivery) => {
  const { output, clock, write_timeout_ms, retry, random, log, stop } = delivery;
  const options = { clock, write_timeout_ms, signal: NEVER };
  const givenUp: GivenUp[] = [];
  let failed = 0;
  const { health, failure: unanswered } = await writeItems(batch, {
    attempt: (items) => attemptWrite(output, items, options),
    policy: retry,
    clock,
    random,
    signal: stop,
    onRetry: ({ message }) => log.write('warning', 'a write failed and will be retried', { reason: message }),
    onWritten: (counts) => {
      failed += counts.failed;
    },
    onGivenUp: async (items, reason) => {
      givenUp.push({ items, reason });
    },
  });
  return { givenUp, failed, health, unanswered };
};

const partly = (failed: number, count: number): SpateError =>
  failure(
    'output_failed',
    `${failed} of ${count} events of a write did not arrive, and the output does not say which. ` +
      'Replay with --batch.size 1 to find them.',
  );

/**
 * Delivers letters as one write, with retries. A `rejected` write is split in halves to isolate the bad
 * letters; the rest is delivered.
 */
export const deliverLetters = async (
  letters: readonly StoredLetter[],
  delivery: Delivery,
): Promise<Outcome> => {
  const result = formatLetters(delivery.formatter, letters);
  if (E.isLeft(result)) return { refused: refuseAll(letters, result.left), outage: result.left };
  const { formatted, accepted, refused } = result.right;
  if (formatted.batch.count === 0) return { refused, outage: null };
  const { givenUp, failed, health, unanswered } = await write(formatted, delivery);
  if (health === 'up') delivery.streak.refused = 0;
  const { eventsPerItem } = formatted;
  if (failed > 0) {
    // Nothing says which ones: all are kept.
    const why = partly(failed * eventsPerItem, accepted.length);
    return { refused: [...refused, ...refuseAll(accepted, why)], outage: null };
  }
  const rest: Refused[] = [];
  let outage: Outcome['outage'] = null;
  for (const { items, reason } of givenUp) {
    const theirs = items.flatMap((item) => accepted.slice(item * eventsPerItem, (item + 1) * eventsPerItem));
    // An output that names the rejected items has isolated them; those of one item are still together.
    const isIsolated = unanswered === null && eventsPerItem === 1;
    const isSettled = isIsolated && (health !== 'down' || !ERRORS[reason.code].retryable);
    const settled: Outcome =
      outage !== null || isSettled
        ? { refused: refuseAll(theirs, outage ?? reason), outage }
        : await failedTogether(theirs, reason, delivery);
    rest.push(...settled.refused);
    outage ??= settled.outage;
  }
  // Restores the order of the letters.
  const place = new Map(letters.map((letter, index) => [letter, index]));
  const all = [...refused, ...rest].sort((a, b) => (place.get(a.letter) ?? 0) - (place.get(b.letter) ?? 0));
  return { refused: all, outage };
};

const failedTogether = async (
  letters: readonly StoredLetter[],
  why: SpateError,
  delivery: Delivery,
): Promise<Outcome> => {
  if (why.code !== 'rejected') return { refused: refuseAll(letters, why), outage: why };
  if (letters.length === 1) {
    delivery.streak.refused++;
    const isHopeless = delivery.streak.refused >= MAX_REFUSED_IN_A_ROW;
    return { refused: refuseAll(letters, why), outage: isHopeless ? why : null };
  }
  const half = Math.ceil(letters.length / 2);
  const first = await deliverLetters(letters.slice(0, half), delivery);
  const others = letters.slice(half);
  if (first.outage !== null) {
    return { refused: [...first.refused, ...refuseAll(others, first.outage)], outage: first.outage };
  }
  const second = await deliverLetters(others, delivery);
  return { refused: [...first.refused, ...second.refused], outage: second.outage };
};
