import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf, type SpateError } from '../../domain/errors.js';
import { textBatch } from '../../domain/events/eventBatch.js';
import { attemptWrite, type RetryPolicy, withRetries } from '../../pipeline/delivery/attempts.js';
import type { Formatted, Formatter, Output } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { StoredLetter } from '../../ports/deadLetters.js';
import type { Log } from '../../ports/log.js';

/** Letters refused one by one, with none that arrived in between, after which the output counts as out of order. */
const MAX_REFUSED_IN_A_ROW = 100;

/** What letters go through. */
export interface Way {
  readonly formatter: Formatter;
  readonly output: Output;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: RetryPolicy;
  readonly write_timeout_ms: number;
  readonly log: Log;
  /** Ends the waiting between attempts. */
  readonly stop: AbortSignal;
  /** Letters refused one by one since the last write that worked; begins with 0. */
  readonly streak: { refused: number };
}

/** A letter that did not arrive, and why. */
export interface Refused {
  readonly letter: StoredLetter;
  readonly why: SpateError;
}

export interface Outcome {
  /** In the order of the letters. */
  readonly refused: readonly Refused[];
  /** The output takes nothing at all: what follows would fail too. */
  readonly outage: SpateError | null;
}

/** Attempts in flight are never cut short: whether they arrived would be unknown. */
const NEVER = new AbortController().signal;

const refuseAll = (letters: readonly StoredLetter[], why: SpateError): readonly Refused[] =>
  letters.map((letter) => ({ letter, why }));

/** Formats letters; Left is what a formatter threw. */
export const formatLetters = (
  formatter: Formatter,
  letters: readonly StoredLetter[],
): E.Either<
  SpateError,
  {
    readonly formatted: Formatted;
    readonly fine: readonly StoredLetter[];
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
      const fine: StoredLetter[] = [];
      const refused: Refused[] = [];
      for (const letter of letters) {
        const reason = reasons.get(letter.event)?.shift();
        if (reason === undefined) fine.push(letter);
        else refused.push({ letter, why: failure('invalid', `it cannot be formatted: ${reason}`) });
      }
      return { formatted, fine, refused };
    },
    (thrown) => failure('bug', `the formatter threw: ${reasonOf(thrown)}`),
  );

const write = async (formatted: Formatted, way: Way) => {
  const { output, clock, write_timeout_ms, retry, random, log, stop } = way;
  const options = { clock, write_timeout_ms, signal: NEVER };
  return withRetries(() => attemptWrite(output, formatted.batch, options), {
    policy: retry,
    clock,
    random,
    signal: stop,
    onRetry: ({ message }) => log.write('warning', 'a write failed and is tried again', { reason: message }),
  });
};

const partly = (failed: number, count: number): SpateError =>
  failure(
    'output_failed',
    `${failed} of ${count} events of a write did not arrive, and the output does not say which: ` +
      'replay with --batch.size 1 to tell',
  );

/**
 * Delivers letters as one write, with the retries of the generator. A write that the destination refuses as it
 * is (`rejected`) is halved until the letters that it does not like stand alone; the others arrive.
 */
export const deliverLetters = async (letters: readonly StoredLetter[], way: Way): Promise<Outcome> => {
  const result = formatLetters(way.formatter, letters);
  if (E.isLeft(result)) return { refused: refuseAll(letters, result.left), outage: result.left };
  const { formatted, fine, refused } = result.right;
  if (formatted.batch.count === 0) return { refused, outage: null };
  const written = await write(formatted, way);
  if (E.isRight(written)) way.streak.refused = 0;
  const rest = E.isRight(written)
    ? settled(fine, written.right.failed * formatted.eventsPerItem)
    : await failed(fine, written.left, way);
  // Refusals of the formatter and of the output, as the letters stood.
  const place = new Map(letters.map((letter, index) => [letter, index]));
  const all = [...refused, ...rest.refused].sort(
    (a, b) => (place.get(a.letter) ?? 0) - (place.get(b.letter) ?? 0),
  );
  return { refused: all, outage: rest.outage };
};

const settled = (letters: readonly StoredLetter[], failed: number): Outcome => ({
  refused: failed === 0 ? [] : refuseAll(letters, partly(failed, letters.length)),
  outage: null,
});

const failed = async (letters: readonly StoredLetter[], why: SpateError, way: Way): Promise<Outcome> => {
  if (why.code !== 'rejected') return { refused: refuseAll(letters, why), outage: why };
  if (letters.length === 1) {
    way.streak.refused++;
    const isHopeless = way.streak.refused >= MAX_REFUSED_IN_A_ROW;
    return { refused: refuseAll(letters, why), outage: isHopeless ? why : null };
  }
  const half = Math.ceil(letters.length / 2);
  const first = await deliverLetters(letters.slice(0, half), way);
  const others = letters.slice(half);
  if (first.outage !== null) {
    return { refused: [...first.refused, ...refuseAll(others, first.outage)], outage: first.outage };
  }
  const second = await deliverLetters(others, way);
  return { refused: [...first.refused, ...second.refused], outage: second.outage };
};
