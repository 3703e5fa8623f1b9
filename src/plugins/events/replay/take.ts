import { bytesBatch, type EventBatch, textBatch } from '../../../domain/eventBatch.js';
import { MAX_BYTES_PER_UNIT, writeUtf8 } from '../../../domain/text/utf8Writer.js';
import type { ProduceRequest } from '../../kit.js';
import { remembering } from '../shared/remembering.js';
import type { TimestampPattern } from './pattern.js';
import type { ByteRun, Run, SearchedRun, TextRun } from './run.js';

/** Lines that are worked on between two looks at the clock. */
const LINES_PER_LOOK = 500;

const LF = 10;

/** Room for a line and its new timestamp in the first guess of a buffer. */
const GUESSED_LINE_BYTES = 256;

/** What was used up of a run. */
export interface Taken {
  /** Lines, good or bad. */
  readonly consumed: number;
  readonly events: EventBatch;
  /** Lines that could not be decoded. */
  readonly failed: number;
}

/** Told of each line by its number in the run, from 0. */
export interface LineProblems {
  readonly onUndecodable: (line: number) => void;
  readonly onUnmatched: (line: number) => void;
}

/** Up to `want` lines as they are: no copy. */
const takeBytes = (run: ByteRun, want: number): Taken => {
  const { bytes } = run;
  const from = run.cursor;
  let consumed = 0;
  let to = from;
  while (consumed < want && to < bytes.length) {
    to = bytes.indexOf(LF, to) + 1;
    consumed++;
  }
  run.cursor = to;
  run.used += consumed;
  return { consumed, events: bytesBatch(bytes.subarray(from, to), consumed), failed: 0 };
};

/** Where the timestamp of a match stands in the searched text; `null` when its group took no part. */
const placeOf = (
  match: RegExpExecArray,
  { group, prefix }: TimestampPattern,
): readonly [number, number] | null => {
  const text = match[group];
  if (text === undefined) return null;
  if (prefix === null) return match.indices?.[group] ?? null;
  const start = match.index + (prefix === 0 ? 0 : (match[prefix] as string).length);
  return [start, start + text.length];
};

/** Bytes that grow as they are written. */
const growing = (size: number) => {
  let buffer = Buffer.allocUnsafeSlow(size);
  let length = 0;
  const makeRoom = (more: number): void => {
    if (length + more <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(length + more, buffer.length * 2));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    copy: (from: Buffer, start: number, end: number): void => {
      makeRoom(end - start);
      length += from.copy(buffer, length, start, end);
    },
    write: (text: string): void => {
      makeRoom(text.length * MAX_BYTES_PER_UNIT);
      length += writeUtf8(buffer, text, length);
    },
    bytes: (): Buffer => buffer.subarray(0, length),
  };
};

/**
 * Up to `want` lines with new timestamps, searched as one text and written as bytes. A match that starts
 * behind a line proves that the line has none, so every character is searched at most once.
 */
const takeSearched = (
  run: SearchedRun,
  want: number,
  request: ProduceRequest,
  problems: LineProblems,
): Taken => {
  const { bytes, text } = run;
  const { pattern, textOf } = run.substitution;
  const formatted = remembering(textOf);
  const out = growing(Math.min(text.length - run.cursor, want * GUESSED_LINE_BYTES) + want * 8 + 64);
  const keep = (from: number, to: number): void =>
    bytes === null ? out.write(text.slice(from, to)) : out.copy(bytes, from, to);
  const { lines } = pattern;
  let copied = run.cursor;
  let consumed = 0;
  while (consumed < want && run.cursor < text.length) {
    if (run.matchAt < run.cursor) {
      lines.lastIndex = run.cursor;
      run.match = lines.exec(text);
      run.matchAt = run.match?.index ?? Number.POSITIVE_INFINITY;
    }
    const lineEnd = text.indexOf('\n', run.cursor);
    const place = run.match === null || run.matchAt > lineEnd ? null : placeOf(run.match, pattern);
    if (place === null) problems.onUnmatched(run.used);
    else {
      keep(copied, place[0]);
      out.write(formatted(request.micros[request.from + consumed] as number));
      copied = place[1];
    }
    run.cursor = lineEnd + 1;
    run.used++;
    consumed++;
    if (consumed % LINES_PER_LOOK === 0 && request.isSpent()) break;
  }
  keep(copied, run.cursor);
  return { consumed, events: bytesBatch(out.bytes(), consumed), failed: 0 };
};

/** Up to `want` decoded lines, with new timestamps if there is a substitution. */
const takeTexts = (run: TextRun, want: number, request: ProduceRequest, problems: LineProblems): Taken => {
  const { substitution } = run;
  const events: string[] = [];
  const formatted = remembering(substitution?.textOf ?? String);
  let consumed = 0;
  let failed = 0;
  while (consumed < want && run.used < run.lines.length) {
    const line = run.lines[run.used] as string | null;
    if (line === null) {
      failed++;
      problems.onUndecodable(run.used);
    } else if (substitution === null) events.push(line);
    else {
      const match = substitution.pattern.line.exec(line);
      const place = match === null ? null : placeOf(match, substitution.pattern);
      if (place === null) problems.onUnmatched(run.used);
      const stamp = request.micros[request.from + consumed] as number;
      events.push(place === null ? line : line.slice(0, place[0]) + formatted(stamp) + line.slice(place[1]));
    }
    run.used++;
    consumed++;
    if (consumed % LINES_PER_LOOK === 0 && request.isSpent()) break;
  }
  return { consumed, events: textBatch(events), failed };
};

/** Up to as many lines of a run as there are timestamps; fewer when the time of the slice is spent. */
export const takeLines = (run: Run, request: ProduceRequest, problems: LineProblems): Taken => {
  const want = request.to - request.from;
  if (run.kind === 'bytes') return takeBytes(run, want);
  return run.kind === 'searched'
    ? takeSearched(run, want, request, problems)
    : takeTexts(run, want, request, problems);
};
