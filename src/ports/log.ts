import type { LogLevel } from '../domain/errors.js';
import type { Json } from '../domain/json.js';

export type LogContext = Readonly<Record<string, Json>>;

/** `with` adds context to every line. */
export interface Log {
  readonly write: (level: LogLevel, message: string, context?: LogContext) => void;
  readonly with: (context: LogContext) => Log;
  /** Whether a reader needs each line, so that frequent ones are not left out. */
  readonly isComplete?: boolean;
}
