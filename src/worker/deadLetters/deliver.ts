import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf, type SpateError } from '../../domain/errors.js';
import { type EventBatch, textBatch } from '../../domain/events/eventBatch.js';
import { attemptWrite, type RetryPolicy } from '../../pipeline/delivery/attempts.js';
import { type Search, writeUnits } from '../../pipeline/delivery/isolate.js';
import { unitsOfEvents, unitsOfItems } from '../../pipeline/delivery/items.js';
import type { Formatted, Formatter, Output } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { StoredDeadLetter } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';

/** Letters refused in a row after which the output counts as down. */
const MAX_REFUSED_IN_A_ROW = 100;
/** What a letter counts that failed alone, though nobody refused it: each costs all attempts. */
const WEIGHT_OF_SUSPECTS = 10;

/** Delivery path of letters. */
export interface ResendDelivery {
  readonly formatter: Formatter;
  readonly output: Output;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: RetryPolicy;
  readonly write_timeout_ms: number;
  readonly log: Log;
  /** Cuts the backoff short. */
  readonly stop: AbortSignal;
  /** Letters refused by the destination since the last successful write; starts at 0. */
  readonly streak: { refused: number };
}

export interface RefusedDeadLetters {
  readonly deadLetter: StoredDeadLetter;
  readonly why: SpateError;
}

export interface ResendOutcome {
  readonly refused: readonly RefusedDeadLetters[];
  /** The output is down: further letters would fail too. */
  readonly outage: SpateError | null;
}

/** Attempts in flight are never aborted: their outcome would be unknown. */
const NEVER = new AbortController().signal;

const refuseAll = (
  deadLetters: readonly StoredDeadLetter[],
  why: SpateError,
): readonly RefusedDeadLetters[] => deadLetters.map((deadLetter) => ({ deadLetter, why }));

/** Formats letters. Returns an error when the formatter threw. */
export const formatDeadLetters = (
  formatter: Formatter,
  deadLetters: readonly StoredDeadLetter[],
): E.Either<
  SpateError,
  {
    readonly formatted: Formatted;
    readonly accepted: readonly StoredDeadLetter[];
    readonly refused: readonly RefusedDeadLetters[];
  }
> =>
  E.tryCatch(
    () => {
      const formatted = formatter.format(textBatch(deadLetters.map(({ event }) => event)));
      const reasons = new Map<string, string[]>();
      for (const { event, reason } of formatted.failures) {
        reasons.set(event, [...(reasons.get(event) ?? []), reason]);
      }
      const accepted: StoredDeadLetter[] = [];
      const refused: RefusedDeadLetters[] = [];
      for (const deadLetter of deadLetters) {
        const reason = reasons.get(deadLetter.event)?.shift();
        if (reason === undefined) accepted.push(deadLetter);
        else refused.push({ deadLetter, why: failure('invalid', `it cannot be formatted: ${reason}`) });
      }
      return { formatted, accepted, refused };
    },
    (thrown) => failure('bug', `the formatter threw: ${reasonOf(thrown)}`),
  );

/** Letters that were given up for one reason. */
interface GivenUp {
  readonly units: readonly number[];
  readonly reason: SpateError;
}

const write = async (formatted: Formatted, events: readonly string[], delivery: ResendDelivery) => {
  const { output, clock, write_timeout_ms, retry, random, log, stop, streak } = delivery;
  const options = { clock, write_timeout_ms, signal: NEVER };
  const attempt = (items: EventBatch) => attemptWrite(output, items, options);
  const { batch, eventsPerItem } = formatted;
  const units =
    eventsPerItem === 1
      ? unitsOfItems(batch, attempt)
      : unitsOfEvents(delivery.formatter, () => events, formatted, attempt);
  const isolation: Search = {
    max_fruitless: MAX_REFUSED_IN_A_ROW - streak.refused,
    findsRejected: () => true,
    alone: (_, work) => work(),
    onFailure: () => {},
    othersWork: () => false,
    retriesAfter: false,
  };
  const givenUp: GivenUp[] = [];
  let failed = 0;
  const attempted = await writeUnits(units, {
    policy: retry,
    clock,
    random,
    signal: stop,
    isolation,
    onRetry: ({ message }) => log.write('warning', 'a write failed and will be retried', { reason: message }),
    onWritten: (counts) => {
      failed += counts.failed;
    },
    onGivenUp: async (refused, reason) => {
      givenUp.push({ units: refused, reason });
    },
  });
  return { ...attempted, givenUp, failed };
};

const partly = (failed: number, count: number): SpateError =>
  failure(
    'output_failed',
    `${failed} of ${count} events of a write did not arrive, and the output does not say which. ` +
      'Resend with --batch.size 1 to find them.',
  );

/** How many letters in a row the destination has refused. */
const refusedInRow = (
  former: number,
  { givenUp, hasWritten, health }: Awaited<ReturnType<typeof write>>,
): number => {
  if (hasWritten) return 0;
  const rejected = givenUp.reduce(
    (sum, { units, reason }) => (reason.code === 'rejected' ? sum + units.length : sum),
    former,
  );
  return health === 'suspect' ? rejected + WEIGHT_OF_SUSPECTS : rejected;
};

/**
 * Delivers letters as one write, with retries. Letters at fault are found in a write that fails as a whole; the rest is
 * delivered.
 */
export const deliverDeadLetters = async (
  deadLetters: readonly StoredDeadLetter[],
  delivery: ResendDelivery,
): Promise<ResendOutcome> => {
  const result = formatDeadLetters(delivery.formatter, deadLetters);
  if (E.isLeft(result)) return { refused: refuseAll(deadLetters, result.left), outage: result.left };
  const { formatted, accepted, refused } = result.right;
  if (formatted.batch.count === 0) return { refused, outage: null };
  const written = await write(
    formatted,
    accepted.map(({ event }) => event),
    delivery,
  );
  const { givenUp, failed, health } = written;
  delivery.streak.refused = refusedInRow(delivery.streak.refused, written);
  if (failed > 0) {
    // Nothing says which ones: all are kept.
    const why = partly(failed, accepted.length);
    return { refused: [...refused, ...refuseAll(accepted, why)], outage: null };
  }
  const left = givenUp.flatMap(({ units, reason }) =>
    units.map(
      (unit): RefusedDeadLetters => ({ deadLetter: accepted[unit] as StoredDeadLetter, why: reason }),
    ),
  );
  const isDown = health === 'down' || delivery.streak.refused >= MAX_REFUSED_IN_A_ROW;
  // Restores the order of the letters.
  const place = new Map(deadLetters.map((deadLetter, index) => [deadLetter, index]));
  const all = [...refused, ...left].sort(
    (a, b) => (place.get(a.deadLetter) ?? 0) - (place.get(b.deadLetter) ?? 0),
  );
  return { refused: all, outage: isDown ? (givenUp.at(-1)?.reason ?? null) : null };
};
