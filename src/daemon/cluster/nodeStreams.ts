import type { EndlessBytes } from '../../messages/observe.js';

/** A stream of another node; it ends with its node. */
export const endlessOf = (stream: AsyncIterable<Uint8Array>): EndlessBytes => {
  const over = new AbortController();
  return {
    over: over.signal,
    async *[Symbol.asyncIterator]() {
      try {
        yield* stream;
      } catch {
        // The node is gone: the client connects again and finds the next holder.
      } finally {
        over.abort();
      }
    },
  };
};

const SEPARATOR = '\n\n';

/** Server-sent events of other nodes, whole. Their ids mean nothing here, so a client that reconnects begins anew. */
const framesOf = async function* (stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf(SEPARATOR);
    if (end === -1) continue;
    yield text.slice(0, end + SEPARATOR.length).replaceAll(/^id: .*\n/gm, '');
    text = text.slice(end + SEPARATOR.length);
  }
};

export interface MergedEvents {
  /** Adds the events of a node. */
  readonly add: (node: string, stream: AsyncIterable<Uint8Array>) => void;
  readonly has: (node: string) => boolean;
  readonly stream: EndlessBytes;
}

/** Frames waiting for a slow client; beyond them the nodes wait. */
const MAX_WAITING = 64;

/**
 * The events of several nodes as one stream. `isKnown`: whether a generator is in the startup list: one that moved was
 * removed from a node, but is still there.
 */
export const mergeEvents = (isKnown: (id: string) => boolean, onEnd: () => void): MergedEvents => {
  const over = new AbortController();
  const nodes = new Map<string, AsyncGenerator<string>>();
  const waiting: string[] = [];
  let wakeReader = (): void => {};
  const wakeWriters = new Set<() => void>();

  const withoutMoved = (text: string): string =>
    text
      .split(SEPARATOR)
      .filter((frame) => {
        if (!frame.includes('"phase":"removed"')) return true;
        const id = /"id":"([^"]*)"/.exec(frame)?.[1];
        return id === undefined || !isKnown(id);
      })
      .join(SEPARATOR);

  const pump = async (node: string, frames: AsyncGenerator<string>): Promise<void> => {
    for await (const text of frames) {
      while (waiting.length >= MAX_WAITING && !over.signal.aborted)
        await new Promise<void>((resolve) => wakeWriters.add(resolve));
      if (over.signal.aborted) break;
      waiting.push(withoutMoved(text));
      wakeReader();
    }
    nodes.delete(node);
  };

  const end = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    wakeReader();
    for (const wake of wakeWriters) wake();
    for (const frames of nodes.values()) void frames.return(undefined).catch(() => undefined);
    onEnd();
  };

  return {
    has: (node) => nodes.has(node),
    add: (node, stream) => {
      const frames = framesOf(stream);
      nodes.set(node, frames);
      // A node that went away sends nothing more; others go on.
      void pump(node, frames).catch(() => void nodes.delete(node));
    },
    stream: {
      over: over.signal,
      async *[Symbol.asyncIterator]() {
        try {
          for (;;) {
            while (waiting.length === 0 && !over.signal.aborted)
              await new Promise<void>((resolve) => {
                wakeReader = resolve;
              });
            if (over.signal.aborted) return;
            const text = waiting.splice(0).join('');
            for (const wake of wakeWriters) wake();
            wakeWriters.clear();
            yield new TextEncoder().encode(text);
          }
        } finally {
          end();
        }
      },
    },
  };
};
