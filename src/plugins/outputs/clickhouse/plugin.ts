import type { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { Output, OutputPlugin } from '../../kit.js';
import { exchanged, lateError, makeAttempts } from '../shared/attempts.js';
import {
  type ErrorReporter,
  makeErrorReporter,
  type RequestError,
  retryableError,
} from '../shared/errors.js';
import { makeAgent, proxyOf } from '../shared/http/agent.js';
import { readTls } from '../shared/tls.js';
import { closedFailure, NOTHING } from '../shared/written.js';
import { type ClickhouseEndpoint, type ClickhouseParams, clickhouseEndpointOf } from './endpoint.js';
import { clickhouseReplyError, exceptionCodeOf } from './requestErrors.js';
import { type clickhouseFields, clickhouseSpec } from './spec.js';
import { bareName, bodyMaker, existsStatement, insertStatement, type StatementBody } from './statement.js';

/** The server may hide the table from a user with INSERT rights only. */
const ACCESS_DENIED = 497;

/** Checks host, TLS, user, database and table with one statement. */
const check = async (
  client: Client,
  endpoint: ClickhouseEndpoint,
  report: ErrorReporter,
  { signal, limit_ms }: { readonly signal: AbortSignal; readonly limit_ms: number },
): Promise<Result<void>> => {
  const statement = existsStatement(endpoint.database, endpoint.table);
  const answer = await client.send(statement, { signal, limit_ms, limit_name: 'connect_timeout' });
  if (E.isLeft(answer)) {
    return answer.left.code === ACCESS_DENIED
      ? E.right(undefined)
      : E.left(report('cannot open', { ...answer.left, isRetryable: true }));
  }
  if (answer.right.text.trim() === '1') return E.right(undefined);
  const what =
    answer.right.text.trim() === '0'
      ? { what: 'the table does not exist', remedy: 'Create it, or correct `database` and `table`.' }
      : { what: 'the reply is not from ClickHouse', remedy: 'Check `host` and `port`.' };
  return E.left(report('cannot open', retryableError(what.what, what.remedy)));
};

export const clickhousePlugin: OutputPlugin<typeof clickhouseFields> = {
  spec: clickhouseSpec,
  open: async (params, { directory, clock, log, signal }) => {
    const endpoint = clickhouseEndpointOf(params);
    if (E.isLeft(endpoint)) return endpoint;
    const tls = await readTls('clickhouse', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const { protocol, url, name } = endpoint.right;
    const isTls = protocol === 'https';
    const hasCertificate = isTls && params.client_cert !== null;
    if (params.tls_mode === 'mutual' && !hasCertificate) {
      log.write(
        'warning',
        '`tls_mode: mutual` needs `protocol: https` and a client certificate; using the password',
      );
    }
    const connect_timeout_ms = params.connect_timeout * 1000;
    try {
      const proxy = params.proxy_url === null ? null : proxyOf(params.proxy_url);
      const report = makeErrorReporter(name, proxy === null ? [endpoint.right] : [endpoint.right, proxy]);
      const agent = makeAgent({
        isTls,
        authority: url.slice(url.indexOf('//') + 2),
        tls: tls.right,
        proxy,
        connect_timeout_ms,
        pool_maxsize: params.pool_maxsize,
        clock,
      });
      const client = makeClient({
        endpoint: endpoint.right,
        agent,
        isCertificateUser: hasCertificate && params.tls_mode === 'mutual',
        client_name: params.client_name,
        clock,
      });
      const checked = await check(client, endpoint.right, report, { signal, limit_ms: connect_timeout_ms });
      if (E.isRight(checked))
        return E.right(clickhouseOutput({ client, endpoint: endpoint.right, params, report, log }));
      await client.close();
      return checked;
    } catch (thrown) {
      return E.left(failure('plugin_failed', `output clickhouse: ${reasonOf(thrown)}`));
    }
  },
};

/** Formats that read the whole body: their row count says nothing about events. */
const WHOLE_BODY: ReadonlySet<string> = new Set(['RawBLOB', 'One', 'Form']);

/**
 * Events delivered, from the reported rows. More rows (several per event, copies in views), none (old versions) or 0
 * (asynchronous inserts) mean all events.
 */
const arrived = (count: number, rows: number | null, format: string): number =>
  rows === null || rows === 0 || WHOLE_BODY.has(format) ? count : Math.min(rows, count);

const clickhouseOutput = ({
  client,
  endpoint,
  params,
  report,
  log,
}: {
  readonly client: Client;
  readonly endpoint: ClickhouseEndpoint;
  readonly params: ClickhouseParams;
  readonly report: ErrorReporter;
  readonly log: Log;
}): Output => {
  const { header, separator, footer, input_format, request_timeout } = params;
  const statement = insertStatement(endpoint.database, endpoint.table, input_format);
  const bodyOf = bodyMaker(header, separator, footer);
  let isClosed = false;
  return {
    isBulk: true,
    isOrdered: false,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(endpoint.name));
      if (batch.count === 0) return E.right(NOTHING);
      const body = bodyOf(batch);
      const answer = await client.send(statement, {
        signal,
        limit_ms: request_timeout * 1000,
        limit_name: 'request_timeout',
        body,
      });
      if (E.isLeft(answer)) return E.left(report('cannot insert into', answer.left));
      const written = arrived(batch.count, answer.right.rows, input_format);
      const failed = batch.count - written;
      if (failed > 0) {
        log.write('warning', 'the server made fewer rows than events', { count: failed });
      }
      return E.right({ written, failed, bytes: body.bytes });
    },
    flush: async () => E.right(undefined),
    close: async () => {
      isClosed = true;
      await client.close();
      return E.right(undefined);
    },
  };
};

interface StatementResult {
  readonly text: string;
  /** Rows written according to the server. Null when it did not report them. */
  readonly rows: number | null;
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly limit_ms: number;
  readonly limit_name: string;
  readonly body?: StatementBody;
}

/** Sends one statement and reads the whole reply. */
interface Client {
  readonly send: (
    statement: string,
    options: SendOptions,
  ) => Promise<E.Either<RequestError, StatementResult>>;
  /** Ends requests in flight and closes the connections. */
  readonly close: () => Promise<void>;
}

interface ClientOptions {
  readonly endpoint: ClickhouseEndpoint;
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

const makeClient = (options: ClientOptions): Client => {
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
    body: StatementBody | undefined,
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
    return status < 200 || status > 299 || exceptionCodeOf(code, text) !== null
      ? E.left(clickhouseReplyError(status, code, text))
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
