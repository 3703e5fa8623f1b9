import * as E from 'fp-ts/lib/Either.js';
import { backoffMs } from '../../domain/backoff.js';
import { ERRORS, type Result, type SpateError } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';

/** How often a write is tried, and how long it waits in between. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly base_ms: number;
  readonly cap_ms: number;
}

export interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the waiting between attempts; the last failure is then the result. */
  readonly signal: AbortSignal;
  readonly onRetry: (error: SpateError) => void;
}

/** Tries until it works, fails for good, or the attempts are used up: then the last failure. */
export const withRetries = async <A>(
  attempt: () => Promise<Result<A>>,
  options: RetryOptions,
): Promise<Result<A>> => {
  const { policy, clock, signal } = options;
  const isOver = (): boolean => signal.aborted;
  let result = await attempt();
  for (let tried = 1; tried < policy.attempts && !isOver(); tried++) {
    if (E.isRight(result) || !ERRORS[result.left.code].retryable) return result;
    options.onRetry(result.left);
    await clock.sleepMs(backoffMs(policy, tried, options.random()), signal);
    if (isOver()) return result;
    result = await attempt();
  }
  return result;
};
