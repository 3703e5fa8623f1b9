import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../domain/errors.js';
import type { Clock } from '../ports/clock.js';
import type { FromWorker, PreviewJob } from './protocol.js';
import { spawnThread, type Thread } from './thread.js';

/** Longest time a preview may take. */
const DEADLINE_MS = 10_000;

/** Answers previews: the chunks of one JSON text, or why there is none. */
export type PreviewHost = (
  job: Omit<PreviewJob, 'job'>,
) => Promise<E.Either<SpateError, readonly Uint8Array[]>>;

/**
 * Previews run on a thread of their own, one at a time, so that a large one delays neither generators
 * nor the API. The thread starts with the first preview and is replaced when it hangs or dies.
 */
export const previewHost = (options: {
  readonly workerFile: URL;
  readonly clock: Clock;
  readonly heap_mb: number;
  readonly signal: AbortSignal;
}): PreviewHost => {
  let thread: Thread | null = null;
  let jobs = 0;
  const waiting = new Map<number, (answer: E.Either<SpateError, readonly Uint8Array[]>) => void>();

  const onMessage = (message: FromWorker): void => {
    if (message.type === 'preview.done') waiting.get(message.job)?.(E.right(message.chunks));
    if (message.type === 'preview.failed') waiting.get(message.job)?.(E.left(message.error));
  };
  const open = (): Thread => {
    const opened = spawnThread({
      file: options.workerFile,
      name: 'preview',
      heap_mb: options.heap_mb,
      onMessage,
      onDeath: ({ reason }) => {
        if (thread === opened) thread = null;
        for (const answer of waiting.values()) {
          answer(E.left(failure('host_crashed', `the preview ended: ${reason}`)));
        }
      },
    });
    return opened;
  };
  options.signal.addEventListener('abort', () => thread?.terminate(), { once: true });

  return async (order) => {
    const job = ++jobs;
    thread ??= open();
    const busy = thread;
    const answered = new AbortController();
    const answer = new Promise<E.Either<SpateError, readonly Uint8Array[]>>((resolve) => {
      waiting.set(job, resolve);
    });
    void options.clock.sleepMs(DEADLINE_MS, answered.signal).then(() => {
      if (answered.signal.aborted) return;
      busy.terminate({ reason: `it took longer than ${DEADLINE_MS / 1000} s: ask for less`, culprit: null });
    });
    busy.post({ type: 'preview', job: { ...order, job } });
    const result = await answer;
    answered.abort();
    waiting.delete(job);
    return result;
  };
};
