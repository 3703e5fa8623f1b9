import type { EncodedEvents } from '../../../domain/events/encodedEvents.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import type { EventText } from '../../shared/text/compile.js';
import { LIMITS, limitBreach } from '../../shared/text/limits.js';
import { itemsByReason } from '../shared/written.js';

/** Rows of a COPY. */
export interface Rows {
  readonly bytes: Buffer;
  /** End of each row with its line end. */
  readonly ends: Uint32Array;
  /** Position of each row in the batch. Null when it is the number of the row. */
  readonly items: Uint32Array | null;
  /** Events without a row, by reason. */
  readonly unfit: ReadonlyMap<string, readonly number[]>;
  /** A line is a row, so that line numbers of the server count rows. */
  readonly isLineRow: boolean;
}

export type RowMaker = (batch: EventBatch) => Rows;

const NONE: ReadonlyMap<string, readonly number[]> = new Map();

/** One column with the whole event. */
export const eventRows: RowMaker = (batch) => ({
  ...escapedCopyText(batch.encoded()),
  items: null,
  unfit: NONE,
  isLineRow: true,
});

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Events that are rows already. */
export const givenRows =
  (format: 'text' | 'csv'): RowMaker =>
  (batch) => {
    const { bytes, ends } = batch.encoded();
    const whole = viewOf(bytes);
    const { groups: unfit, add } = itemsByReason();
    const kept: number[] = [];
    for (let item = 0; item < ends.length; item++) {
      const problem = rowProblem(
        whole,
        item === 0 ? 0 : (ends[item - 1] as number),
        ends[item] as number,
        format,
      );
      if (problem === null) kept.push(item);
      else add(problem, item);
    }
    const isLineRow = format === 'text';
    if (kept.length === ends.length) return { bytes: whole, ends, items: null, unfit: NONE, isLineRow };
    const pieces = kept.map((item) => whole.subarray(item === 0 ? 0 : ends[item - 1], ends[item]));
    let end = 0;
    return {
      bytes: Buffer.concat(pieces),
      ends: Uint32Array.from(pieces, ({ length }) => (end += length)),
      items: Uint32Array.from(kept),
      unfit,
      isLineRow,
    };
  };

const NOT_JSON = 'the event is not JSON. Correct the template, or remove `columns`.';

const NULL = '\\N';

/** Columns with texts; a column whose text lacks a value is NULL. */
export const columnRows = (columns: readonly EventText[]): RowMaker => {
  const readsJson = columns.some((column) => column.readsJson);
  const fields = columns.map(({ constant, text }) => {
    if (constant !== null) {
      const field = escapedText(constant);
      return () => field;
    }
    return (document: unknown, event: string) => {
      const value = text(document, event);
      return value === null ? NULL : escapedText(value);
    };
  });
  return (batch) => {
    const { groups: unfit, add } = itemsByReason();
    const rows: string[] = [];
    const items: number[] = [];
    for (const [item, text] of batch.texts().entries()) {
      const document = readsJson ? parsedJson(text) : undefined;
      if (readsJson && document === undefined) {
        add(NOT_JSON, item);
        continue;
      }
      const row = `${fields.map((field) => field(document, text)).join('\t')}\n`;
      const problem = limitBreach(LIMITS['postgresql.row'], row);
      if (problem !== null) {
        add(problem, item);
        continue;
      }
      rows.push(row);
      items.push(item);
    }
    let end = 0;
    return {
      bytes: Buffer.from(rows.join(''), 'utf8'),
      ends: Uint32Array.from(rows, (row) => (end += Buffer.byteLength(row))),
      items: items.length === batch.count ? null : Uint32Array.from(items),
      unfit,
      isLineRow: true,
    };
  };
};

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
const RETURN = 0x0d;

const TWO_LINES = 'the event has a line end, which COPY takes for the end of a row. Escape it as \\n.';
const JOINS = 'the event ends with a backslash, which joins it to the next row. Double it.';
const OPEN_QUOTE = 'the event leaves a quote open, which joins it to the next row. Close it.';
const END_MARK = 'the event has a line \\., which ends the data of COPY. Change it.';

/** Whether the line from `start` to its line end is the end mark of COPY, which may end with a carriage return. */
const isEndMark = (bytes: Buffer, start: number): boolean =>
  bytes[start] === BACKSLASH &&
  bytes[start + 1] === DOT &&
  bytes[bytes[start + 2] === RETURN ? start + 3 : start + 2] === LINE_FEED;

const textProblem = (bytes: Buffer, start: number, end: number): string | null => {
  if (isEndMark(bytes, start)) return END_MARK;
  if (bytes.indexOf(LINE_FEED, start) < end - 1) return TWO_LINES;
  let at = end - 2;
  while (at >= start && bytes[at] === BACKSLASH) at--;
  return (end - 2 - at) % 2 === 1 ? JOINS : null;
};

/** Line ends inside quotes belong to the row. The server takes a line `\.` for the end even there. */
const csvProblem = (bytes: Buffer, start: number, end: number): string | null => {
  let isQuoted = false;
  let isLineStart = true;
  for (let at = start; at < end - 1; at++) {
    const byte = bytes[at];
    if (isLineStart && isEndMark(bytes, at)) return END_MARK;
    isLineStart = byte === LINE_FEED;
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === LINE_FEED && !isQuoted) return TWO_LINES;
  }
  return isQuoted ? OPEN_QUOTE : null;
};

/** Returns why the event from `start` to `end`, with its line end, is not exactly one row, or null when it is. */
const rowProblem = (bytes: Buffer, start: number, end: number, format: 'text' | 'csv'): string | null =>
  format === 'text' ? textProblem(bytes, start, end) : csvProblem(bytes, start, end);

/** Second byte of the escape of a byte in COPY's text format; 0: none. */
const ESCAPES = new Uint8Array(256);
ESCAPES[BACKSLASH] = BACKSLASH;
ESCAPES[0x09] = 0x74;
ESCAPES[LINE_FEED] = 0x6e;
ESCAPES[0x0d] = 0x72;

const IN_TEXT: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A text as a field of COPY's text format. */
const escapedText = (text: string): string =>
  /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (found) => IN_TEXT[found] as string) : text;

/** Bytes that need an escape; the line ends after events do not. */
const countEscapes = (bytes: Uint8Array, events: number): number => {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (ESCAPES[bytes[at] as number] !== 0) count++;
  return count - events;
};

/** Events as rows of one column in COPY's text format. Copies only if an event needs an escape. */
const escapedCopyText = ({
  bytes,
  ends,
}: EncodedEvents): { readonly bytes: Buffer; readonly ends: Uint32Array } => {
  const more = countEscapes(bytes, ends.length);
  if (more === 0) return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), ends };
  const out = Buffer.allocUnsafe(bytes.length + more);
  const outEnds = new Uint32Array(ends.length);
  let from = 0;
  let to = 0;
  for (let index = 0; index < ends.length; index++) {
    const last = (ends[index] as number) - 1;
    for (; from < last; from++) {
      const byte = bytes[from] as number;
      const letter = ESCAPES[byte] as number;
      if (letter === 0) out[to++] = byte;
      else {
        out[to++] = BACKSLASH;
        out[to++] = letter;
      }
    }
    from++;
    out[to++] = LINE_FEED;
    outEnds[index] = to;
  }
  return { bytes: out, ends: outEnds };
};
