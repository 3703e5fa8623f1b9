import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { releaseLock } from '../adapters/deadLetters/lock.js';
import { systemClock } from '../adapters/systemClock.js';
import { failure, type Result, reasonOf } from '../domain/errors.js';
import { loadedSources } from '../plugins/loaded.js';
import type { Log } from '../ports/log.js';
import type { LetterAnswer, LetterTask } from '../worker/letters/tasks.js';
import type { FromLetterThread, LetterThreadData } from '../worker/letters/thread.js';

const ENTRY = new URL('../worker/letters/thread.js', import.meta.url);
const MAX_THREADS = 4;
const HEAP_MB = 512;
/** Then a replay stops after the write in flight: a client calls again for the rest. */
const REPLAY_MS = 20_000;
/** A thread that hangs is terminated, as safe as a kill: letters of a write in flight may arrive twice. */
const MAX_MS = 180_000;

const LATE = failure(
  'timed_out',
  `dead letters: no end within ${MAX_MS / 1000} s. They are still there. Check that the output answers.`,
);

const BUSY = failure(
  'too_many_requests',
  `dead letters of ${MAX_THREADS} generators are being read or sent already. Try again in a moment.`,
);

const isSweep = ({ kind }: LetterTask): boolean => kind === 'replay' || kind === 'purge';

/** A thread that ends in the middle of a sweep leaves its lock. */
const releaseLocks = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => releaseLock(join(folder, name)).catch(() => undefined)));
};

/** Runs each task on a thread of its own: it parses much, and outputs may run code of others. */
export const letterThreads = (options: {
  /** Folder with a folder per generator. */
  readonly root: string;
  readonly log: Log;
  /** Ends replays after the write in flight. */
  readonly signal: AbortSignal;
}): ((task: LetterTask) => Promise<Result<LetterAnswer>>) => {
  let running = 0;

  const answerOf = (task: LetterTask, worker: Worker, late: AbortSignal): Promise<Result<LetterAnswer>> =>
    new Promise((settle) => {
      const log = options.log.with({ generator_id: task.payload.id });
      let crash = 'it was ended';
      worker.on('message', (message: FromLetterThread) => {
        if (message.type === 'log') log.write(message.level, message.message, message.context);
        else settle(message.answer);
      });
      worker.on('error', (thrown) => {
        crash = reasonOf(thrown);
      });
      worker.on('exit', () => {
        const failed = failure('host_crashed', `The thread for dead letters failed: ${crash}.`);
        const error = late.aborted ? LATE : failed;
        void (isSweep(task) ? releaseLocks(join(options.root, task.payload.id)) : Promise.resolve()).then(
          () => settle(E.left(error)),
        );
      });
    });

  return async (task) => {
    if (running >= MAX_THREADS) return E.left(BUSY);
    running++;
    const worker = new Worker(ENTRY, {
      name: 'dead letters',
      workerData: { root: options.root, task, plugins: loadedSources() } satisfies LetterThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const stop = (): void => worker.postMessage('stop');
    const ended = new AbortController();
    options.signal.addEventListener('abort', stop, { once: true, signal: ended.signal });
    const after = (wait_ms: number, act: () => void): void =>
      void systemClock.sleepMs(wait_ms, ended.signal).then(() => {
        if (!ended.signal.aborted) act();
      });
    if (task.kind === 'replay') after(REPLAY_MS, stop);
    const late = new AbortController();
    after(MAX_MS, () => {
      late.abort();
      void worker.terminate();
    });
    try {
      return await answerOf(task, worker, late.signal);
    } finally {
      ended.abort();
      await worker.terminate();
      running--;
    }
  };
};
