import type { RowReader } from './rows.js';
import type { Verifier } from './verifier.js';

/** Longer lines are skipped: a file without line ends must not fill the memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LF = 10;

/** Bytes are valid during the call only. */
export interface LineHandler {
  /** `bytes[from..to)` excludes the line feed; `isEnded` is false for a last line without one. */
  readonly onLine: (bytes: Buffer, from: number, to: number, isEnded: boolean) => void;
  readonly onTooLong: () => void;
}

interface LineCutter {
  readonly push: (chunk: Buffer) => void;
  /** Passes on an unfinished last line. */
  readonly end: () => void;
}

/** Splits chunks into lines; chunks may be reused after `push`. */
export const makeLineCutter = (handler: LineHandler, max_line_bytes = MAX_LINE_BYTES): LineCutter => {
  /** Start of an unfinished line. */
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

interface ByteSink {
  /** Takes a chunk, which may be reused. `arrived` is in epoch microseconds, or null when unknown. */
  readonly push: (chunk: Buffer, arrived: number | null) => void;
  readonly end: () => void;
}

/** Feeds the lines of an input to a verifier; `rows` parses table rows. */
export const verifyLines = (verifier: Verifier, name: string, rows: RowReader | null = null): ByteSink => {
  const input = verifier.input(name);
  let arrivedNow: number | null = null;
  const cutter = makeLineCutter({
    onLine: (bytes, from, to, isEnded) => {
      if (rows === null) return input.line(bytes, from, to, isEnded, arrivedNow);
      const row = rows.row(bytes, from, to);
      if (row === null) input.skip();
      else input.line(row.bytes, row.from, row.to, isEnded, row.arrived);
    },
    onTooLong: input.tooLong,
  });
  return {
    push: (chunk, arrived) => {
      arrivedNow = arrived;
      cutter.push(chunk);
    },
    end: () => {
      cutter.end();
      input.end();
    },
  };
};
