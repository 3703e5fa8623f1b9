import { CRC_START, feedBytes } from '../domain/crc32.js';
import { isIntact, type Token } from '../domain/marks/token.js';

/** Limits of an event of several lines. */
const MAX_LINES = 100;
const MAX_BYTES = 64 * 1024;

const LF = 10;

export interface UnmarkedLine {
  readonly number: number;
  readonly isTorn: boolean;
}

export interface PendingLines {
  readonly add: (bytes: Buffer, from: number, to: number, line: UnmarkedLine) => void;
  /** Whether the last pending lines plus `bytes[from..to)` are the text of the token; they then count as marked. */
  readonly join: (bytes: Buffer, from: number, to: number, token: Token) => boolean;
  readonly flush: () => void;
}

/**
 * Holds unmarked lines that may belong to an event of several lines, with its mark on the last one. Reports the
 * others to `onUnmarked`, in order.
 */
export const makePendingLines = (onUnmarked: (line: UnmarkedLine) => void): PendingLines => {
  const bytes = Buffer.allocUnsafe(MAX_BYTES);
  let length = 0;
  let lines: (UnmarkedLine & { readonly start: number })[] = [];

  const flush = (): void => {
    for (const line of lines) onUnmarked(line);
    lines = [];
    length = 0;
  };

  return {
    add: (from, start, end, line) => {
      const size = end - start + 1;
      if (length + size > MAX_BYTES || lines.length === MAX_LINES) flush();
      if (size > MAX_BYTES) return onUnmarked(line);
      lines.push({ ...line, start: length });
      from.copy(bytes, length, start, end);
      bytes[length + size - 1] = LF;
      length += size;
    },
    join: (from, start, end, token) => {
      for (let i = lines.length - 1; i >= 0; i--) {
        const before = feedBytes(CRC_START, bytes, lines[i]?.start ?? 0, length);
        if (!isIntact(feedBytes(before, from, start, end), from, token)) continue;
        lines = lines.slice(0, i);
        flush();
        return true;
      }
      return false;
    },
    flush,
  };
};
