import type { Socket } from 'node:net';
import type { Clock } from '../../../../ports/clock.js';
import { type RequestError, retryableError } from '../requestErrors.js';
import { ATTEMPT_ENDED, PEER_ENDED, peerError } from './peerErrors.js';

/** An open connection. It is over at its first error. */
export interface Connection {
  /** Returns why the connection is over, or null when it is not. */
  readonly over: () => RequestError | null;
  /** True when it is over because the destination took nothing. */
  readonly hasStalled: () => boolean;
  /** Hands all bytes to the kernel; else the reason. An abort or a stall ends the connection. */
  readonly put: (bytes: Uint8Array, signal: AbortSignal) => Promise<RequestError | null>;
  /** Ends this side and waits until the destination has read everything and ended its side. */
  readonly end: (signal: AbortSignal) => Promise<RequestError | null>;
  readonly destroy: () => void;
}

interface ConnectionOptions {
  readonly stall_ms: number;
  readonly clock: Clock;
  /** Called once when the connection is over. */
  readonly onOver: () => void;
}

/** Bytes per write: after each, the connection counts as moving. */
const PIECE_BYTES = 262_144;

export const makeConnection = (
  socket: Socket,
  { stall_ms, clock, onOver }: ConnectionOptions,
): Connection => {
  let over: RequestError | null = null;
  let isEnding = false;
  let hasEnded = false;
  let hasStalled = false;
  let wake: ((reason: RequestError | null) => void) | null = null;

  /** A plain close: the kernel still delivers what it has. */
  const finish = (reason: RequestError): void => {
    if (over === null) {
      over = reason;
      onOver();
    }
    socket.destroy();
    wake?.(over);
  };
  socket.on('error', (thrown) => finish(peerError(thrown)));
  socket.on('end', () => {
    hasEnded = true;
    if (!isEnding) finish(PEER_ENDED);
  });
  socket.on('close', () => finish(PEER_ENDED));

  /** Waits for `start` to call back, the end of the connection, a stall or the signal. */
  const wait = (
    start: (done: () => void) => void,
    limit_ms: number | null,
    signal: AbortSignal,
  ): Promise<RequestError | null> =>
    new Promise((resolve) => {
      const settle = (reason: RequestError | null): void => {
        wake = null;
        stopWaiting?.();
        signal.removeEventListener('abort', abort);
        resolve(reason);
      };
      const abort = (): void => finish(ATTEMPT_ENDED);
      const stalled = (): void => {
        hasStalled = true;
        finish(
          retryableError(
            `the destination took no byte within stall_timeout (${stall_ms / 1000} s)`,
            'Check that it reads.',
          ),
        );
      };
      wake = settle;
      const stopWaiting = limit_ms === null ? null : clock.after(limit_ms, stalled);
      signal.addEventListener('abort', abort, { once: true });
      start(() => settle(over));
    });

  const putPiece = (piece: Uint8Array, signal: AbortSignal): Promise<RequestError | null> =>
    wait(
      (done) =>
        void socket.write(piece, (thrown) => {
          if (thrown === null || thrown === undefined) done();
          else finish(peerError(thrown));
        }),
      stall_ms,
      signal,
    );

  return {
    over: () => over,
    hasStalled: () => hasStalled,
    put: async (bytes, signal) => {
      for (let from = 0; from < bytes.length && over === null; from += PIECE_BYTES) {
        if (signal.aborted) finish(ATTEMPT_ENDED);
        else await putPiece(bytes.subarray(from, from + PIECE_BYTES), signal);
      }
      return over;
    },
    end: async (signal) => {
      if (over !== null) return over;
      if (signal.aborted) finish(ATTEMPT_ENDED);
      else {
        isEnding = true;
        await wait(() => void socket.end(), null, signal);
      }
      return hasEnded ? null : over;
    },
    destroy: () => finish(PEER_ENDED),
  };
};
