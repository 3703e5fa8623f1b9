import { Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import * as E from 'fp-ts/lib/Either.js';
import type { Connection, Submittable } from 'pg';
import pg from 'pg';
import type { Clock } from '../../../ports/clock.js';
import { STOPPED } from '../shared/attempts.js';
import { retryableError, whileConnecting } from '../shared/errors.js';
import type { TlsOptions } from '../shared/tls.js';
import type { PostgresEndpoint } from './endpoint.js';
import { type CopyError, copyError, endsConnection } from './serverErrors.js';

/** One connection to the server. Copies must not overlap. */
export interface PostgresSession {
  /** Returns the number of rows that the server committed. A signal that aborts ends the connection. */
  readonly copy: (
    statement: string,
    data: Buffer,
    signal: AbortSignal,
  ) => Promise<E.Either<CopyError, number>>;
  readonly isUsable: () => boolean;
  /** Says goodbye if the connection is idle, and closes it. */
  readonly close: () => Promise<void>;
}

interface SessionOptions {
  readonly endpoint: PostgresEndpoint;
  readonly tls: TlsOptions;
  readonly connect_timeout_ms: number;
  readonly clock: Clock;
}

const CLOSE_LIMIT_MS = 1_000;
export const COPY_STOPPED: CopyError = { ...STOPPED, isRowFault: false, row: null };

/** `pg` checks the certificate against `host` only. */
const sslOf = ({ servername, ...tls }: TlsOptions) => ({
  ...tls,
  ...(servername === undefined
    ? {}
    : {
        servername,
        checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
          checkServerIdentity(servername, certificate),
      }),
});

const clientOf = ({ endpoint, tls }: SessionOptions, socket: Socket): pg.Client => {
  const { host, port, database, username, password, application_name, isTls } = endpoint;
  return new pg.Client({
    ...{ host, port, database, user: username, application_name },
    // A function, so that an empty password is not looked up in the environment or in ~/.pgpass.
    password: () => password,
    ssl: isTls ? sslOf(tls) : false,
    stream: () => socket,
    keepAlive: true,
  });
};

/** Connects and logs in. */
export const openPostgresSession = async (
  options: SessionOptions,
  signal: AbortSignal,
): Promise<E.Either<CopyError, PostgresSession>> => {
  const { clock, connect_timeout_ms } = options;
  if (signal.aborted) return E.left(COPY_STOPPED);
  const socket = new Socket();
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  const client = clientOf(options, socket);
  let isLost = false;
  const lose = (): void => {
    isLost = true;
  };
  client.on('error', lose);
  client.on('end', lose);
  const late = retryableError(
    `no connection within connect_timeout (${connect_timeout_ms / 1000} s)`,
    'Check `host`, `port` and the load of the server, or raise connect_timeout.',
  );
  const ending = new AbortController();
  const give = (error: CopyError) => (): void => {
    ending.abort(error);
    socket.destroy();
  };
  const stopWaiting = clock.after(connect_timeout_ms, give({ ...late, isRowFault: false, row: null }));
  const stop = give(COPY_STOPPED);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
  } catch (thrown) {
    socket.destroy();
    const error = ending.signal.aborted ? (ending.signal.reason as CopyError) : copyError(thrown);
    return E.left(whileConnecting(error));
  } finally {
    stopWaiting();
    signal.removeEventListener('abort', stop);
  }

  const close = async (): Promise<void> => {
    const giveUp = clock.after(CLOSE_LIMIT_MS, () => socket.destroy());
    if (isLost) socket.destroy();
    else void client.end();
    isLost = true;
    await closed;
    giveUp();
  };

  return E.right({
    isUsable: () => !isLost,
    close,
    copy: (statement, data, until) =>
      new Promise((resolve) => {
        const abort = (): void => {
          isLost = true;
          socket.destroy();
          resolve(E.left(COPY_STOPPED));
        };
        if (until.aborted) return resolve(E.left(COPY_STOPPED));
        until.addEventListener('abort', abort, { once: true });
        client.query(
          copyQuery(statement, data, (end) => {
            until.removeEventListener('abort', abort);
            if ('rows' in end) return resolve(E.right(end.rows));
            if (endsConnection(end.thrown)) isLost = true;
            resolve(E.left(copyError(end.thrown)));
          }),
        );
      }),
  });
};

/** What ends a COPY: rows that were committed, or an error of the server or the connection. */
type CopyEnd = { readonly rows: number } | { readonly thrown: unknown };

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
const copyQuery = (statement: string, data: Buffer, onEnd: (end: CopyEnd) => void): CopyQuery => {
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
