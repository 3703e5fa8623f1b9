import { once } from 'node:events';
import * as net from 'node:net';
import * as tls from 'node:tls';

/** A listener that keeps what it receives, in the order of its connections. */
export interface TcpSink {
  readonly port: number;
  readonly connections: () => number;
  readonly received: () => Buffer;
  /** Of each connection. */
  readonly parts: () => readonly Buffer[];
  /** Resets open connections. */
  readonly reset: () => void;
  /** Ends open connections normally. */
  readonly end: () => void;
  /** Stops reading. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Listens no more and closes open connections. */
  readonly close: () => Promise<void>;
}

export const startTcpSink = async (options: tls.TlsOptions | null = null, port = 0): Promise<TcpSink> => {
  const sockets = new Set<net.Socket>();
  const parts: Buffer[][] = [];
  let isPaused = false;
  const take = (socket: net.Socket): void => {
    const own: Buffer[] = [];
    parts.push(own);
    sockets.add(socket);
    socket.on('data', (part: Buffer) => own.push(part));
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (isPaused) socket.pause();
  };
  const server = options === null ? net.createServer(take) : tls.createServer(options, take);
  server.on('tlsClientError', () => {});
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const each = (act: (socket: net.Socket) => unknown) => (): void => {
    for (const socket of [...sockets]) act(socket);
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    connections: () => parts.length,
    received: () => Buffer.concat(parts.flat()),
    parts: () => parts.map((own) => Buffer.concat(own)),
    reset: each((socket) => socket.resetAndDestroy()),
    end: each((socket) => socket.end()),
    pause: () => {
      isPaused = true;
      each((socket) => socket.pause())();
    },
    resume: () => {
      isPaused = false;
      each((socket) => socket.resume())();
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      each((socket) => socket.destroy())();
      await closed;
    },
  };
};
