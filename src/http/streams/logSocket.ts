import type { WebSocket } from 'ws';
import type { LogLines } from '../../messages/observe.js';

/** Characters of one frame. */
const MAX_FRAME = 8_192;
/** Bytes of the reason of a close frame (RFC 6455 section 5.5). */
const MAX_REASON_BYTES = 123;

/** A client that follows a log. */
export interface LogSocket {
  readonly follow: (open: (onMore: () => void) => LogLines) => void;
  readonly close: (code: number, reason: string) => void;
  readonly cut: () => void;
  /** Called now and then: a client that gave no sign of life since the last time is cut. */
  readonly look: () => void;
}

/** The text in frames; none ends between the two halves of a character. */
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
  missed === 0 ? '' : `[${missed} lines are missing here: this client was slower than the log]\n`;

/**
 * Sends a log as it grows. The next lines are taken when the ones before have left, so a slow client holds up nobody and
 * costs no memory: it misses lines, and is told how many.
 */
export const logSocket = (
  socket: WebSocket,
  options: { readonly isStillAdmitted: () => boolean; readonly onClosed: () => void },
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

  // A failing connection closes; that is all there is to know.
  socket.on('error', () => {});
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('close', () => {
    isOver = true;
    lines?.close();
    options.onClosed();
  });

  const close = (code: number, reason: string): void => socket.close(code, shortened(reason));

  return {
    follow: (open) => {
      if (isOver) return;
      // Whoever logs goes on at once; lines are sent in a moment, together.
      lines = open(() => void Promise.resolve().then(pump));
      pump();
    },
    close,
    cut: () => socket.terminate(),
    look: () => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (options.isStillAdmitted()) socket.ping();
      else close(1008, 'the session is over: log in again');
    },
  };
};
