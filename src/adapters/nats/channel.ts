import type { SpateError } from '../../domain/errors.js';
import { unavailable } from './natsErrors.js';

/** Frames that may be on the way or wait for the reader, in each direction. */
const WINDOW = 8;
const SILENCE_MS = 5_000;

interface ChannelOptions {
  /** For messages. */
  readonly place: string;
  /** Subject of the first frame. It is answered with the subject of the other ones, unless it is known. */
  readonly first: string;
  readonly peer: string | null;
  /** Subject under which this side is reached. */
  readonly own: string;
  readonly publish: (subject: string, bytes: Uint8Array, reply: string | null) => void;
  readonly now: () => number;
  readonly onOver: () => void;
}

const NOTHING = new Uint8Array(0);

/** One call between two nodes: numbered frames in both directions, each with a window. */
export type Channel = ReturnType<typeof openChannel>;

/** Opens a channel. A side that knows its peer introduces itself at once. */
export const openChannel = ({ place, first, own, publish, now, ...options }: ChannelOptions) => {
  let { peer } = options;
  let sent = 0;
  let confirmed = 0;
  let received = 0;
  let consumed = 0;
  let told = 0;
  let heardAt = now();
  let isOver = false;
  let failed: SpateError | null = null;
  const queue: CallFrame[] = [];
  const overs: (() => void)[] = [options.onOver];
  let wakeSender = (): void => {};
  let wakeTaker = (): void => {};

  const tell = (): void => {
    if (peer === null) return;
    told = consumed;
    publish(peer, writtenState(sent, consumed), null);
  };
  /** Ends it and tells the other side, unless everything was sent or read. */
  const close = (reason: SpateError | null, isComplete = false): void => {
    if (isOver) return;
    isOver = true;
    failed = reason;
    if (!isComplete && peer !== null) publish(peer, writtenFrame(FRAME.cancel, 0, NOTHING), null);
    wakeSender();
    wakeTaker();
    for (const run of overs) run();
  };
  const fail = (what: string): void =>
    close(unavailable(place, what, 'Retry when the node is connected again.'));
  const onState = (frame: CallFrame): void => {
    if (frame.number > received) return fail('messages were lost on the way');
    confirmed = Math.max(confirmed, consumedOf(frame));
    wakeSender();
  };
  const onMessage = (bytes: Uint8Array, reply: string): void => {
    const frame = frameOf(bytes);
    if (frame === null || isOver) return;
    heardAt = now();
    if (peer === null && reply !== '') {
      peer = reply;
      wakeSender();
    }
    if (frame.kind === FRAME.state) return onState(frame);
    if (frame.kind === FRAME.cancel) {
      return close(unavailable(place, 'the other node ended the call', 'Retry.'), true);
    }
    if (frame.number !== received + 1 || queue.length > WINDOW) return fail('messages were lost on the way');
    received += 1;
    queue.push(frame);
    wakeTaker();
  };
  const hasRoom = (): boolean => (peer === null ? sent === 0 : sent - confirmed < WINDOW);
  if (peer !== null) publish(peer, writtenState(0, 0), own);
  return {
    /** Waits for room in the window. Returns false when the channel is over. One call at a time. */
    send: async (kind: FrameKind, payload: Uint8Array): Promise<boolean> => {
      while (!isOver && !hasRoom()) {
        await new Promise<void>((resolve) => {
          wakeSender = resolve;
        });
      }
      if (isOver) return false;
      sent += 1;
      publish(peer ?? first, writtenFrame(kind, sent, payload), peer === null ? own : null);
      return true;
    },
    /** Returns the next numbered frame, or null when the channel is over. One call at a time. */
    take: async (): Promise<CallFrame | null> => {
      while (!isOver && queue.length === 0) {
        await new Promise<void>((resolve) => {
          wakeTaker = resolve;
        });
      }
      const frame = queue.shift() ?? null;
      if (frame === null) return null;
      consumed += 1;
      if (!isOver && consumed - told >= WINDOW / 2) tell();
      return frame;
    },
    /** Returns why it is over, or null when it is not, or ended as it should. */
    failed: () => failed,
    /** Calls back once when it is over. */
    onOver: (run: () => void): void => {
      if (isOver) run();
      else overs.push(run);
    },
    close,
    onMessage,
    /** No node takes calls on the subject. */
    onRefused: (): void => {
      if (peer === null) fail('the node is not connected');
    },
    /** Tells the other side that this one lives. Ends when that one is silent; what has stalled has not listened. */
    beat: (hasStalled: boolean): void => {
      if (hasStalled) heardAt = now();
      if (now() - heardAt <= SILENCE_MS) return tell();
      close(unavailable(place, 'the other node went away', 'Retry when it is connected again.'));
    },
  };
};

/** Kinds of frames. All but the last two are numbered, from 1, and must arrive in this order without a gap. */
export const FRAME = {
  /** Part of a request or head. */
  part: 1,
  /** Last part of a request, or of a head without a stream. */
  last: 2,
  /** Last part of a head with a stream. */
  lastBeforeStream: 3,
  item: 4,
  end: 5,
  /** The sender failed; the payload says why. */
  fail: 6,
  /** How many numbered frames were sent, and how many of the other side are consumed. */
  state: 7,
  /** The reader needs no more. */
  cancel: 8,
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface CallFrame {
  readonly kind: number;
  /** Number of a numbered frame. In a state, how many numbered frames were sent. */
  readonly number: number;
  readonly payload: Uint8Array;
}

const HEADER_BYTES = 5;
const COUNT_BYTES = 4;

export const writtenFrame = (kind: FrameKind, number: number, payload: Uint8Array): Uint8Array => {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  frame.writeUInt8(kind, 0);
  frame.writeUInt32BE(number, 1);
  frame.set(payload, HEADER_BYTES);
  return frame;
};

const writtenState = (sent: number, consumed: number): Uint8Array => {
  const payload = Buffer.allocUnsafe(COUNT_BYTES);
  payload.writeUInt32BE(consumed);
  return writtenFrame(FRAME.state, sent, payload);
};

/** Returns null when `bytes` is not a frame. The payload shares memory with `bytes`. */
const frameOf = (bytes: Uint8Array): CallFrame | null => {
  if (bytes.length < HEADER_BYTES) return null;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = view.readUInt8(0);
  if (kind === FRAME.state && bytes.length !== HEADER_BYTES + COUNT_BYTES) return null;
  return { kind, number: view.readUInt32BE(1), payload: bytes.subarray(HEADER_BYTES) };
};

const consumedOf = ({ payload }: CallFrame): number =>
  Buffer.from(payload.buffer, payload.byteOffset, payload.length).readUInt32BE(0);
