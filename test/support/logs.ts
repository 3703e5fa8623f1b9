import type { LogLevel } from '../../src/domain/errors.js';
import type { Log, LogContext } from '../../src/ports/log.js';

export interface LoggedLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly context: LogContext;
}

export const memoryLog = (): { readonly log: Log; readonly lines: LoggedLine[] } => {
  const lines: LoggedLine[] = [];
  const make = (context: LogContext): Log => ({
    write: (level, message, more = {}) =>
      void lines.push({ level, message, context: { ...context, ...more } }),
    with: (more) => make({ ...context, ...more }),
  });
  return { log: make({}), lines };
};
