import { EVENT_LOG_LIMIT } from '../../domain/logLimit.js';
import type { Clock } from '../../ports/clock.js';
import type { Log, LogContext } from '../../ports/log.js';

/** What a plugin logged of a timestamp that failed. */
export interface CaughtProblem {
  readonly message: string;
  readonly context: LogContext;
}

export interface Caught {
  /** For the plugin: errors are caught while `take` waits for them, all else is passed on. */
  readonly log: Log;
  /** Forgets what was caught, and catches from now on. */
  readonly begin: () => void;
  /** The last error since `begin`; `null`: none. Nothing is caught any more. */
  readonly take: () => CaughtProblem | null;
}

/** Plugins tell of a failed timestamp in their log only: this log keeps the last one for the answer. */
export const catchingLog = (target: Log): Caught => {
  let isCatching = false;
  let last: CaughtProblem | null = null;
  const wrap = (inner: Log, outer: LogContext): Log => ({
    write: (level, message, context = {}) => {
      if (isCatching && level === 'error') last = { message, context: { ...outer, ...context } };
      else inner.write(level, message, context);
    },
    with: (context) => wrap(inner.with(context), { ...outer, ...context }),
  });
  return {
    log: wrap(target, {}),
    begin: () => {
      isCatching = true;
      last = null;
    },
    take: () => {
      isCatching = false;
      return last;
    },
  };
};

/** A clock on which every look is so much later that no limit on log lines is ever reached. */
export const leapingClock = (clock: Clock): Clock => {
  let at = 0;
  return {
    ...clock,
    monotonicMs: () => {
      at += EVENT_LOG_LIMIT.interval_ms;
      return at;
    },
  };
};
