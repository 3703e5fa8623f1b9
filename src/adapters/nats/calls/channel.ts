import type { SpateError } from '../../../domain/errors.js';
import { unavailable } from '../natsErrors.js';
import {
  consumedOf,
  FRAME,
  type Frame,
  type FrameKind,
  frameOf,
  writtenFrame,
  writtenState,
} from './frames.js';

/** Frames that may be on the way or wait for the reader, in each direction. */
const WINDOW = 8;

/** One call between two nodes: numbered frames in both directions, each with a window. */
export interface Channel {
  /** Waits for room in the window. Returns false when the channel is over. One call at a time. */
  readonly send: (kind: FrameKind, payload: Uint8Array) => Promise<boolean>;
  /** Returns the next numbered frame, or null when the channel is over. One call at a time. */
  readonly take: () => Promise<Frame | null>;
  /** Returns why it is over, or null when it is not, or ended as it should. */
  readonly failed: () => SpateError | null;
  /** Calls back once when it is over. */
  readonly onOver: (run: () => void) => void;
  /** Ends it and tells the other side, unless everything was sent or read. */
  readonly close: (reason: SpateError | null, isComplete?: boolean) => void;
}

/** The side of the link. */
export interface ChannelEnd extends Channel {
  readonly onMessage: (bytes: Uint8Array, reply: string) => void;
  /** No node takes calls on the subject. */
  readonly onRefused: () => void;
  /** Tells the other side that this one lives. */
  readonly beat: () => void;
  /** When the other side was heard, in milliseconds of the clock. */
  readonly heardAt: () => number;
  readonly hear: () => void;
}

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

/** Opens a channel. A side that knows its peer introduces itself at once. */
export const openChannel = ({ place, first, own, publish, now, ...options }: ChannelOptions): ChannelEnd => {
  let { peer } = options;
  let sent = 0;
  let confirmed = 0;
  let received = 0;
  let consumed = 0;
  let told = 0;
  let heardAt = now();
  let isOver = false;
  let failed: SpateError | null = null;
  const queue: Frame[] = [];
  const overs: (() => void)[] = [options.onOver];
  let wakeSender = (): void => {};
  let wakeTaker = (): void => {};

  const tell = (): void => {
    if (peer === null) return;
    told = consumed;
    publish(peer, writtenState(sent, consumed), null);
  };
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
  const onState = (frame: Frame): void => {
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
    send: async (kind, payload) => {
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
    take: async () => {
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
    failed: () => failed,
    onOver: (run) => {
      if (isOver) run();
      else overs.push(run);
    },
    close,
    onMessage,
    onRefused: () => {
      if (peer === null) fail('the node is not connected');
    },
    beat: tell,
    heardAt: () => heardAt,
    hear: () => {
      heardAt = now();
    },
  };
};
