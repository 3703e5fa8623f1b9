import type { Socket } from 'node:net';

/** Open connections, and which of them have something at work. */
export interface Connections {
  /** A connection was taken; over TLS the handshake comes first. */
  readonly opened: (socket: Socket) => void;
  /** The handshake is over: from here on `socket` stands for the connection. */
  readonly secured: (socket: Socket) => void;
  /** The connection under a failed handshake, for an answer without TLS. */
  readonly under: (socket: Socket) => Socket | undefined;
  /** Something is at work on a connection until `source` closes. */
  readonly working: (socket: Socket, source: { once(event: 'close', done: () => void): unknown }) => void;
  /** Calls back once nothing is at work on a connection any more, at once if nothing is. */
  readonly whenIdle: (socket: Socket, done: () => void) => void;
  /** Cuts those that have waited longest for their answers to be taken, until at most so many bytes wait. */
  readonly shed: (max_unsent_bytes: number) => void;
  /** Closes connections at rest, and each other one after its answer. */
  readonly close: () => void;
  /** Cuts whatever is open. */
  readonly cut: () => void;
}

/** Both ends of a connection, which TLS and what is under it have in common. */
const nameOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;

/**
 * Keeps the connections of a server. Node's own `closeIdleConnections` leaves those open on which no request
 * ever came, and knows nothing of handshakes and of connections that were upgraded.
 */
export const trackConnections = (): Connections => {
  const open = new Set<Socket>();
  /** How much is at work: requests may come one behind the other without waiting for answers. */
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
      // Those that began first come first.
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
