import * as E from 'fp-ts/lib/Either.js';
import { frame } from '../../contract/reply.js';
import type { Result } from '../../domain/errors.js';
import { pullStream } from '../../http/streams/lasting.js';
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
const framesOf = async function* (chunks: AsyncIterator<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const chunk = await chunks.next();
    if (chunk.done === true) return;
    text += decoder.decode(chunk.value, { stream: true });
    const end = text.lastIndexOf(SEPARATOR);
    if (end === -1) continue;
    yield text.slice(0, end + SEPARATOR.length).replaceAll(/^id: .*\n/gm, '');
    text = text.slice(end + SEPARATOR.length);
  }
};

/** Frames waiting for a slow client; beyond them the nodes wait. */
const MAX_WAITING = 64;

/**
 * The events of several nodes as one stream. `isKnown`: whether a generator is in the startup list: one that moved was
 * removed from a node, but is still there. The id is null in streams of one generator.
 */
export const mergeEvents = (isKnown: (id: string | null) => boolean, onEnd: () => void) => {
  const nodes = new Map<string, AsyncIterator<Uint8Array>>();
  const waiting: string[] = [];
  const wakeWriters = new Set<() => void>();
  const letWrite = (): void => {
    for (const wake of wakeWriters) wake();
    wakeWriters.clear();
  };

  const withoutMoved = (text: string): string =>
    text
      .split(SEPARATOR)
      .filter((frame) => {
        if (!frame.includes('"phase":"removed"')) return true;
        return !isKnown(/"id":"([^"]*)"/.exec(frame)?.[1] ?? null);
      })
      .join(SEPARATOR);

  const take = (): string | null => {
    const text = waiting.splice(0).join('');
    letWrite();
    return text === '' ? null : text;
  };
  const stream = pullStream(take, () => {
    letWrite();
    for (const chunks of nodes.values()) void chunks.return?.().catch(() => undefined);
    onEnd();
  });

  const pump = async (node: string, chunks: AsyncIterator<Uint8Array>): Promise<void> => {
    for await (const text of framesOf(chunks)) {
      while (waiting.length >= MAX_WAITING && !stream.over.aborted)
        await new Promise<void>((resolve) => wakeWriters.add(() => resolve()));
      if (stream.over.aborted || nodes.get(node) !== chunks) break;
      waiting.push(withoutMoved(text));
      stream.wake();
    }
    if (nodes.get(node) === chunks) nodes.delete(node);
  };

  return {
    has: (node: string) => nodes.has(node),
    names: () => [...nodes.keys()],
    /** Ends the stream that was added by this name. */
    drop: (node: string): void => {
      void nodes
        .get(node)
        ?.return?.()
        .catch(() => undefined);
      nodes.delete(node);
    },
    /** Adds a frame of this node. */
    say: (text: string): void => {
      waiting.push(text);
      stream.wake();
    },
    /** Adds the events of a node. */
    add: (node: string, added: AsyncIterable<Uint8Array>): void => {
      const chunks = added[Symbol.asyncIterator]();
      if (stream.over.aborted) return void chunks.return?.().catch(() => undefined);
      nodes.set(node, chunks);
      // A node that went away sends nothing more; others go on.
      void pump(node, chunks).catch(() => void nodes.delete(node));
    },
    stream,
  };
};

interface TailParts {
  /** The node whose first refusal is the answer. */
  readonly own: string;
  /** Null while no node has it. */
  readonly nodeOf: (id: string) => string | null;
  /** Whether each message names its generator. */
  readonly isLabeled: boolean;
  readonly open: (node: string, ids: readonly string[]) => Promise<Result<EndlessBytes>>;
  readonly isKnown: (id: string) => boolean;
  /** Runs again and again until the result is called. */
  readonly every: (run: () => void) => () => void;
}

/**
 * Returns the tails of generators on several nodes as one stream, which follows a generator that moves and says so.
 * Returns an error when the node `own` refuses.
 */
export const followedTails = async (
  ids: readonly string[],
  { own, nodeOf, isLabeled, open, isKnown, every }: TailParts,
): Promise<Result<EndlessBytes>> => {
  let stopLooking = (): void => {};
  const merged = mergeEvents(
    (id) => isKnown(id ?? (ids[0] as string)),
    () => stopLooking(),
  );
  /** Node and name of the stream of each generator. */
  const sources = new Map<string, { readonly node: string; readonly stream: string }>();
  let opened = 0;
  let isLooking = false;
  const look = async (): Promise<Result<null>> => {
    const moved = new Map<string, string[]>();
    for (const id of ids) {
      const [node, source] = [nodeOf(id), sources.get(id)];
      if (node === null || (source?.node === node && merged.has(source.stream))) continue;
      moved.set(node, [...(moved.get(node) ?? []), id]);
    }
    const openAt = async (node: string, those: readonly string[]): Promise<Result<null>> => {
      const tail = await open(node, those);
      if (E.isLeft(tail)) return tail;
      const stream = `${node} ${opened++}`;
      for (const id of those) {
        const isMoved = sources.has(id) && sources.get(id)?.node !== node;
        if (isMoved) merged.say(frame('moved', JSON.stringify(isLabeled ? { id, node } : { node })));
        sources.set(id, { node, stream });
      }
      merged.add(stream, tail.right);
      return E.right(null);
    };
    const results = await Promise.all(
      [...moved].map(async ([node, those]) => [node, await openAt(node, those)] as const),
    );
    const used = new Set([...sources.values()].map(({ stream }) => stream));
    for (const stream of merged.names()) if (!used.has(stream)) merged.drop(stream);
    return results.find(([node, result]) => node === own && E.isLeft(result))?.[1] ?? E.right(null);
  };
  const first = await look();
  if (E.isLeft(first)) return first;
  stopLooking = every(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  });
  return E.right(merged.stream);
};
