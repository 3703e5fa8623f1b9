import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../domain/errors.js';
import type { PluginSource } from '../domain/thirdParty.js';
import { serialQueue } from '../domain/waiting.js';
import type { Clock } from '../ports/clock.js';

const DEADLINE_MS = 20_000;
const HEAP_MB = 512;
const MAX_WAITING = 100;

/** Runs tasks one after another on a thread. `file`: name of the text in errors. */
export type TextHost = (kind: string, args: readonly unknown[], file: string) => Promise<Result<unknown>>;

/** `workerData` of the thread. */
export interface TextThreadData {
  /** Files of third-party plugins. */
  readonly plugins: readonly PluginSource[];
}

const tooHard = (file: string, why: string): SpateError => {
  const message = `${why}: make it smaller or simpler`;
  const issues = [{ path: [], type: 'too_hard', message, line: 1, column: 1 }];
  return failure('invalid', file === '' ? `The text ${message}.` : `${file}:1:1  ${message}.`, {
    ...(file === '' ? {} : { file }),
    issues,
  });
};

const BUSY = failure(
  'too_many_requests',
  `${MAX_WAITING} texts are already in the queue; try again in a moment`,
);

const NO_PLUGINS: readonly PluginSource[] = [];

/** `plugins`: those that the thread loads; when they change, a new thread starts. */
export const textHost = (
  entry: URL,
  clock: Pick<Clock, 'sleepMs'>,
  plugins: () => readonly PluginSource[] = () => NO_PLUGINS,
): TextHost => {
  let worker: Worker | null = null;
  let known = NO_PLUGINS;
  const inTurn = serialQueue();
  let waiting = 0;
  let settle: ((outcome: E.Either<string, Result<unknown>>) => void) | null = null;

  const end = (): void => {
    void worker?.terminate();
    worker = null;
  };
  const open = (): Worker => {
    const wanted = plugins();
    if (worker !== null && known === wanted) return worker;
    end();
    known = wanted;
    const opened = new Worker(entry, {
      name: 'texts',
      workerData: { plugins: known } satisfies TextThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      stdout: false,
      stderr: false,
    });
    const broken = (): void => {
      // Terminated after the deadline.
      if (worker !== opened) return;
      worker = null;
      settle?.(E.left('cannot be read with the memory there is'));
    };
    opened.on('message', (result: Result<unknown>) => settle?.(E.right(result)));
    opened.on('error', broken).on('exit', broken);
    worker = opened;
    return opened;
  };

  const run = async (kind: string, args: readonly unknown[], file: string): Promise<Result<unknown>> => {
    const thread = open();
    thread.ref();
    const answered = new AbortController();
    const outcome = await new Promise<E.Either<string, Result<unknown>>>((resolve) => {
      settle = resolve;
      void clock.sleepMs(DEADLINE_MS, answered.signal).then(() => {
        if (!answered.signal.aborted) resolve(E.left(`takes longer than ${DEADLINE_MS / 1000} s to be read`));
      });
      thread.postMessage({ kind, args });
    });
    settle = null;
    answered.abort();
    if (E.isLeft(outcome)) {
      end();
      return E.left(tooHard(file, outcome.left));
    }
    // An idle thread does not keep the process alive.
    thread.unref();
    return outcome.right;
  };

  return (kind, args, file) => {
    if (waiting >= MAX_WAITING) return Promise.resolve(E.left(BUSY));
    waiting++;
    return inTurn(() => run(kind, args, file)).finally(() => waiting--);
  };
};
