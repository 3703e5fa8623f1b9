import { CRC_START, feedBytes } from '../domain/crc32.js';
import { isIntact, type Token } from '../domain/marks/token.js';

/** Lines without mark that may be the beginning of an event of several lines. */
const MAX_LINES = 100;
const MAX_BYTES = 64 * 1024;

const LF = 10;

/** A line without mark. */
export interface UnmarkedLine {
  readonly number: number;
  readonly isTorn: boolean;
}

/** The lines without mark since the last marked one. */
export interface PendingLines {
  readonly add: (bytes: Buffer, from: number, to: number, line: UnmarkedLine) => void;
  /** Whether the last of them and `bytes[from..to)` are the text of the token; they are marked then. */
  readonly join: (bytes: Buffer, from: number, to: number, token: Token) => boolean;
  /** Gives up on all: they carry no mark. */
  readonly flush: () => void;
}

/**
 * Keeps lines without mark until it is clear that they are not part of an event of several lines, whose
 * mark is on its last one. `onUnmarked` is told of each that is not, in order.
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
