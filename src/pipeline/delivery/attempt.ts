import * as E from 'fp-ts/lib/Either.js';
import { ENDED } from '../../domain/abort.js';
import { failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import type { EventBatch } from '../../domain/events/eventBatch.js';
import type { Output, Written } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';

/** How long an output may take to answer after its attempt was ended, before it is given up. */
const GRACE_MS = 1_000;

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
): Promise<Result<Written>> => {
  const { clock, signal } = options;
  if (signal.aborted) {
    return E.left(failure('timed_out', 'the generator was ended before this could be written'));
  }
  const ending = new AbortController();
  const tooLong = (): SpateError =>
    failure('timed_out', `no answer within write_timeout (${options.write_timeout_ms / 1000} s)`);
  let stopTimer = (): void => {};
  let giveUp = (_result: Result<Written>): void => {};
  const givenUp = new Promise<Result<Written>>((resolve) => {
    giveUp = resolve;
  });
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort(ENDED);
    stopTimer();
    stopTimer = clock.after(GRACE_MS, () => giveUp(E.left(tooLong())));
  };
  signal.addEventListener('abort', end, { once: true });
  if (output.isPacedByReader !== true) stopTimer = clock.after(options.write_timeout_ms, end);
  const write = output.write(items, ending.signal).catch((thrown: unknown) =>
    // What an output throws because it was ended is the end, not a bug.
    E.left(ending.signal.aborted ? tooLong() : failure('bug', `the output threw: ${reasonOf(thrown)}`)),
  );
  const result = await Promise.race([write, givenUp]);
  stopTimer();
  signal.removeEventListener('abort', end);
  return result;
};
