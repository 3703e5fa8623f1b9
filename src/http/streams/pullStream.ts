import { ENDED } from '../../domain/abort.js';
import type { EndlessBytes } from '../../messages/observe.js';

/** Bytes that somebody reads while they come: nothing is queued for a slow reader, it is asked when it has room. */
export interface PullStream extends EndlessBytes {
  /** There may be something to take now. */
  readonly wake: () => void;
  /** No more: whoever reads gets the end. */
  readonly end: () => void;
}

/**
 * A stream of what `take` gives: `null` means nothing now, the reader then waits for `wake`. `onEnd` is called once, when the
 * stream has ended or its reader has gone. For a single reader.
 */
export const pullStream = (take: () => string | null, onEnd: () => void): PullStream => {
  const over = new AbortController();
  /** The reader that waits. */
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
