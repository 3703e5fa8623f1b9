import type { Socket } from 'node:net';

/** Open connections and their work in progress. */
export interface Connections {
  /** A new connection; over TLS the handshake follows. */
  readonly opened: (socket: Socket) => void;
  /** After the handshake, `socket` replaces the connection. */
  readonly secured: (socket: Socket) => void;
  /** The connection under a failed handshake, for a response without TLS. */
  readonly under: (socket: Socket) => Socket | undefined;
  /** The connection is busy until `source` closes. */
  readonly working: (socket: Socket, source: { once(event: 'close', done: () => void): unknown }) => void;
  /** Calls back once the connection is idle. */
  readonly whenIdle: (socket: Socket, done: () => void) => void;
  /** Cuts connections with the oldest unread responses until at most this many bytes wait. */
  readonly shed: (max_unsent_bytes: number) => void;
  /** Closes idle connections now and others after their response. */
  readonly close: () => void;
  /** Closes all connections. */
  readonly cut: () => void;
}

/** Both ends of a connection: the same for TLS and the socket below it. */
const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/** Unlike Node's `closeIdleConnections`, also covers handshakes, upgrades and connections without a request. */
export const trackConnections = (): Connections => {
  const open = new Set<Socket>();
  /** Work in progress: pipelined requests count each. */
  const working = new Map<Socket, number>();
  const waiting = new WeakMap<Socket, () => void>();
  const shaking = new Map<string, Socket>();
  let isClosing = false;

  const add = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      working.delete(socket);
    });
  };

  return {
    opened: (socket) => {
      const name = nameOf(socket);
      add(socket);
      shaking.set(name, socket);
      socket.once('close', () => {
        if (shaking.get(name) === socket) shaking.delete(name);
      });
    },
    secured: (socket) => {
      const under = shaking.get(nameOf(socket));
      if (under !== undefined) open.delete(under);
      add(socket);
    },
    under: (socket) => shaking.get(nameOf(socket)),
    working: (socket, source) => {
      working.set(socket, (working.get(socket) ?? 0) + 1);
      source.once('close', () => {
        if (!working.has(socket)) return;
        const left = (working.get(socket) ?? 1) - 1;
        if (left > 0) {
          working.set(socket, left);
          return;
        }
        working.delete(socket);
        waiting.get(socket)?.();
        waiting.delete(socket);
        if (isClosing) socket.end();
      });
    },
    whenIdle: (socket, done) => {
      if (working.has(socket)) waiting.set(socket, done);
      else done();
    },
    shed: (max_unsent_bytes) => {
      let unsent = 0;
      for (const socket of working.keys()) unsent += socket.writableLength;
      // Oldest first.
      for (const socket of working.keys()) {
        if (unsent <= max_unsent_bytes) return;
        if (socket.writableLength === 0) continue;
        unsent -= socket.writableLength;
        socket.destroy();
      }
    },
    close: () => {
      isClosing = true;
      for (const socket of open) if (!working.has(socket)) socket.destroy();
    },
    cut: () => {
      for (const socket of open) socket.destroy();
    },
  };
};
