import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import type { OpenApi } from '../../contract/openapi.js';
import { isForWebSocket, isLoopbackAddress } from '../../domain/access/origin.js';
import type { NoteChange } from '../../domain/audit.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { Ask } from '../../messages/ask.js';
import type { Clock } from '../../ports/clock.js';
import type { Uploads } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';
import type { Auth } from '../access/auth.js';
import { type AccessGate, makeAccessGate } from '../access/gate.js';
import type { Sessions } from '../access/sessions.js';
import { makeApp } from '../app.js';
import type { AnyRoute } from '../handler.js';
import type { LoadMcp } from '../mcpPost.js';
import { type RawReply, rawReply } from '../replies.js';
import { admitUpgrade, declineUpgrade, type Upgrade } from '../streams/sockets.js';
import type { UiConfig } from '../ui.js';
import {
  type Connections,
  type PoolLimits,
  requestTurns,
  type Turns,
  trackConnections,
} from './connections.js';
import { listen } from './listen.js';
import type { Tls } from './tls.js';

/** Limits of connections; the contract has those of bodies. */
interface ServerLimits extends PoolLimits {
  readonly max_headers: number;
  readonly max_header_bytes: number;
  /** Pipelined requests that wait, on all connections. */
  readonly max_waiting_requests: number;
  /** Response bytes that clients have not read, on all connections. */
  readonly max_unsent_bytes: number;
  /** Time for the TLS handshake, the headers and the whole request. */
  readonly handshake_timeout_ms: number;
  readonly headers_timeout_ms: number;
  readonly request_timeout_ms: number;
  /** Interval of checking both. */
  readonly check_interval_ms: number;
  /** Time that a connection may stay open without a request. */
  readonly keep_alive_timeout_ms: number;
  /** Time without traffic in either direction. */
  readonly idle_timeout_ms: number;
}

const DEFAULT_LIMITS: ServerLimits = {
  max_connections: 1_000,
  reserved_connections: 8,
  max_headers: 100,
  max_header_bytes: 16_384,
  max_waiting_requests: 10_000,
  max_unsent_bytes: 268_435_456,
  handshake_timeout_ms: 10_000,
  headers_timeout_ms: 10_000,
  request_timeout_ms: 60_000,
  check_interval_ms: 1_000,
  keep_alive_timeout_ms: 5_000,
  idle_timeout_ms: 180_000,
};

export interface ServerConfig {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly auth: Auth;
  /** Settings of HTTPS. Null for plain HTTP. */
  readonly tls: Tls | null;
  /** Random text of at least 128 bits, in characters that a cookie may contain. */
  readonly drawToken: () => string;
  /** Sessions of these credentials that outlive the server; without them, sessions end with it. */
  readonly sessions?: Sessions;
  readonly routes: readonly AnyRoute[];
  readonly openapi: () => OpenApi;
  readonly ask: Ask;
  readonly uploads: Uploads;
  readonly log: Log;
  readonly clock: Clock;
  readonly version: string;
  /** Age of what answers show of other nodes, in seconds. Null when it is current. Undefined without other nodes. */
  readonly stateAge?: () => number | null;
  /** The web UI. Null or undefined when there is none. */
  readonly ui?: UiConfig | null;
  /** Loads the endpoint for language models. Null or undefined when there is none. */
  readonly mcp?: LoadMcp | null;
  /** Without it, there is no audit trail. */
  readonly noteChange?: NoteChange;
  /** Takes admitted WebSocket requests; without it, nothing is upgraded. */
  readonly upgrade?: Upgrade;
  readonly limits?: Partial<ServerLimits>;
}

export interface HttpServer {
  /**
   * Listens; `reserved` holds the address. Returns an error when it gets no address or the configuration is wrong. Then
   * it can be called again.
   */
  readonly start: (reserved?: NetServer) => Promise<Result<{ readonly host: string; readonly port: number }>>;
  /** Closes idle connections, finishes requests, cuts the rest at the deadline. Can be called twice. */
  readonly stop: (deadline_ms: number) => Promise<void>;
  /** Releases the address at once; open connections continue. `start` takes it again. */
  readonly release: () => void;
}

const BAD_REQUEST: RawReply = {
  status: 400,
  error: failure('invalid', 'The request is not valid HTTP/1.1.'),
};

const NOT_ENCRYPTED: RawReply = {
  status: 400,
  error: failure('invalid', 'This port speaks HTTPS only. Use https:// instead of http://.'),
};

const PARSE_FAILURES: Readonly<Record<string, RawReply>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: failure('too_large', 'The headers of the request are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: failure('timed_out', 'The request did not arrive in time.'),
  },
};

/** Answers malformed requests in the form of all errors and closes the connection. */
const refuseConnection = (thrown: NodeJS.ErrnoException, socket: Socket, version: string): void => {
  if (thrown.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawReply(PARSE_FAILURES[thrown.code ?? ''] ?? BAD_REQUEST, version));
};

/** Ends a connection after a failed handshake; plain HTTP requests get a hint without TLS. */
const refuseHandshake = (
  thrown: NodeJS.ErrnoException,
  socket: Socket,
  under: Socket | undefined,
  version: string,
): void => {
  if (thrown.code !== 'ERR_SSL_HTTP_REQUEST' || under?.writable !== true) {
    socket.destroy();
    return;
  }
  under.end(rawReply(NOT_ENCRYPTED, version), () => socket.destroy());
};

const makeNodeServer = (limits: ServerLimits, tls: Tls | null): Server => {
  const options = {
    maxHeaderSize: limits.max_header_bytes,
    headersTimeout: limits.headers_timeout_ms,
    requestTimeout: limits.request_timeout_ms,
    connectionsCheckingInterval: limits.check_interval_ms,
    keepAliveTimeout: limits.keep_alive_timeout_ms,
    // HTTP/1.0 has no Host; the gate asks for it where it is needed.
    requireHostHeader: false,
  };
  const server: Server =
    tls === null
      ? createServer(options)
      : createTlsServer({ ...options, ...tls.options, handshakeTimeout: limits.handshake_timeout_ms });
  // Node silently drops headers above its limit, such as those of a proxy; the app rejects them.
  server.maxHeadersCount = 0;
  server.timeout = limits.idle_timeout_ms;
  return server;
};

interface Wired {
  readonly config: ServerConfig;
  readonly limits: ServerLimits;
  readonly connections: Connections;
  readonly turns: Turns;
  readonly gate: AccessGate;
  readonly isStopping: () => boolean;
}

/** Tracks connections from their first byte and answers those without a request. */
const wireConnections = (server: Server, { config, connections, turns }: Wired): void => {
  const { tls, version, log } = config;
  const secured = new WeakSet<Socket>();
  server.on('connection', connections.opened);
  server.on('secureConnection', (socket: Socket) => {
    secured.add(socket);
    connections.secured(socket);
  });
  server.on('clientError', (thrown: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    // The socket is unread on purpose.
    if (thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT' && turns.isHeld(socket)) return;
    if (tls === null || secured.has(socket)) return refuseConnection(thrown, socket, version);
    const context = { client: socket.remoteAddress ?? '', reason: thrown.code ?? reasonOf(thrown) };
    log.write('debug', 'a TLS handshake failed', context);
    return refuseHandshake(thrown, socket, connections.under(socket), version);
  });
};

const wireUpgrades = (server: Server, { config, limits, connections, gate, isStopping }: Wired): void => {
  const { upgrade, log, version } = config;
  if (upgrade === undefined) return;
  const parts = { gate, log, version, max_headers: limits.max_headers, isStopping };
  server.on('upgrade', (request, socket, head) => {
    if (!isForWebSocket(request)) {
      const decline = (): void => declineUpgrade(server, request, head, config.tls !== null);
      return connections.whenIdle(request.socket, decline);
    }
    connections.working(request.socket, socket);
    return void admitUpgrade(request, socket, parts).then(
      (admission) => {
        if (admission !== null) upgrade(request, socket, head, admission);
      },
      (thrown: unknown) => {
        log.write('critical', `A request for an upgrade failed: ${reasonOf(thrown)}`, { code: 'bug' });
        socket.destroy();
      },
    );
  });
};

/** Warns about settings that are unsafe but may be intended. */
const warn = ({ auth, tls, host, log }: ServerConfig): void => {
  for (const warning of tls?.warnings ?? []) log.write('warning', warning);
  if (auth.kind === 'none' || tls !== null || host === 'localhost' || isLoopbackAddress(host)) return;
  log.write('warning', 'passwords and sessions can be read on the network: the service speaks plain HTTP', {
    hint: 'set server.ssl, or let only a proxy with HTTPS reach server.host',
  });
};

const TELL_FULL_EVERY_MS = 60_000;

/** Says that connections are closed because there are too many, once a minute. */
const tellFull = ({ log, clock }: ServerConfig): ((client: string) => void) => {
  let told_ms = Number.NEGATIVE_INFINITY;
  return (client) => {
    const now_ms = clock.monotonicMs();
    if (now_ms - told_ms < TELL_FULL_EVERY_MS) return;
    told_ms = now_ms;
    log.write('warning', 'all connections are in use: idle ones are closed for new ones', {
      client,
      hint: 'look for a client that keeps many open, or raise server.max_connections',
    });
  };
};

export const makeServer = (config: ServerConfig): HttpServer => {
  const limits = { ...DEFAULT_LIMITS, ...config.limits };
  const server = makeNodeServer(limits, config.tls);
  const connections = trackConnections(limits, tellFull(config));
  const turns = requestTurns(limits.max_waiting_requests);
  let hasStopped = false;
  const isStopping = (): boolean => hasStopped;
  let stopped: Promise<void> | null = null;

  let isWired = false;
  const wire = (): Result<void> => {
    if (isWired) return E.right(undefined);
    const made = makeAccessGate(config);
    if (E.isLeft(made)) return made;
    isWired = true;
    const { gate } = made.right;
    const app = makeApp({
      ui: null,
      mcp: null,
      ...config,
      ...made.right,
      max_headers: limits.max_headers,
      isStopping,
    });
    const wired: Wired = { config, limits, connections, turns, gate, isStopping };
    wireConnections(server, wired);
    server.on('request', (request, response) => {
      connections.working(request.socket, response);
      connections.receiving(request.socket, request);
      connections.shed(limits.max_unsent_bytes);
      turns.take(request.socket, response, () => {
        if (isStopping()) response.setHeader('Connection', 'close');
        app(request, response);
      });
    });
    wireUpgrades(server, wired);
    return E.right(undefined);
  };
  const onError = (thrown: Error): void =>
    config.log.write('error', `The HTTP server failed: ${reasonOf(thrown)}.`);

  const start: HttpServer['start'] = async (reserved) => {
    const ready = wire();
    if (E.isLeft(ready)) return ready;
    const address = await listen(server, config, reserved);
    if (E.isLeft(address)) return address;
    server.off('error', onError).on('error', onError);
    warn(config);
    return E.right({ host: address.right.address, port: address.right.port });
  };

  const stop = async (deadline_ms: number): Promise<void> => {
    hasStopped = true;
    const done = new AbortController();
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        done.abort();
        resolve();
      });
    });
    connections.close();
    await config.clock.sleepMs(deadline_ms, done.signal);
    connections.cut();
    await closed;
  };

  return {
    start,
    // HTTP's own close would close idle connections and stop the timeouts.
    release: () => void NetServer.prototype.close.call(server),
    stop: (deadline_ms) => {
      stopped ??= stop(deadline_ms);
      return stopped;
    },
  };
};
