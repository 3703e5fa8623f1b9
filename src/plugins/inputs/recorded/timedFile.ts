import { MICROS_PER_DAY, type Micros } from '../../../domain/time/micros.js';
import type { ReadTime } from '../../../domain/time/strptime.js';
import type { TimestampPattern } from '../../../domain/timestamps/pattern.js';
import { type Span, timestampSpan } from '../../../domain/timestamps/span.js';
import type { FileIdentity } from './fileWindow.js';
import { type FileRecord, type RecordFile, recordFile } from './records.js';

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
