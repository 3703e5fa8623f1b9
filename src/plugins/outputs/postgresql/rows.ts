import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import type { EventText } from '../../shared/text/compile.js';
import { LIMITS, limitBreach } from '../../shared/text/limits.js';
import { itemsByReason } from '../shared/written.js';
import { escaped, escapedText } from './escape.js';
import { rowProblem } from './givenRows.js';

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
  ...escaped(batch.encoded()),
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
