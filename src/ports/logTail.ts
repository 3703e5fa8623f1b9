/** Whose lines: the id of a generator, or `null` for those of the instance itself. */
export type LogSource = string | null;

/** What a reader got since its last look. */
export interface LogPiece {
  /** Whole lines with their line ends, oldest first. */
  readonly lines: readonly string[];
  /** Lines that came and went between two looks, because the reader was slower than the buffer is long. */
  readonly missed: number;
}

export interface LogReader {
  /** Takes what has come since the last call; empty when nothing has. */
  readonly take: () => LogPiece;
  /** Ends the reading; may be called again. */
  readonly close: () => void;
}

/**
 * The last lines of each log, kept in memory within limits. A reader pulls: nothing is queued for it, so a
 * slow one costs no memory and is told how much it missed.
 */
export interface LogTail {
  /** Whether anything was logged by this source since the instance started. */
  readonly has: (source: LogSource) => boolean;
  /**
   * Begins to read: the last whole lines of at most `from_bytes` bytes of UTF-8, then everything new. `onMore` is called
   * once when there is something to take, and again only after the next `take`; it must not throw.
   */
  readonly open: (
    source: LogSource,
    options: { readonly from_bytes: number; readonly onMore: () => void },
  ) => LogReader;
}
