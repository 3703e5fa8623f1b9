import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../../domain/errors.js';
import type { Clock } from '../../../../ports/clock.js';
import type { Log } from '../../../../ports/log.js';
import { makeErrorReporter } from '../requestErrors.js';
import type { Connect } from './connect.js';
import { type Connection, makeConnection } from './connection.js';
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
