import { isUtf8 } from 'node:buffer';
import { MICROS_PER_DAY, type Micros } from '../../../domain/time/micros.js';
import type { ReadTime } from '../../../domain/time/strptime.js';
import type { TimestampPattern } from '../../../domain/timestamps/pattern.js';
import { type Span, timestampSpan } from '../../../domain/timestamps/span.js';
import { lineFeedFrom } from '../../events/replay/lineEnds.js';
import { type FileIdentity, fileWindow } from './fileWindow.js';

/** How records and their times are found. */
export interface Reading {
  readonly pattern: TimestampPattern;
  readonly readTime: ReadTime;
  readonly starts: TimestampPattern | null;
  /** Year of the first time of a file whose format has no year. Null when the last change of the file tells it. */
  readonly year: number | null;
  readonly chunk_bytes: number;
}

/** Reports records by file and line. */
export interface RecordProblems {
  readonly onUntimed: (file: string, line: number) => void;
  readonly onBackwards: (file: string, line: number) => void;
}

/** A record with the time that it is merged by: that of the record before where it has none, or an earlier one. */
export interface TimedRecord {
  readonly micros: Micros;
  /** Where its time is written. Null when it is written nowhere. */
  readonly span: Span | null;
  readonly record: FileRecord;
}

/** Position in a file. */
export interface FilePosition {
  readonly offset: number;
  readonly line: number;
  /** Time of the record before. */
  readonly last: Micros;
}

export interface TimedFile {
  readonly file: FileIdentity;
  readonly next: () => TimedRecord | null;
  readonly position: () => FilePosition;
  readonly seek: (position: FilePosition) => void;
}

/** Records at the start of a file, one of which needs a time. */
export const MAX_UNTIMED = 1_000;

/** A file without year ends about when it was last changed, so its first record is not later. */
const nearOf = (file: FileIdentity, year: number | null): Micros =>
  year === null ? file.changed - 180 * MICROS_PER_DAY : Date.UTC(year, 6, 2) * 1000;

/** The time of a record and where it is written. */
const timeIn = (
  { head }: FileRecord,
  { pattern, readTime }: Reading,
): ((near: Micros) => { readonly micros: Micros; readonly span: Span } | null) => {
  const span = timestampSpan(head, pattern);
  return (near) => {
    if (span === null) return null;
    const micros = readTime(head.slice(span[0], span[1]), near);
    return micros === null ? null : { micros, span };
  };
};

const openRecords = (file: FileIdentity, { chunk_bytes, starts }: Reading): RecordFile =>
  recordFile(file, { chunk_bytes, starts });

/** Outcome of a look at the start of a file: its first time, or no records, or the head of one without a time. */
export type FirstTime =
  | { readonly kind: 'time'; readonly micros: Micros }
  | { readonly kind: 'empty' }
  | { readonly kind: 'none'; readonly example: string };

export const firstTimeOf = (file: FileIdentity, reading: Reading): FirstTime => {
  const records = openRecords(file, reading);
  let example: string | null = null;
  for (let seen = 0; seen < MAX_UNTIMED; seen++) {
    const record = records.next();
    if (record === null) break;
    const found = timeIn(record, reading)(nearOf(file, reading.year));
    if (found !== null) return { kind: 'time', micros: found.micros };
    if (example === null || example === '') example = record.head;
  }
  return example === null ? { kind: 'empty' } : { kind: 'none', example };
};

/** Records of a file in its order, with times that never go back. `first`: the first time in it. */
export const timedFile = (
  file: FileIdentity,
  first: Micros,
  reading: Reading,
  problems: RecordProblems,
): TimedFile => {
  const records = openRecords(file, reading);
  let last = first;
  return {
    file,
    next: () => {
      const record = records.next();
      if (record === null) return null;
      const found = timeIn(record, reading)(last);
      if (found === null) problems.onUntimed(file.name, record.line);
      else if (found.micros < last) problems.onBackwards(file.name, record.line);
      else last = found.micros;
      return { micros: last, span: found?.span ?? null, record };
    },
    position: () => ({ offset: records.offset(), line: records.line(), last }),
    seek: (position) => {
      records.seek(position.offset, position.line);
      last = position.last;
    },
  };
};

/** A longer record gets its timestamp and fails as an event. */
const MAX_RECORD_BYTES = 1024 * 1024;
/** A longer one is no log: skipping it would hold the thread. */
const MAX_SKIPPED_BYTES = 64 * 1024 * 1024;
/** Start of a record in which its timestamp is searched, and start of a line in which `record_start` is. */
const HEAD_BYTES = 4096;

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A record of a file, valid until the next one. */
interface FileRecord {
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

interface RecordFile {
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
const recordFile = (file: FileIdentity, { chunk_bytes, starts }: RecordOptions): RecordFile => {
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
