import type { LogLevel } from '../../domain/errors.js';
import type { Log, LogContext } from '../../ports/log.js';
import { isAtLeast, type LogFormat, lineOf, timeText } from './logLine.js';

/** A log that passes each entry with its full context to `write`. */
export const logTo = (
  write: (level: LogLevel, message: string, context: LogContext) => void,
  context: LogContext = {},
): Log => ({
  write: (level, message, more) => write(level, message, { ...context, ...more }),
  with: (more) => logTo(write, { ...context, ...more }),
});

interface StreamLogOptions {
  /** Lowest level that is written. Null to write none. */
  readonly level: LogLevel | null;
  readonly format: LogFormat;
  readonly write: (line: string) => void;
}

export const streamLog = (options: StreamLogOptions): Log => {
  const line = lineOf(options.format);
  return logTo((level, message, context) => {
    if (isAtLeast(level, options.level)) options.write(line(timeText(), level, message, context));
  });
};
