import { isUtf8 } from 'node:buffer';
import type { TimestampPattern } from '../../../domain/timestamps/pattern.js';
import { timestampSpan } from '../../../domain/timestamps/span.js';
import { lineFeedFrom } from '../../events/replay/lineEnds.js';
import { type FileIdentity, fileWindow } from './fileWindow.js';

/** A longer record gets its timestamp and fails as an event. */
export const MAX_RECORD_BYTES = 1024 * 1024;
/** A longer one is no log: skipping it would hold the thread. */
const MAX_SKIPPED_BYTES = 64 * 1024 * 1024;
/** Start of a record in which its timestamp is searched, and start of a line in which `record_start` is. */
const HEAD_BYTES = 4096;

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A record of a file, valid until the next one. */
export interface FileRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly isTooLong: boolean;
  /** Read for it. */
  readonly bytes: number;
  /** Its first bytes as text. */
  readonly head: string;
  /** Returns the whole record, or null when it is not valid UTF-8, or too long. */
  readonly text: () => string | null;
}

export interface RecordFile {
  /** `null` at the end. Throws if the file has changed. */
  readonly next: () => FileRecord | null;
  /** Offset of the next record. */
  readonly offset: () => number;
  readonly line: () => number;
  readonly seek: (offset: number, line: number) => void;
}

interface RecordOptions {
  readonly chunk_bytes: number;
  /** A line that matches this starts a record. Null when every line does. */
  readonly starts: TimestampPattern | null;
}

/** Splits a file into records of one or more lines. */
export const recordFile = (file: FileIdentity, { chunk_bytes, starts }: RecordOptions): RecordFile => {
  const window = fileWindow(file, chunk_bytes);
  let nextLine = 1;

  /** Bytes from the start of the record to the end of the line that begins at `from`, its LF included; -1: too long. */
  const lineEnd = (from: number): number => {
    for (let searched = from; ; ) {
      const at = lineFeedFrom(window.bytes.subarray(0, window.end), window.start + searched);
      if (at >= 0) return at + 1 - window.start;
      searched = window.end - window.start;
      if (searched > MAX_RECORD_BYTES) return -1;
      if (!window.more()) return searched;
    }
  };

  const isStart = (from: number): boolean => {
    if (starts === null) return true;
    while (window.end - window.start - from < HEAD_BYTES && window.more());
    const begin = window.start + from;
    const limit = Math.min(window.end, begin + HEAD_BYTES);
    const at = lineFeedFrom(window.bytes.subarray(0, limit), begin);
    return timestampSpan(window.bytes.toString('utf8', begin, at < 0 ? limit : at), starts) !== null;
  };

  /** Whether there is a byte `from` bytes after the start of the record. */
  const hasByte = (from: number): boolean => window.end - window.start > from || window.more();

  /** Length of the record with its line ends, and its lines; -1: too long. */
  const measure = (): { readonly length: number; readonly lines: number } => {
    let length = 0;
    let lines = 0;
    do {
      length = lineEnd(length);
      lines++;
      if (length < 0 || length > MAX_RECORD_BYTES) return { length: -1, lines };
    } while (hasByte(length) && !isStart(length));
    return { length, lines };
  };

  /** Leaves a record that is too long; returns its lines. */
  const skip = (): number => {
    const from = window.offset();
    for (let lines = 0; ; ) {
      if (window.offset() - from > MAX_SKIPPED_BYTES) {
        throw new Error(
          `${file.name} has a record of more than 64 MiB, at line ${nextLine}. Is it a text log?`,
        );
      }
      const at = lineFeedFrom(window.bytes.subarray(0, window.end), window.start);
      window.start = at < 0 ? window.end : at + 1;
      if (at >= 0) lines++;
      if (!hasByte(0)) return lines;
      if (at >= 0 && isStart(0)) return lines;
    }
  };

  const tooLong = (line: number): FileRecord => {
    const head = window.bytes.toString('utf8', window.start, window.start + HEAD_BYTES);
    const from = window.offset();
    nextLine += skip();
    return { line, isTooLong: true, bytes: window.offset() - from, head, text: () => null };
  };

  const next = (): FileRecord | null => {
    if (
      window.offset() === 0 &&
      hasByte(2) &&
      window.bytes.subarray(window.start, window.start + 3).equals(BYTE_ORDER_MARK)
    ) {
      window.start += 3;
    }
    if (!hasByte(0)) return null;
    const line = nextLine;
    const { length, lines } = measure();
    if (length < 0) return tooLong(line);
    const { bytes, start } = window;
    let end = start + length;
    if (bytes[end - 1] === LF) end--;
    while (end > start && bytes[end - 1] === CR) end--;
    window.start = start + length;
    nextLine += lines;
    return {
      line,
      isTooLong: false,
      bytes: length,
      head: bytes.toString('utf8', start, Math.min(end, start + HEAD_BYTES)),
      text: () => {
        const record = bytes.subarray(start, end);
        return isUtf8(record) ? record.toString('utf8') : null;
      },
    };
  };

  return {
    next,
    offset: window.offset,
    line: () => nextLine,
    seek: (offset, line) => {
      nextLine = line;
      window.seek(Math.max(0, offset - 1));
      if (offset === 0) return;
      hasByte(0);
      // The last line of a file may have no end.
      if (window.bytes[window.start] !== LF && offset !== file.size) {
        throw new Error(
          `${file.name} has changed: the position of the checkpoint is inside line ${line} now. ` +
            'Restore it, or start without the checkpoint.',
        );
      }
      window.start++;
    },
  };
};
