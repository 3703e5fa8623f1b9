import type { Reply } from '../../contract/route.js';
import { ENDED } from '../../domain/waiting.js';
import type { EndlessBytes } from '../../messages/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Admission } from '../access/auth.js';

/** Long responses. */
const isLasting = (reply: Reply): boolean =>
  reply.kind === 'bytes' && reply.contentType.startsWith('text/event-stream');

const guarded = (
  chunks: AsyncIterable<Uint8Array>,
  { isStillAdmitted, onOver }: Admission,
  cut: () => void,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const inner = chunks[Symbol.asyncIterator]();
    const finish = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      stopListening();
      await inner.return?.();
      return { done: true, value: undefined };
    };
    const stopListening = onOver(() => {
      cut();
      // It may wait for its next chunk.
      inner.return?.().catch(() => {});
    });
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const got = await inner.next();
      // A chunk counts as a use of the session.
      return got.done !== true && isStillAdmitted() ? got : finish();
    };
    return { next, return: finish };
  },
});

/** Ends a long reply with the session of its client, also while nothing is sent or the client does not read. */
export const whileAdmitted = (reply: Reply, admission: Admission): Reply => {
  if (reply.kind !== 'bytes' || !isLasting(reply)) return reply;
  const over = new AbortController();
  return {
    ...reply,
    chunks: guarded(reply.chunks, admission, () => over.abort()),
    over: reply.over === undefined ? over.signal : AbortSignal.any([reply.over, over.signal]),
  };
};

/** Calls listeners at an interval; idle without listeners. */
interface Ticker {
  /** Listeners must be fast and never throw. */
  readonly on: (listener: () => void) => () => void;
}

export const makeTicker = (clock: Pick<Clock, 'sleepMs'>, every_ms: number): Ticker => {
  const listeners = new Set<() => void>();
  let running: AbortController | null = null;

  const run = async ({ signal }: AbortController): Promise<void> => {
    for (;;) {
      await clock.sleepMs(every_ms, signal);
      if (signal.aborted) return;
      for (const listener of [...listeners]) listener();
    }
  };

  return {
    on: (listener) => {
      listeners.add(listener);
      if (running === null) {
        running = new AbortController();
        void run(running);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        running?.abort();
        running = null;
      };
    },
  };
};

/** A pulled stream: nothing is queued for a slow reader. */
export interface PullStream extends EndlessBytes {
  /** There may be data now. */
  readonly wake: () => void;
  /** Ends the stream. */
  readonly end: () => void;
}

/** Streams `take` to one reader; `null` waits for `wake`. `onEnd` is called once, at the end. */
export const pullStream = (take: () => string | null, onEnd: () => void): PullStream => {
  const over = new AbortController();
  /** The waiting reader. */
  let resume: (() => void) | null = null;

  const wake = (): void => {
    const waiting = resume;
    resume = null;
    waiting?.();
  };
  const end = (): void => {
    if (over.signal.aborted) return;
    over.abort(ENDED);
    onEnd();
    wake();
  };

  const taken = (): string | null => {
    try {
      return take();
    } catch (thrown) {
      end();
      throw thrown;
    }
  };

  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    while (!over.signal.aborted) {
      const text = taken();
      if (text !== null) return { done: false, value: Buffer.from(text, 'utf8') };
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
    return { done: true, value: undefined };
  };
  const finish = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    end();
    return { done: true, value: undefined };
  };
  return { wake, end, over: over.signal, [Symbol.asyncIterator]: () => ({ next, return: finish }) };
};
