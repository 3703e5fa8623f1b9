import type { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import { exchanged, lateError, makeAttempts } from '../shared/attempts.js';
import type { RequestError } from '../shared/requestErrors.js';
import type { Endpoint } from './endpoint.js';
import { codeOf, replyError } from './requestErrors.js';
import { type Body, bareName } from './statement.js';

interface StatementResult {
  readonly text: string;
  /** Rows written according to the server. Null when it did not report them. */
  readonly rows: number | null;
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly limit_ms: number;
  readonly limit_name: string;
  readonly body?: Body;
}

/** Sends one statement and reads the whole reply. */
export interface Client {
  readonly send: (
    statement: string,
    options: SendOptions,
  ) => Promise<E.Either<RequestError, StatementResult>>;
  /** Ends requests in flight and closes the connections. */
  readonly close: () => Promise<void>;
}

interface ClientOptions {
  readonly endpoint: Endpoint;
  readonly agent: Agent;
  /** The client certificate names the user: send no password. */
  readonly isCertificateUser: boolean;
  readonly client_name: string | null;
  readonly clock: Clock;
}

/** `send` has its own limit: the library's stops counting while a socket is active. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** The rest of a longer reply is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024;

const readReply = async (stream: Readable): Promise<string> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    if (bytes < MAX_ANSWER_BYTES) parts.push(part);
    bytes += part.byteLength;
  }
  return Buffer.concat(parts).toString('utf8');
};

const rowsOf = (written: string | undefined): number | null =>
  written !== undefined && /^\d+$/.test(written) ? Number(written) : null;

export const makeClient = (options: ClientOptions): Client => {
  const { endpoint, agent, isCertificateUser, client_name, clock } = options;
  const client = createClient({
    url: endpoint.url,
    username: endpoint.username,
    password: isCertificateUser ? '' : endpoint.password,
    database: bareName(endpoint.database),
    clickhouse_settings: endpoint.settings,
    set_basic_auth_header: !isCertificateUser,
    http_headers: isCertificateUser
      ? { 'X-ClickHouse-User': endpoint.username, 'X-ClickHouse-SSL-Certificate-Auth': 'on' }
      : {},
    http_agent: agent,
    request_timeout: NO_LIMIT_MS,
    log: { level: ClickHouseLogLevel.OFF },
    ...(client_name === null ? {} : { application: client_name }),
  });

  const exchange = async (
    statement: string,
    body: Body | undefined,
    ending: AbortSignal,
  ): Promise<E.Either<RequestError, StatementResult>> => {
    const { stream, response_headers, http_status_code, summary } = await client.exec({
      query: statement,
      abort_signal: ending,
      ignore_error_response: true,
      ...(body === undefined
        ? {}
        : {
            values: Readable.from(body.pieces, { objectMode: false }),
            http_headers: { 'Content-Length': String(body.bytes) },
          }),
    });
    // The library ignores the signal once it has the response headers.
    const cut = (): void => void stream.destroy();
    ending.addEventListener('abort', cut, { once: true });
    if (ending.aborted) cut();
    const text = await readReply(stream).finally(() => ending.removeEventListener('abort', cut));
    const status = http_status_code ?? 0;
    const code = response_headers['x-clickhouse-exception-code'];
    return status < 200 || status > 299 || codeOf(code, text) !== null
      ? E.left(replyError(status, code, text))
      : E.right({ text, rows: rowsOf(summary?.written_rows) });
  };

  const attempts = makeAttempts();
  return {
    send: (statement, { signal, limit_ms: ms, limit_name, body }) => {
      const limit = { clock, ms, error: lateError(limit_name, ms) };
      return exchanged(attempts, { signal, limit }, (ending) => exchange(statement, body, ending));
    },
    close: () => {
      attempts.close();
      return client.close();
    },
  };
};
