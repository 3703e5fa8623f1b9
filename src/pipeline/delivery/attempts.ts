import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, failure, type Result, type SpateError, thrownError } from '../../domain/errors.js';
import type { EventBatch } from '../../domain/events/eventBatch.js';
import { backoffMs, ENDED, serialQueue } from '../../domain/waiting.js';
import type { Output, Written } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';

/** How long an output may take to answer once its attempt was aborted. */
const GRACE_MS = 1_000;

export interface AttemptOptions {
  readonly clock: Clock;
  readonly write_timeout_ms: number;
  readonly signal: AbortSignal;
}

/** An event of the batch may be the cause of a bug, but not of a shortage of the system. */
const thrownBy = (thrown: unknown): SpateError => {
  const error = thrownError('the output threw', thrown);
  return error.code === 'bug' ? { ...error, isSuspect: true } : error;
};

/** One attempt to write, aborted after `write_timeout` unless paced by the reader. An output that ignores it is given up. */
export const attemptWrite = async (
  output: Output,
  items: EventBatch,
  options: AttemptOptions,
): Promise<Result<Written>> => {
  const { clock, signal } = options;
  if (signal.aborted) {
    return E.left(failure('timed_out', 'the generator ended before this could be written'));
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
  // An output plugin, for example `src/plugins/outputs/file/fileOutput.ts`.
  const write = output.write(items, ending.signal).catch((thrown: unknown) =>
    // A throw after the abort is part of the ending, not a bug.
    E.left(ending.signal.aborted ? tooLong() : thrownBy(thrown)),
  );
  const result = await Promise.race([write, givenUp]);
  stopTimer();
  signal.removeEventListener('abort', end);
  return result;
};

export interface RetryPolicy {
  readonly attempts: number;
  readonly base_ms: number;
  readonly cap_ms: number;
}

export interface RetryOptions {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the backoff; the last failure is then the result. */
  readonly signal: AbortSignal;
  readonly onRetry: (error: SpateError) => void;
  /** Attempts of the policy that were made before. Default: none. */
  readonly made?: number;
  /** Whether to try again after this error. Default: if its code is retryable. */
  readonly goesOn?: (error: SpateError) => boolean;
}

export const isRetryableError = ({ code }: SpateError): boolean => ERRORS[code].retryable;

/** Retries until an attempt succeeds, fails for good, or none is left: then the last failure. */
export const withRetries = async <A>(
  attempt: () => Promise<Result<A>>,
  options: RetryOptions,
): Promise<Result<A>> => {
  const { policy, clock, signal, made = 0, goesOn = isRetryableError } = options;
  const isOver = (): boolean => signal.aborted;
  let result = await attempt();
  for (let tried = made + 1; tried < policy.attempts && !isOver(); tried++) {
    if (E.isRight(result) || !goesOn(result.left)) return result;
    options.onRetry(result.left);
    await clock.sleepMs(backoffMs(policy, tried, options.random()), signal);
    if (isOver()) return result;
    result = await attempt();
  }
  return result;
};

/** How long the breaker stays open before it allows a probe. */
const COOL_DOWN_MS = 5_000;
/** Writes in a row whose events may be at fault, after which the output counts as down. */
const MAX_SUSPECT_WRITES = 3;

/**
 * What a write tells of the output: it works, it is down, or nothing. `suspect`: it failed, and either the output or the
 * few events of the write are at fault.
 */
export type OutputHealth = 'up' | 'down' | 'suspect' | 'unknown';

export type AttemptAllowance = 'all_attempts' | 'one_attempt' | 'none';

/**
 * Circuit breaker of one output. A write that used up its attempts opens it: writes then fail at once, without
 * backoff. After the cool-down a single attempt probes the output; a success closes the breaker.
 */
export interface Breaker {
  readonly allows: () => AttemptAllowance;
  readonly note: (health: OutputHealth) => void;
}

export const makeBreaker = (monotonicMs: () => number): Breaker => {
  let openUntilMs: number | null = null;
  let suspects = 0;
  return {
    allows: () => {
      if (openUntilMs === null) return 'all_attempts';
      return monotonicMs() < openUntilMs ? 'none' : 'one_attempt';
    },
    note: (health) => {
      if (health === 'unknown') return;
      suspects = health === 'up' ? 0 : suspects + 1;
      if (health === 'up') openUntilMs = null;
      else if (health === 'down' || suspects >= MAX_SUSPECT_WRITES)
        openUntilMs = monotonicMs() + COOL_DOWN_MS;
    },
  };
};

/** Writes of one output run together; the search for events at fault runs alone. */
export interface WriteTurns {
  readonly shared: <A>(work: () => Promise<A>) => Promise<A>;
  /** Waits for the work under way and holds other work back. */
  readonly alone: <A>(work: () => Promise<A>) => Promise<A>;
}

export const makeWriteTurns = (): WriteTurns => {
  let underWay = 0;
  /** Searches that run or wait. */
  let searches = 0;
  let waiting: (() => void)[] = [];
  const inTurn = serialQueue();
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  return {
    shared: async (work) => {
      while (searches > 0) await changed();
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        wake();
      }
    },
    alone: async (work) => {
      searches++;
      try {
        return await inTurn(async () => {
          while (underWay > 0) await changed();
          return work();
        });
      } finally {
        searches--;
        wake();
      }
    },
  };
};
