import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf, type SpateError } from '../domain/errors.js';
import type { EventBatch } from '../domain/eventBatch.js';
import type { Output, Written } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';

/** How long an output may take to answer after its attempt was ended, before it is given up. */
const GRACE_MS = 1_000;
/** A ready reason: without one each abort makes an exception with a stack, which shows in profiles. */
const OVER = 'over';
/** Longest timer of Node, 24 days: what stands for no limit. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface AttemptOptions {
  readonly clock: Clock;
  readonly write_timeout_ms: number;
  /** Ends the attempt when the pipeline is torn down. */
  readonly signal: AbortSignal;
}

/**
 * One attempt to write, ended by `write_timeout` unless the output is paced by its reader. A throw of the
 * output is its failure; an output that does not answer even to the end of its signal is given up.
 */
export const attemptWrite = async (
  output: Output,
  items: EventBatch,
  options: AttemptOptions,
): Promise<E.Either<SpateError, Written>> => {
  if (options.signal.aborted) {
    return E.left(failure('timed_out', 'the generator was ended before this could be written'));
  }
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
    return E.left(tooLong());
  };
  const tooLong = (): SpateError =>
    failure('timed_out', `no answer within write_timeout (${options.write_timeout_ms / 1000} s)`);
  const write = output.write(items, ending.signal).catch((thrown: unknown) =>
    // What an output throws because it was ended is the end, not a bug.
    E.left(ending.signal.aborted ? tooLong() : failure('bug', `the output threw: ${reasonOf(thrown)}`)),
  );
  const result = await Promise.race([write, deadline()]);
  done.abort(OVER);
  waiting.abort(OVER);
  options.signal.removeEventListener('abort', end);
  return result;
};
