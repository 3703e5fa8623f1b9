import type { LogLevel } from '../../../domain/errors.js';
import { EVENT_LOG_LIMIT, logLimit } from '../../../domain/logLimit.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log, LogContext } from '../../../ports/log.js';

/** Log of one kind of problem that may happen a million times: the first few, then one line per interval. */
export interface ProblemLog {
  /** Counts a problem; its context is made only when it is logged. */
  readonly report: (context: () => LogContext) => void;
  /** Logs how many were left out since the last line, if any. */
  readonly close: () => void;
}

/** A log for problems of one kind, all with this level and message. */
export const problemLog = (log: Log, clock: Clock, level: LogLevel, message: string): ProblemLog => {
  const limit = logLimit({ ...EVENT_LOG_LIMIT, monotonicMs: clock.monotonicMs });
  const left = (): LogContext => {
    const suppressed = limit.takeSuppressed();
    return suppressed === 0 ? {} : { suppressed };
  };
  return {
    report: (context) => {
      if (limit.admit()) log.write(level, message, { ...context(), ...left() });
    },
    close: () => {
      const context = left();
      if ('suppressed' in context)
        log.write(level, `${message} (more of them, not logged one by one)`, context);
    },
  };
};
