import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import type { WebSocket } from 'ws';
import { ERRORS, failure } from '../../domain/errors.js';
import type { LogLines } from '../../messages/observe.js';
import type { Log } from '../../ports/log.js';
import { type Admission, ANY_USER } from '../access/auth.js';
import { type AccessGate, logRefusal, refusalReply } from '../access/gate.js';
import { type RawReply, rawReply } from '../replies.js';
import { ambiguityOf } from '../target.js';

/** Characters of one frame. */
const MAX_FRAME = 8_192;
/** Bytes of a close reason (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 123;

export interface LogSocket {
  readonly follow: (open: (onMore: () => void) => LogLines) => void;
  readonly close: (code: number, reason: string) => void;
  readonly cut: () => void;
  /** Heartbeat: cuts a client that was silent since the last call. */
  readonly look: () => void;
}

/** Splits text into frames, never inside of a surrogate pair. */
export const framesOf = (text: string): readonly string[] => {
  const frames: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + MAX_FRAME);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last < 0xdc00) to--;
    frames.push(text.slice(from, to));
    from = to;
  }
  return frames;
};

const shortened = (reason: string): string => {
  let text = reason;
  while (Buffer.byteLength(text) > MAX_REASON_BYTES) text = text.slice(0, -1);
  return text;
};

const gap = (missed: number): string =>
  missed === 0 ? '' : `[${missed} lines missed: this client was slower than the log]\n`;

/** Sends a log as it grows. A slow client costs no memory: it misses lines and receives their number. */
export const logSocket = (
  socket: WebSocket,
  options: { readonly admission: Admission; readonly onClosed: () => void },
): LogSocket => {
  let lines: LogLines | null = null;
  let isSending = false;
  let isAlive = true;
  let isOver = false;

  const pump = (): void => {
    if (isOver || isSending || lines === null) return;
    const { lines: taken, missed } = lines.take();
    const frames = framesOf(gap(missed) + taken.join(''));
    const last = frames.length - 1;
    isSending = last >= 0;
    for (const [index, text] of frames.entries()) {
      socket.send(text, index < last ? undefined : onSent);
    }
  };
  const onSent = (): void => {
    isSending = false;
    pump();
  };

  // A failing connection closes; nothing to log.
  socket.on('error', () => {});
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('close', () => {
    isOver = true;
    stopListening();
    lines?.close();
    options.onClosed();
  });

  const close = (code: number, reason: string): void => socket.close(code, shortened(reason));
  const expire = (): void => close(1008, 'the session has ended: log in again');
  const stopListening = options.admission.onOver(expire);

  return {
    follow: (open) => {
      if (isOver) return;
      // Logging continues at once; lines are sent together a moment later.
      lines = open(() => void Promise.resolve().then(pump));
      pump();
    },
    close,
    cut: () => socket.terminate(),
    look: () => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      // The call counts as a use of the session.
      if (options.admission.isStillAdmitted()) socket.ping();
    },
  };
};

/** Takes over the connection of an admitted upgrade request. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, admission: Admission) => void;

interface UpgradeParts {
  readonly gate: AccessGate;
  readonly log: Log;
  readonly version: string;
  readonly max_headers: number;
  readonly isStopping: () => boolean;
}

const STOPPING = failure('unavailable', 'The service is stopping. Try again when it runs.');

const UPGRADE_HEADERS = ['upgrade', 'http2-settings'];

/** The request without its upgrade headers. */
const plainRequest = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 && !UPGRADE_HEADERS.includes(name.toLowerCase())
      ? [`${name}: ${rawHeaders[i + 1] ?? ''}`]
      : [],
  );
  return Buffer.from([`${method} ${url} HTTP/${httpVersion}`, ...lines, '', ''].join('\r\n'), 'latin1');
};

/**
 * Returns a connection to the server as a plain request (RFC 9110, 7.8): some clients send `Upgrade: h2c` with
 * each first request, and Node stops parsing HTTP at any upgrade.
 */
export const declineUpgrade = (
  server: Server,
  request: IncomingMessage,
  head: Buffer,
  isEncrypted: boolean,
): void => {
  const { socket } = request;
  if (socket.destroyed) return;
  socket.unshift(Buffer.concat([plainRequest(request), head]));
  server.emit(isEncrypted ? 'secureConnection' : 'connection', socket);
};

/** Rejections that need no credentials. */
const formTrouble = (
  request: IncomingMessage,
  { max_headers, isStopping }: UpgradeParts,
): RawReply | null => {
  const ambiguity = ambiguityOf(request);
  if (ambiguity !== null) return { status: 400, error: ambiguity };
  if (request.rawHeaders.length > 2 * max_headers) {
    const error = failure('too_large', `The request has more than ${max_headers} headers, the limit.`);
    return { status: 431, error };
  }
  return isStopping() ? { status: ERRORS.unavailable.status, error: STOPPING } : null;
};

const identify = async (
  request: IncomingMessage,
  parts: UpgradeParts,
): Promise<E.Either<RawReply, Admission>> => {
  const trouble = formTrouble(request, parts);
  if (trouble !== null) return E.left(trouble);
  return E.mapLeft((refusal: Parameters<typeof refusalReply>[0]): RawReply => {
    logRefusal(parts.log, request, refusal);
    const { status, headers = {} } = refusalReply(refusal);
    return { status, headers, error: refusal.error };
  })(await parts.gate(request, ANY_USER));
};

/** Admits an upgrade with the checks of any request. Returns null when it was rejected, answered and closed. */
export const admitUpgrade = async (
  request: IncomingMessage,
  socket: Duplex,
  parts: UpgradeParts,
): Promise<Admission | null> => {
  // There is no error listener yet; without one, a failure would end the process.
  const ignore = (): void => {};
  socket.on('error', ignore);
  const identified = await identify(request, parts);
  if (E.isRight(identified) && !socket.destroyed) {
    socket.off('error', ignore);
    return identified.right;
  }
  if (E.isLeft(identified)) socket.end(rawReply(identified.left, parts.version));
  return null;
};
