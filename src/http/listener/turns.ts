import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
