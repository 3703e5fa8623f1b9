import { bytesBatch, type EventBatch, textBatch } from '../../../domain/events/eventBatch.js';
import { writeUtf8 } from '../../../domain/text/utf8.js';
import { spanOfMatch, timestampSpan } from '../../../domain/timestamps/span.js';
import type { ProduceRequest } from '../../kit.js';
import { remembering } from '../../shared/marker.js';
import type { ReplayPage } from './chunks.js';
import { lineFeedFrom } from './lineEnds.js';
import type { ByteRun, LineRun, SearchedRun, TextRun } from './lineRun.js';

const LINES_PER_LOOK = 500;

export interface Taken {
  readonly consumed: number;
  readonly events: EventBatch;
  readonly failed: number;
}

/** Receives the number of a line in the run, from 0. */
export interface LineProblems {
  readonly onUndecodable: (line: number) => void;
  readonly onUnmatched: (line: number) => void;
}

/** A view of lines in a page; holds the page until the batch is released. */
const viewOf = (bytes: Buffer, count: number, page: ReplayPage | null): EventBatch => {
  if (count === 0 || page === null) return bytesBatch(bytes, count);
  page.hold();
  return { ...bytesBatch(bytes, count), release: page.leave };
};

const takeBytes = (run: ByteRun, want: number): Taken => {
  const { bytes } = run;
  const from = run.cursor;
  let consumed = 0;
  let to = from;
  while (consumed < want && to < bytes.length) {
    to = lineFeedFrom(bytes, to) + 1;
    consumed++;
  }
  run.cursor = to;
  run.used += consumed;
  return { consumed, events: viewOf(bytes.subarray(from, to), consumed, run.page), failed: 0 };
};

/**
 * Writes texts over as many bytes. Repeats are copied from the last place, four bytes at a time: many lines share a
 * timestamp, and a native call costs more.
 */
const stamper = (bytes: Buffer) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let last = '';
  let lastAt = 0;
  return (text: string, at: number): void => {
    if (text === last) {
      let i = 0;
      for (; i + 4 <= text.length; i += 4) view.setInt32(at + i, view.getInt32(lastAt + i));
      for (; i < text.length; i++) view.setInt8(at + i, view.getInt8(lastAt + i));
    } else writeUtf8(bytes, text, at);
    last = text;
    lastAt = at;
  };
};

/**
 * Up to `want` lines with new timestamps, searched as one text. A match after a line proves that the line has none,
 * so each character is searched at most once. Timestamps of equal length are written in place; from the first other
 * one on, a new text is built.
 */
const takeSearched = (
  run: SearchedRun,
  want: number,
  request: ProduceRequest,
  problems: LineProblems,
): Taken => {
  const { bytes, text, page } = run;
  const { pattern, textOf, isAscii } = run.substitution;
  const { lines } = pattern;
  const formatted = remembering(textOf);
  const stamp = bytes !== null && isAscii ? stamper(bytes) : null;
  // Variables are faster than fields of the run.
  let { cursor, match, matchAt } = run;
  const from = cursor;
  /** New text for everything up to `copied`. Null while lines change in place. */
  let made: string | null = null;
  let copied = from;
  let consumed = 0;
  while (consumed < want && cursor < text.length) {
    if (matchAt < cursor) {
      lines.lastIndex = cursor;
      match = lines.exec(text);
      matchAt = match?.index ?? text.length;
    }
    const lineEnd = bytes === null ? text.indexOf('\n', cursor) : lineFeedFrom(bytes, cursor);
    const span = match === null || matchAt > lineEnd ? null : spanOfMatch(match, pattern);
    if (span === null) problems.onUnmatched(run.used + consumed);
    else {
      const stamped = formatted(request.micros[request.from + consumed] as number);
      if (made === null && stamp !== null && stamped.length === span[1] - span[0]) stamp(stamped, span[0]);
      else {
        if (made === null && bytes !== null) {
          // Earlier lines have changed in place.
          made = bytes.toString('latin1', from, cursor);
          copied = cursor;
        }
        made = (made ?? '') + text.slice(copied, span[0]) + stamped;
        copied = span[1];
      }
    }
    cursor = lineEnd + 1;
    consumed++;
    if (consumed % LINES_PER_LOOK === 0 && request.isSpent()) break;
  }
  run.cursor = cursor;
  run.match = match;
  run.matchAt = matchAt;
  run.used += consumed;
  const events =
    made === null && bytes !== null
      ? viewOf(bytes.subarray(from, cursor), consumed, page)
      : bytesBatch(Buffer.from((made ?? '') + text.slice(copied, cursor)), consumed);
  return { consumed, events, failed: 0 };
};

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
      const span = timestampSpan(line, substitution.pattern);
      if (span === null) problems.onUnmatched(run.used);
      const stamp = request.micros[request.from + consumed] as number;
      events.push(span === null ? line : line.slice(0, span[0]) + formatted(stamp) + line.slice(span[1]));
    }
    run.used++;
    consumed++;
    if (consumed % LINES_PER_LOOK === 0 && request.isSpent()) break;
  }
  return { consumed, events: textBatch(events), failed };
};

/** Up to one line per timestamp; fewer when the time slice is used up. */
export const takeLines = (run: LineRun, request: ProduceRequest, problems: LineProblems): Taken => {
  const want = request.to - request.from;
  if (run.kind === 'bytes') return takeBytes(run, want);
  return run.kind === 'searched'
    ? takeSearched(run, want, request, problems)
    : takeTexts(run, want, request, problems);
};
