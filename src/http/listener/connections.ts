import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopbackAddress } from '../../domain/access/origin.js';
import { clientOf } from '../access/rateLimit.js';

/** Limits of open connections. */
export interface PoolLimits {
  readonly max_connections: number;
  /** Beyond `max_connections`, for clients of this machine: a health check must not fail because others are many. */
  readonly reserved_connections: number;
}

/** Open connections and their work in progress. */
export interface Connections {
  /** A new connection; over TLS the handshake follows. It may be closed at once, or close an idle one. */
  readonly opened: (socket: Socket) => void;
  /** After the handshake, `socket` replaces the connection. */
  readonly secured: (socket: Socket) => void;
  /** The connection under a failed handshake, for a response without TLS. */
  readonly under: (socket: Socket) => Socket | undefined;
  /** The connection is busy until `source` closes. */
  readonly working: (socket: Socket, source: { once(event: 'close', done: () => void): unknown }) => void;
  /** The connection waits for the rest of this request until it is complete. */
  readonly receiving: (socket: Socket, request: { readonly complete: boolean }) => void;
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

/** Connections by client; of those that are idle, the one that is idle for longest comes first. */
const clientsOf = () => {
  const clients = new Map<string, Set<Socket>>();
  const nameOfClient = new WeakMap<Socket, string>();
  const setOf = (socket: Socket): Set<Socket> | undefined => clients.get(nameOfClient.get(socket) ?? '');
  return {
    add: (socket: Socket): void => {
      // A socket that is closed already has no address.
      const name = clientOf(socket.remoteAddress);
      const own = clients.get(name) ?? new Set();
      clients.set(name, own.add(socket));
      nameOfClient.set(socket, name);
    },
    delete: (socket: Socket): void => {
      const own = setOf(socket);
      own?.delete(socket);
      if (own?.size === 0) clients.delete(nameOfClient.get(socket) ?? '');
    },
    touch: (socket: Socket): void => {
      const own = setOf(socket);
      if (own?.delete(socket) === true) own.add(socket);
    },
    largestFirst: (): readonly ReadonlySet<Socket>[] => [...clients.values()].sort((a, b) => b.size - a.size),
  };
};

/**
 * Tracks connections. Unlike Node's `closeIdleConnections`, also covers handshakes, upgrades and connections without a
 * request. When there are too many, the one that is idle for longest goes, of the client with most; without an idle one,
 * a client with more than half of all loses its oldest to another client. `onFull` gets the client that lost one.
 */
export const trackConnections = (
  limits: PoolLimits,
  onFull: (client: string) => void = () => undefined,
): Connections => {
  const { max_connections, reserved_connections } = limits;
  const share = Math.ceil(max_connections / 2);
  const open = new Set<Socket>();
  const clients = clientsOf();
  const receiving = new WeakMap<Socket, { readonly complete: boolean }>();
  /** Work in progress: pipelined requests count each. */
  const working = new Map<Socket, number>();
  const waiting = new WeakMap<Socket, () => void>();
  const shaking = new Map<string, Socket>();
  let isClosing = false;

  const remove = (socket: Socket): void => {
    open.delete(socket);
    clients.delete(socket);
  };
  const add = (socket: Socket): void => {
    open.add(socket);
    clients.add(socket);
    socket.once('close', () => {
      remove(socket);
      working.delete(socket);
    });
  };

  /** Bodies that arrive slowly hold their connection, so a request counts as work once it is here. */
  const isWaiting = (socket: Socket): boolean =>
    !working.has(socket) || receiving.get(socket)?.complete === false;

  /** Closes the first connection of a client that may go. Returns false when there is none. */
  const close = (own: ReadonlySet<Socket>, kept: Socket, mayGo: (socket: Socket) => boolean): boolean => {
    for (const socket of own) {
      if (socket === kept || !mayGo(socket)) continue;
      onFull(clientOf(socket.remoteAddress));
      remove(socket);
      socket.destroy();
      return true;
    }
    return false;
  };

  const makeRoom = (socket: Socket): boolean => {
    if (open.size <= max_connections) return true;
    const byNumber = clients.largestFirst();
    if (byNumber.some((own) => close(own, socket, isWaiting))) return true;
    const isLocal = isLoopbackAddress(socket.remoteAddress);
    if (isLocal && open.size <= max_connections + reserved_connections) return true;
    const [largest] = byNumber;
    if (largest === undefined || largest.size <= share || largest.has(socket)) return false;
    return close(largest, socket, () => true);
  };

  return {
    opened: (socket) => {
      const name = nameOf(socket);
      add(socket);
      if (!makeRoom(socket)) {
        onFull(clientOf(socket.remoteAddress));
        remove(socket);
        socket.destroy();
        return;
      }
      shaking.set(name, socket);
      socket.once('close', () => {
        if (shaking.get(name) === socket) shaking.delete(name);
      });
    },
    secured: (socket) => {
      const under = shaking.get(nameOf(socket));
      if (under !== undefined) remove(under);
      add(socket);
    },
    under: (socket) => shaking.get(nameOf(socket)),
    receiving: (socket, request) => void receiving.set(socket, request),
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
        clients.touch(socket);
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

interface Line {
  isBusy: boolean;
  waiting: (() => void)[];
}

export interface Turns {
  /** Handles a request after the responses before it on its connection were read. */
  readonly take: (socket: Socket, response: ServerResponse, handle: () => void) => void;
  /** Whether requests of a connection wait, so that reading pauses. */
  readonly isHeld: (socket: Socket) => boolean;
}

/**
 * Handles one request of a connection at a time and stops reading while others wait: a client that never reads
 * costs one response and one read. More than `max_waiting` requests on all connections end the connection that
 * sends the next.
 */
export const requestTurns = (max_waiting: number): Turns => {
  const lines = new WeakMap<Socket, Line>();
  let waiting = 0;

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { isBusy: false, waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => {
      waiting -= line.waiting.length;
      line.waiting = [];
    });
    // Node resumes reading when responses drain.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause();
    });
    return line;
  };

  const begin = (socket: Socket, line: Line, response: ServerResponse, handle: () => void): void => {
    line.isBusy = true;
    response.once('close', () => {
      line.isBusy = false;
      if (socket.destroyed) return;
      const next = line.waiting.shift();
      if (next === undefined) return;
      waiting--;
      if (line.waiting.length === 0) socket.resume();
      next();
    });
    handle();
  };

  return {
    take: (socket, response, handle) => {
      const line = lineOf(socket);
      if (!line.isBusy) return begin(socket, line, response, handle);
      if (waiting >= max_waiting) {
        socket.destroy();
        return;
      }
      waiting++;
      line.waiting.push(() => begin(socket, line, response, handle));
      if (line.waiting.length === 1) socket.pause();
    },
    isHeld: (socket) => (lines.get(socket)?.waiting.length ?? 0) > 0,
  };
};
