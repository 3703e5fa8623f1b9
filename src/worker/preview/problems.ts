import type { Log, LogContext } from '../../ports/log.js';

/** Error that a plugin logged for a failed timestamp. */
export interface CaughtProblem {
  readonly message: string;
  readonly context: LogContext;
}

export interface Caught {
  /** Log of the plugin: errors are caught between `begin` and `take`, all other lines are passed on. */
  readonly log: Log;
  readonly begin: () => void;
  /** Returns the last error since `begin`, or null when there was none. */
  readonly take: () => CaughtProblem | null;
}

/** Catches the errors of failed timestamps, which plugins only log, for the answer. */
export const catchingLog = (target: Log): Caught => {
  let isCatching = false;
  let last: CaughtProblem | null = null;
  const wrap = (inner: Log, outer: LogContext): Log => ({
    write: (level, message, context = {}) => {
      if (isCatching && level === 'error') last = { message, context: { ...outer, ...context } };
      else inner.write(level, message, context);
    },
    with: (context) => wrap(inner.with(context), { ...outer, ...context }),
    isComplete: true,
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
