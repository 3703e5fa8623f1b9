import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import type { OpenApi } from '../contract/openapi.js';
import { failure, reasonOf, type SpateError } from '../domain/errors.js';
import type { Ask } from '../messages/ask.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Uploads } from '../ports/uploads.js';
import { makeApp } from './app.js';
import { type Auth, makeAdmit } from './auth.js';
import { errorBody } from './errors.js';
import type { AnyRoute } from './handler.js';

/** Limits of connections; the bodies have theirs in the contract. */
export interface ServerLimits {
  readonly max_connections: number;
  readonly max_headers: number;
  readonly max_header_bytes: number;
  /** A client has this long for its headers, and this long for the whole request. */
  readonly headers_timeout_ms: number;
  readonly request_timeout_ms: number;
  /** How often the two are looked at. */
  readonly check_interval_ms: number;
  /** An open connection without a request is closed after this. */
  readonly keep_alive_timeout_ms: number;
  /** A connection on which nothing moves in either direction is closed after this. */
  readonly idle_timeout_ms: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  max_connections: 1_000,
  max_headers: 100,
  max_header_bytes: 16_384,
  headers_timeout_ms: 10_000,
  request_timeout_ms: 60_000,
  check_interval_ms: 1_000,
  keep_alive_timeout_ms: 5_000,
  idle_timeout_ms: 180_000,
};

export interface ServerConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly auth: Auth;
  readonly routes: readonly AnyRoute[];
  readonly openapi: OpenApi;
  readonly ask: Ask;
  readonly uploads: Uploads;
  readonly log: Log;
  readonly clock: Clock;
  readonly version: string;
  readonly limits?: Partial<ServerLimits>;
}

export interface HttpServer {
  /** Listens; Left when the address cannot be had or the configuration is wrong. */
  readonly start: () => Promise<E.Either<SpateError, { readonly host: string; readonly port: number }>>;
  /**
   * Takes no new connections, closes idle ones, lets requests at work finish, and cuts what is left after
   * the deadline. Resolves when every connection is closed; may be called twice.
   */
  readonly stop: (deadline_ms: number) => Promise<void>;
}

interface ParseFailure {
  readonly status: string;
  readonly error: SpateError;
}

const BAD_REQUEST: ParseFailure = {
  status: '400 Bad Request',
  error: failure('invalid', 'The request is not HTTP/1.1 as RFC 9112 has it.'),
};

const PARSE_FAILURES: Readonly<Record<string, ParseFailure>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: failure('too_large', 'The headers of the request are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: failure('timed_out', 'The request did not come in time.'),
  },
};

/** Answers what is no request, in the form of every other error, and closes the connection. */
const refuseConnection = (thrown: NodeJS.ErrnoException, socket: Socket, version: string): void => {
  if (thrown.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, error } = PARSE_FAILURES[thrown.code ?? ''] ?? BAD_REQUEST;
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Spate-Version: ${version}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};

const makeNodeServer = (limits: ServerLimits): Server => {
  const server = createServer({
    maxHeaderSize: limits.max_header_bytes,
    headersTimeout: limits.headers_timeout_ms,
    requestTimeout: limits.request_timeout_ms,
    connectionsCheckingInterval: limits.check_interval_ms,
    keepAliveTimeout: limits.keep_alive_timeout_ms,
    // HTTP/1.0 has no Host; where one is needed the gate asks for it, with an answer that says so.
    requireHostHeader: false,
  });
  // Node would drop the headers above its limit in silence, one of a proxy among them; the app refuses them.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.max_connections;
  server.timeout = limits.idle_timeout_ms;
  return server;
};

const listen = (server: Server, host: string, port: number): Promise<E.Either<SpateError, AddressInfo>> =>
  new Promise((resolve) => {
    const onError = (thrown: Error): void =>
      resolve(E.left(failure('unavailable', `Cannot listen on ${host}:${port}: ${reasonOf(thrown)}.`)));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve(E.right(server.address() as AddressInfo));
    });
  });

/**
 * Keeps which connections have a request at work. Node's own `closeIdleConnections` leaves those open on
 * which no request ever came.
 */
const trackConnections = () => {
  const open = new Set<Socket>();
  const working = new Set<Socket>();
  let isClosing = false;
  return {
    opened: (socket: Socket): void => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    working: (socket: Socket, response: ServerResponse): void => {
      working.add(socket);
      response.once('close', () => {
        working.delete(socket);
        if (isClosing) socket.end();
      });
    },
    /** Closes connections at rest, and each other one after its answer. */
    close: (): void => {
      isClosing = true;
      for (const socket of open) if (!working.has(socket)) socket.destroy();
    },
  };
};

/** Makes the server; it does nothing before `start`. */
export const makeServer = (config: ServerConfig): HttpServer => {
  const limits = { ...DEFAULT_LIMITS, ...config.limits };
  const server = makeNodeServer(limits);
  const connections = trackConnections();
  let isStopping = false;
  let stopped: Promise<void> | null = null;

  const start: HttpServer['start'] = async () => {
    const admit = makeAdmit(config.auth);
    if (E.isLeft(admit)) return admit;
    const app = makeApp({
      ...config,
      admit: admit.right,
      max_headers: limits.max_headers,
      isStopping: () => isStopping,
    });
    server.on('connection', connections.opened);
    server.on('request', (request, response) => {
      if (isStopping) response.setHeader('Connection', 'close');
      connections.working(request.socket, response);
      app(request, response);
    });
    server.on('clientError', (thrown, socket) => refuseConnection(thrown, socket as Socket, config.version));
    const address = await listen(server, config.host, config.port);
    if (E.isLeft(address)) return address;
    server.on('error', (thrown) => config.log.write('error', `The HTTP server failed: ${reasonOf(thrown)}.`));
    return E.right({ host: address.right.address, port: address.right.port });
  };

  const stop = async (deadline_ms: number): Promise<void> => {
    isStopping = true;
    const done = new AbortController();
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        done.abort();
        resolve();
      });
    });
    connections.close();
    await config.clock.sleepMs(deadline_ms, done.signal);
    server.closeAllConnections();
    await closed;
  };

  return {
    start,
    stop: (deadline_ms) => {
      stopped ??= stop(deadline_ms);
      return stopped;
    },
  };
};
