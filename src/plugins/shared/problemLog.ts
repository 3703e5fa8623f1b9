import type { LogLevel } from '../../domain/errors.js';
import { EVENT_LOG_LIMIT, logLimit } from '../../domain/logLimit.js';
import type { Clock } from '../../ports/clock.js';
import type { Log, LogContext } from '../../ports/log.js';

/** Log of one frequent problem: the first few, then one line per interval. A complete log gets all. */
interface ProblemLog {
  /** Computes the context only for lines that are logged. */
  readonly report: (context: () => LogContext) => void;
  /** Logs the number of suppressed lines since the last one, if any. */
  readonly close: () => void;
}

export const problemLog = (log: Log, clock: Clock, level: LogLevel, message: string): ProblemLog => {
  const limit = logLimit({ ...EVENT_LOG_LIMIT, monotonicMs: clock.monotonicMs });
  const left = (): LogContext => {
    const suppressed = limit.takeSuppressed();
    return suppressed === 0 ? {} : { suppressed };
  };
  return {
    report: (context) => {
      if (log.isComplete === true || limit.admit()) log.write(level, message, { ...context(), ...left() });
    },
    close: () => {
      const context = left();
      if ('suppressed' in context) log.write(level, `${message} (repeated)`, context);
    },
  };
};
