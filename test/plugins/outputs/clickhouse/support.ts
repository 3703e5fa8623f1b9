import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { Result } from '../../../../src/domain/errors.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Output } from '../../../../src/plugins/kit.js';
import type { ClickhouseParams } from '../../../../src/plugins/outputs/clickhouse/endpoint.js';
import { clickhousePlugin } from '../../../../src/plugins/outputs/clickhouse/plugin.js';
import { clickhouseSpec } from '../../../../src/plugins/outputs/clickhouse/spec.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { decode } from '../../../../src/schema/index.js';
import type { LoggedLine } from '../../../support/logs.js';
import { execFileSync } from '../../../support/programs.js';
import { outputContext } from '../support.js';

export const paramsOf = (params: JsonObject): ClickhouseParams => {
  const decoded = decode(paramsShape(clickhouseSpec), params);
  if (E.isLeft(decoded)) throw new Error(`does not decode: ${JSON.stringify(decoded.left)}`);
  return decoded.right;
};

/** What a test opened; `closeAll` is for `afterEach`. */
const closers: (() => Promise<unknown>)[] = [];

export const onClose = (close: () => Promise<unknown>): void => void closers.push(close);

export const closeAll = async (): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

export const tryOpen = async (
  params: JsonObject,
  { directory = '/', clock = systemClock }: { readonly directory?: string; readonly clock?: Clock } = {},
): Promise<{ readonly result: Result<Output>; readonly lines: readonly LoggedLine[] }> => {
  const { context, lines } = outputContext(directory, clock);
  const result = await clickhousePlugin.open(paramsOf(params), context);
  if (E.isRight(result)) onClose(result.right.close);
  return { result, lines };
};

export const openOutput = async (
  params: JsonObject,
  options: Parameters<typeof tryOpen>[1] = {},
): Promise<Output> => {
  const { result } = await tryOpen(params, options);
  if (E.isLeft(result)) throw new Error(`did not open: ${result.left.message}`);
  return result.right;
};

/** A request as a server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Statement, from the address or the body. */
  readonly statement: string;
  /** Number of the connection, from 1. */
  readonly connection: number;
}

export interface FakeServer {
  readonly port: number;
  readonly seen: readonly Seen[];
  readonly inserts: () => readonly Seen[];
  readonly connections: () => number;
  readonly openConnections: () => number;
}

export type Answering = (seen: Seen, response: http.ServerResponse) => void;

/** Answers as ClickHouse does when all is well. */
export const fine: Answering = ({ statement }, response) => {
  response.end(statement.startsWith('EXISTS') ? '1\n' : '');
};

/** Lets the check pass, then answers as told. */
export const afterCheck =
  (answering: Answering): Answering =>
  (seen, response) =>
    (seen.statement.startsWith('EXISTS') ? fine : answering)(seen, response);

const numbersOf = (sockets: Map<net.Socket, number>, socket: net.Socket): number => {
  const known = sockets.get(socket) ?? sockets.size + 1;
  sockets.set(socket, known);
  return known;
};

const listening = (server: net.Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port));
  });

const closing = (server: net.Server, sockets: Iterable<net.Socket>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });

/** An HTTP server of the test's own; with `tls` an HTTPS one. */
export const fakeServer = async (
  answering: Answering = fine,
  tls: https.ServerOptions | null = null,
): Promise<FakeServer> => {
  const seen: Seen[] = [];
  const sockets = new Map<net.Socket, number>();
  const onRequest: http.RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(parts).toString('utf8');
      const statement = new URL(url, 'http://x').searchParams.get('query') ?? body;
      const one: Seen = {
        method,
        url,
        headers,
        body,
        statement,
        connection: numbersOf(sockets, request.socket),
      };
      seen.push(one);
      answering(one, response);
    });
    request.on('error', () => {});
  };
  const server = tls === null ? http.createServer(onRequest) : https.createServer(tls, onRequest);
  const raw = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    raw.add(socket);
    socket.on('close', () => raw.delete(socket));
  });
  const port = await listening(server);
  onClose(() => closing(server, raw));
  return {
    port,
    seen,
    inserts: () => seen.filter(({ statement }) => statement.startsWith('INSERT')),
    connections: () => sockets.size,
    openConnections: () => raw.size,
  };
};

export interface Relay {
  readonly port: number;
  /** Ends all connections with a reset, once so many bytes came from the client. */
  readonly resetAfter: (bytes: number) => void;
}

/** Ends a connection by a reset alone; `resetAndDestroy` sends an ordinary end before it. */
const reset = (socket: net.Socket & { resetAndClosing?: boolean }): void => {
  if (!socket.connecting) socket.resetAndClosing = true;
  socket.destroy();
};

/** A TCP relay to a port, which can break connections. */
export const relay = async (endpoint: number): Promise<Relay> => {
  let left = Number.POSITIVE_INFINITY;
  const sockets = new Set<net.Socket>();
  const join = (from: net.Socket, to: net.Socket): void => {
    sockets.add(from);
    // A reset stays a reset on the other side.
    from.on('error', () => reset(to));
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = net.createServer((client) => {
    const upstream = net.connect({ host: '127.0.0.1', port: endpoint });
    join(client, upstream);
    join(upstream, client);
    upstream.on('data', (part) => client.write(part));
    client.on('data', (part) => {
      upstream.write(left < part.length ? part.subarray(0, left) : part);
      left -= part.length;
      if (left > 0) return;
      left = Number.POSITIVE_INFINITY;
      reset(client);
      reset(upstream);
    });
  });
  const port = await listening(server);
  onClose(() => closing(server, sockets));
  return {
    port,
    resetAfter: (bytes) => {
      left = bytes;
    },
  };
};

/** A TCP server that takes connections and never says anything. */
export const silentServer = async (): Promise<{
  readonly port: number;
  readonly connected: Promise<void>;
}> => {
  const sockets = new Set<net.Socket>();
  let onConnected: () => void = () => {};
  const connected = new Promise<void>((resolve) => {
    onConnected = resolve;
  });
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.resume();
    onConnected();
  });
  const port = await listening(server);
  onClose(() => closing(server, sockets));
  return { port, connected };
};

const openssl = (folder: string, ...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
};

/** Makes `<name>.pem` and `<name>.key` in the folder, signed by `ca` unless it is the authority itself. */
export const makeCertificate = (folder: string, name: string, alternativeNames: string | null): void => {
  openssl(folder, 'ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', `${name}.key`);
  const subject = ['-subj', `/CN=${name}`, '-key', `${name}.key`];
  if (alternativeNames === null) {
    openssl(folder, 'req', '-x509', '-new', ...subject, '-days', '2', '-out', `${name}.pem`);
    return;
  }
  openssl(
    folder,
    'req',
    '-new',
    ...subject,
    '-addext',
    `subjectAltName=${alternativeNames}`,
    '-out',
    `${name}.csr`,
  );
  openssl(
    folder,
    ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-days', '2', '-copy_extensions', 'copy', '-out', `${name}.pem`],
  );
};
