import { isJsonObject, parsedJson } from '../../domain/json.js';
import type { LogLines } from '../../messages/observe.js';

/** Lines that wait for a reader; then the node that has them waits. */
const MAX_WAITING = 2_000;

interface Lines {
  readonly lines: readonly string[];
  readonly missed: number;
}

/** Lines of a log as JSON, one chunk whenever there are more. */
export async function* linesOf(open: (onMore: () => void) => LogLines): AsyncGenerator<Uint8Array> {
  let wake = (): void => {};
  const log = open(() => wake());
  try {
    for (;;) {
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const taken = log.take();
      if (taken.lines.length > 0 || taken.missed > 0) yield new TextEncoder().encode(JSON.stringify(taken));
      else await more;
    }
  } finally {
    log.close();
  }
}

const parse = (chunk: Uint8Array): Lines => {
  const value = parsedJson(new TextDecoder().decode(chunk));
  if (!isJsonObject(value) || !Array.isArray(value['lines'])) return { lines: [], missed: 0 };
  const lines = value['lines'].filter((line): line is string => typeof line === 'string');
  return { lines, missed: Number(value['missed']) || 0 };
};

/** The log of another node. */
export const remoteLines = (stream: AsyncIterable<Uint8Array>, onMore: () => void): LogLines => {
  const iterator = stream[Symbol.asyncIterator]();
  const state = { waiting: [] as string[], missed: 0, isOpen: true };
  let wake = (): void => {};
  const room = async (): Promise<void> => {
    while (state.isOpen && state.waiting.length > MAX_WAITING)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const pull = async (): Promise<void> => {
    for (;;) {
      await room();
      const next = await iterator.next();
      if (next.done === true || !state.isOpen) return;
      const more = parse(next.value);
      state.waiting.push(...more.lines);
      state.missed += more.missed;
      onMore();
    }
  };
  // A node that is gone logs nothing more; the reader keeps what it has.
  void pull().catch(() => undefined);
  return {
    take: () => {
      const taken = { lines: state.waiting, missed: state.missed };
      state.waiting = [];
      state.missed = 0;
      wake();
      return taken;
    },
    close: () => {
      state.isOpen = false;
      wake();
      void iterator.return?.();
    },
  };
};
