import type { EventBatch } from '../../../domain/events/eventBatch.js';

const isQuoted = (name: string): boolean => /^(`.*`|".*")$/s.test(name) && name.length > 2;

/** A name as SQL takes it: in backticks and escaped; what is quoted already is taken as it is. */
export const identifier = (name: string): string =>
  isQuoted(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;

/** A name as the address of a request takes it: without quotes. */
export const bareName = (name: string): string =>
  isQuoted(name) ? name.slice(1, -1).replace(/\\(.)/gs, '$1') : name;

/** The statement of every insert; the data goes in the body of the request. */
export const insertStatement = (database: string, table: string, format: string): string =>
  `INSERT INTO ${identifier(database)}.${identifier(table)} FORMAT ${format}`;

/** Answers 1 or 0. */
export const existsStatement = (database: string, table: string): string =>
  `EXISTS TABLE ${identifier(database)}.${identifier(table)}`;

/** Largest piece handed to the socket at once: large enough to be cheap, small enough to stop between two. */
const PIECE_BYTES = 256 * 1024;

/** Data of one insert. */
export interface Body {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
}

/** Makes bodies of inserts: header, events joined by the separator, footer. Events are not copied. */
export const bodyMaker = (
  header: string,
  separator: string,
  footer: string,
): ((batch: EventBatch) => Body) => {
  const first = Buffer.from(header, 'utf8');
  const last = Buffer.from(footer, 'utf8');
  const separator_bytes = Buffer.byteLength(separator, 'utf8');
  return (batch) => {
    const terminated = batch.bytes(separator);
    const end = Math.max(0, terminated.byteLength - separator_bytes);
    const pieces: Uint8Array[] = [first];
    for (let at = 0; at < end; at += PIECE_BYTES) {
      pieces.push(terminated.subarray(at, Math.min(end, at + PIECE_BYTES)));
    }
    pieces.push(last);
    return {
      pieces: pieces.filter(({ byteLength }) => byteLength > 0),
      bytes: first.byteLength + end + last.byteLength,
    };
  };
};
