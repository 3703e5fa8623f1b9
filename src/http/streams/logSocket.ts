import type { WebSocket } from 'ws';
import type { LogLines } from '../../messages/observe.js';
import type { Admission } from '../access/auth.js';

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
