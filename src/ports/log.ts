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

/** Id of a generator. Null for the instance itself. */
export type LogSource = string | null;

interface LogPiece {
  /** With line ends, oldest first. */
  readonly lines: readonly string[];
  /** Lines dropped since the last `take`: the reader fell behind the buffer. */
  readonly missed: number;
}

export interface LogReader {
  /** Lines since the last call. */
  readonly take: () => LogPiece;
  /** Idempotent. */
  readonly close: () => void;
}

/** The last lines of each log, in bounded memory. Readers pull: a slow one costs no memory and misses lines. */
export interface LogTail {
  /** Whether the source has logged since the instance started. */
  readonly has: (source: LogSource) => boolean;
  /**
   * Reads the last whole lines within `from_bytes` bytes of UTF-8, then every new line. `onMore` is called once when
   * there are lines to take, again only after the next `take`; it must not throw.
   */
  readonly open: (
    source: LogSource,
    options: { readonly from_bytes: number; readonly onMore: () => void },
  ) => LogReader;
}
