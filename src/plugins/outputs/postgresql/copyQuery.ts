import type { Connection, Submittable } from 'pg';
import { endsConnection } from './serverErrors.js';

/** What ends a COPY: rows that were committed, or an error of the server or the connection. */
export type CopyEnd = { readonly rows: number } | { readonly thrown: unknown };

/** The methods that `pg` calls on a query. */
interface CopyQuery extends Submittable {
  readonly handleCopyInResponse: (connection: Connection) => void;
  readonly handleCommandComplete: (message: { readonly text: string }) => void;
  readonly handleReadyForQuery: () => void;
  readonly handleError: (thrown: unknown, connection: Connection) => void;
  readonly handleRowDescription: () => void;
  readonly handleDataRow: () => void;
  readonly handleEmptyQuery: () => void;
}

/** Large enough for few messages, small enough to stop between two. */
const PIECE_BYTES = 256 * 1024;
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
/** Type and length of a message. */
const HEAD_BYTES = 5;

const headOf = (length: number): Buffer => {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head[0] = COPY_DATA;
  head.writeUInt32BE(length + HEAD_BYTES - 1, 1);
  return head;
};

/**
 * One COPY as a query of `pg`. Unlike the stream of pg-copy-streams it stops sending when the server reports an error
 * in the middle, and the connection stays usable. `onEnd` is called once, when the connection is ready again or lost.
 */
export const copyQuery = (statement: string, data: Buffer, onEnd: (end: CopyEnd) => void): CopyQuery => {
  let isOver = false;
  let rows = 0;
  const end = (how: CopyEnd): void => {
    isOver = true;
    onEnd(how);
  };

  const send = ({ stream }: Connection, from: number): void => {
    for (let at = from; !isOver && at < data.length; ) {
      const piece = data.subarray(at, at + PIECE_BYTES);
      at += piece.length;
      stream.cork();
      stream.write(headOf(piece.length));
      const hasRoom = stream.write(piece);
      stream.uncork();
      if (!hasRoom && at < data.length) {
        const next = at;
        stream.once('drain', () => send({ stream } as Connection, next));
        return;
      }
    }
    if (!isOver) stream.write(COPY_DONE);
  };

  return {
    submit: (connection) => connection.query(statement),
    handleCopyInResponse: (connection) => send(connection, 0),
    handleCommandComplete: ({ text }) => {
      rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
    },
    handleReadyForQuery: () => end({ rows }),
    handleError: (thrown, connection) => {
      if (isOver) return;
      isOver = true;
      if (endsConnection(thrown)) return onEnd({ thrown });
      // The server drops the rest of the data and is ready again.
      const finish = (): void => {
        connection.off('readyForQuery', finish);
        connection.off('end', finish);
        onEnd({ thrown });
      };
      connection.once('readyForQuery', finish);
      connection.once('end', finish);
    },
    handleRowDescription: () => {},
    handleDataRow: () => {},
    handleEmptyQuery: () => {},
  };
};
