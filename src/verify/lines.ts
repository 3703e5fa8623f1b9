/** A longer line is not looked at, so that a file without line ends cannot take all memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LF = 10;

/** Told of every line. Bytes are the caller's for the time of the call only. */
export interface LineHandler {
  /** `bytes[from..to)` without line feed; `isEnded` is false for a last line that has none. */
  readonly onLine: (bytes: Buffer, from: number, to: number, isEnded: boolean) => void;
  /** In place of a line over the limit. */
  readonly onTooLong: () => void;
}

/** Cuts bytes that come in pieces into lines. */
export interface LineCutter {
  readonly push: (chunk: Buffer) => void;
  /** Gives what is left as a last line, if anything is. */
  readonly end: () => void;
}

/** Makes a cutter; chunks may be used again after `push` returned. */
export const makeLineCutter = (handler: LineHandler, max_line_bytes = MAX_LINE_BYTES): LineCutter => {
  /** Beginning of a line whose end has not come. */
  let kept = Buffer.alloc(0);
  let keptLength = 0;
  let isTooLong = false;

  const keep = (chunk: Buffer, from: number, to: number): void => {
    const length = keptLength + to - from;
    if (isTooLong || length > max_line_bytes) {
      isTooLong = true;
      keptLength = 0;
      return;
    }
    if (length > kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(length, kept.length * 2), max_line_bytes));
      kept.copy(larger, 0, 0, keptLength);
      kept = larger;
    }
    chunk.copy(kept, keptLength, from, to);
    keptLength = length;
  };

  const giveKept = (isEnded: boolean): void => {
    if (isTooLong) handler.onTooLong();
    else handler.onLine(kept, 0, keptLength, isEnded);
    isTooLong = false;
    keptLength = 0;
  };

  return {
    push: (chunk) => {
      let from = 0;
      for (;;) {
        const at = chunk.indexOf(LF, from);
        if (at < 0) break;
        if (keptLength > 0 || isTooLong) {
          keep(chunk, from, at);
          giveKept(true);
        } else if (at - from > max_line_bytes) handler.onTooLong();
        else handler.onLine(chunk, from, at, true);
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk, from, chunk.length);
    },
    end: () => {
      if (keptLength > 0 || isTooLong) giveKept(false);
    },
  };
};
