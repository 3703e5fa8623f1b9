import { ENDED } from '../../domain/waiting.js';
import type { EndlessBytes } from '../../messages/observe.js';

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
