import type { Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../../domain/errors.js';
import type { Clock } from '../../../../ports/clock.js';
import type { Log } from '../../../../ports/log.js';
import { makeErrorReporter, type RequestError, retryableError } from '../errors.js';
import { ATTEMPT_ENDED, type Connect, PEER_ENDED, peerError } from './connect.js';
import { makeResendWindow } from './resendWindow.js';

/** Sends batches over one connection, and over the next one when it breaks. Calls must not overlap. */
export interface StreamSender {
  /** Connects now, to report a destination that cannot be reached. */
  readonly open: (signal: AbortSignal) => Promise<Result<void>>;
  /** Returns the number of bytes, with those that were sent again, once the kernel has them all. */
  readonly send: (bytes: Uint8Array, signal: AbortSignal) => Promise<Result<number>>;
  /** Ends the connection once the destination has read everything, within a bound. */
  readonly close: () => Promise<void>;
}

export interface StreamSenderOptions {
  /** For messages. */
  readonly name: string;
  readonly connect: Connect;
  /** Bytes at the start of each connection, such as a byte order mark. */
  readonly preamble: Uint8Array;
  readonly stall_ms: number;
  readonly resend_ms: number;
  readonly resend_bytes: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Connections that one write or the end may use: the known one and one more. */
const MAX_CONNECTIONS = 2;
/** At the end: time for the destination to read everything, and to come back if it is gone. */
const CLOSE_GRACE_MS = 2_000;
const RETURN_MS = 5_000;
const RETURN_POLL_MS = 100;

export const makeStreamSender = (options: StreamSenderOptions): StreamSender => {
  const { name, connect, preamble, stall_ms, clock, log } = options;
  const report = makeErrorReporter(name, []);
  const window = makeResendWindow(options.resend_ms, options.resend_bytes);
  let connection: Connection | null = null;
  /** Time that writes waited: the age of what was sent does not count it. */
  let waited_ms = 0;
  let waitsSince: number | null = null;

  const age = (): number => (waitsSince ?? clock.monotonicMs()) - waited_ms;

  const put = async (to: Connection, bytes: Uint8Array, signal: AbortSignal) => {
    waitsSince = clock.monotonicMs();
    const failed = await to.put(bytes, signal);
    waited_ms += clock.monotonicMs() - waitsSince;
    waitsSince = null;
    return failed;
  };

  /** Connects and sends again what the last connection may have lost; the number of bytes. */
  const reconnect = async (signal: AbortSignal): Promise<Result<number>> => {
    const socket = await connect(signal);
    if (E.isLeft(socket)) return E.left(report('cannot connect to', socket.left));
    const made = makeConnection(socket.right, {
      stall_ms,
      clock,
      onOver: () => window.forgetBefore(age()),
    });
    connection = made;
    const again = window.batches();
    let bytes = 0;
    for (const part of [preamble, ...again]) {
      const failed = await put(made, part, signal);
      if (failed !== null) return E.left(report('cannot write to', failed));
      bytes += part.length;
    }
    window.renew(age());
    if (again.length > 0)
      log.write('warning', `connected again to ${name}: events can be doubled`, { bytes });
    return E.right(bytes);
  };

  const isOpen = (): boolean => connection !== null && connection.over() === null;

  const sendOnce = async (bytes: Uint8Array, signal: AbortSignal): Promise<Result<number>> => {
    let more = 0;
    if (!isOpen()) {
      const connected = await reconnect(signal);
      if (E.isLeft(connected)) return connected;
      more = connected.right;
    }
    const failed = await put(connection as Connection, bytes, signal);
    if (failed !== null) return E.left(report('cannot write to', failed));
    window.remember(bytes, age());
    return E.right(bytes.length + more);
  };

  /** Waits until a destination that is gone is back; false: it is not. */
  const reopen = async (signal: AbortSignal): Promise<boolean> => {
    while (!signal.aborted) {
      if (E.isRight(await reconnect(signal))) return true;
      await clock.sleepMs(RETURN_POLL_MS, signal);
    }
    return false;
  };

  const endOnce = async (signal: AbortSignal): Promise<'read' | 'broken' | 'hung'> => {
    const hung = new AbortController();
    const stopWaiting = clock.after(CLOSE_GRACE_MS, () => hung.abort());
    const failed = await (connection as Connection).end(AbortSignal.any([signal, hung.signal]));
    stopWaiting();
    if (failed === null) return 'read';
    return hung.signal.aborted ? 'hung' : 'broken';
  };

  const endAll = async (signal: AbortSignal): Promise<void> => {
    for (let used = 0; used < MAX_CONNECTIONS; used++) {
      if (!isOpen() && window.batches().length === 0) return;
      if (!isOpen() && !(await reopen(signal))) break;
      const ended = await endOnce(signal);
      if (ended === 'read') return;
      if (ended === 'hung') break;
    }
    const bytes = window.batches().reduce((sum, { length }) => sum + length, 0);
    if (bytes === 0) return;
    log.write('error', `closed ${name} before it had read everything: the last events may be lost`, {
      bytes,
    });
  };

  return {
    open: async (signal) => E.map(() => undefined)(await reconnect(signal)),
    send: async (bytes, signal) => {
      // One turn of the event loop: it sees an end of the connection that has arrived.
      await clock.yieldTurn();
      const wasOpen = isOpen();
      const sent = await sendOnce(bytes, signal);
      // A connection that was open may have broken long ago; a stall or an abort stays a failure.
      const isBroken = E.isLeft(sent) && wasOpen && !signal.aborted && connection?.hasStalled() === false;
      return isBroken ? sendOnce(bytes, signal) : sent;
    },
    close: async () => {
      const ending = new AbortController();
      const stopWaiting = clock.after(RETURN_MS, () => ending.abort());
      await endAll(ending.signal);
      stopWaiting();
      connection?.destroy();
      window.clear();
    },
  };
};

/** An open connection. It is over at its first error. */
interface Connection {
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

const makeConnection = (socket: Socket, { stall_ms, clock, onOver }: ConnectionOptions): Connection => {
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
