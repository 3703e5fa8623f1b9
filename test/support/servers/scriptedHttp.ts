import * as http from 'node:http';
import * as https from 'node:https';
import type * as net from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: string;
  /** Bytes of the body on the wire. */
  readonly bytes: number;
  /** Number of the connection, from 1. */
  readonly connection: number;
}

export type Respond = (request: SeenRequest, response: http.ServerResponse) => void;

/** An HTTP server in the process of the test, on a free port. */
export interface ScriptedHttp {
  readonly port: number;
  /** `http://127.0.0.1:port`, or https. */
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  readonly connections: () => number;
  readonly openConnections: () => number;
  readonly mostAtOnce: () => number;
  readonly respond: (next: Respond) => void;
  readonly close: () => Promise<void>;
}

export const scriptedHttp = async (
  first: Respond = (_, response) => void response.end(),
  tls: https.ServerOptions | null = null,
): Promise<ScriptedHttp> => {
  const seen: SeenRequest[] = [];
  const sockets = new Set<net.Socket>();
  const numbers = new Map<net.Socket, number>();
  let respond = first;
  let atOnce = 0;
  let mostAtOnce = 0;
  const onRequest: http.RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.on('close', () => atOnce--);
    request.on('error', () => {});
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers, socket } = request;
      const raw = Buffer.concat(parts);
      const body = (headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString('utf8');
      const connection = numbers.get(socket) ?? numbers.size + 1;
      numbers.set(socket, connection);
      const one = { method, url, headers, body, bytes: raw.length, connection };
      seen.push(one);
      respond(one, response);
    });
  };
  const server = tls === null ? http.createServer(onRequest) : https.createServer(tls, onRequest);
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port));
  });
  return {
    port,
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    connections: () => numbers.size,
    openConnections: () => sockets.size,
    mostAtOnce: () => mostAtOnce,
    respond: (next) => {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
