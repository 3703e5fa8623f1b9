import type { EventBatch } from '../../../domain/events/eventBatch.js';

const isQuoted = (name: string): boolean => /^(`.*`|".*")$/s.test(name) && name.length > 2;

export const clickhouseIdentifier = (name: string): string =>
  isQuoted(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;

/** Removes quotes, for the address of a request. */
export const bareName = (name: string): string =>
  isQuoted(name) ? name.slice(1, -1).replace(/\\(.)/gs, '$1') : name;

export const insertStatement = (database: string, table: string, format: string): string =>
  `INSERT INTO ${clickhouseIdentifier(database)}.${clickhouseIdentifier(table)} FORMAT ${format}`;

export const existsStatement = (database: string, table: string): string =>
  `EXISTS TABLE ${clickhouseIdentifier(database)}.${clickhouseIdentifier(table)}`;

/** Cheap per write, and small enough to stop between two. */
const PIECE_BYTES = 256 * 1024;

export interface StatementBody {
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
}

/** Makes insert bodies: header, events joined by the separator, footer. Does not copy events. */
export const bodyMaker = (
  header: string,
  separator: string,
  footer: string,
): ((batch: EventBatch) => StatementBody) => {
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
