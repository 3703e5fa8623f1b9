import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor, LocalAnswers } from '../../actors/ask.js';
import { deadLetterFolders } from '../adapters/deadLetters/folders.js';
import { releaseLock } from '../adapters/deadLetters/lock.js';
import { nodeFiles } from '../adapters/files/files.js';
import { systemClock } from '../adapters/systemClock.js';
import { loadGenerator } from '../config/generator/config.js';
import { failure, type Result, reasonOf } from '../domain/errors.js';
import type { DeadLetterRequests } from '../messages/deadLetters.js';
import { installed } from '../plugins/installed.js';
import { loadedSources } from '../plugins/loaded.js';
import type { Log } from '../ports/log.js';
import {
  type DeadLetterAnswer,
  type DeadLetterTask,
  runDeadLetterTask,
} from '../worker/deadLetters/tasks.js';
import type { DeadLetterThreadData, FromDeadLetterThread } from '../worker/deadLetters/thread.js';
import type { SecretKeeping } from './secrets.js';
import { configReader } from './texts.js';

/** More letters are read on a thread: they would block the main thread. */
const MAX_BYTES_HERE = 256 * 1024;

interface DeadLetterOptions {
  /** Folder of the state. */
  readonly state: string;
  readonly generators_dir: string;
  readonly secrets: SecretKeeping;
  readonly ask: AskActor;
  readonly signal: AbortSignal;
}

type DeadLetterAnswers = Pick<LocalAnswers, keyof DeadLetterRequests>;

/** Answers about dead letters; files and locks are those of `spate deadletter`. */
export const deadLetterAnswers = (options: DeadLetterOptions): DeadLetterAnswers => {
  const { secrets, ask } = options;
  const { log } = secrets;
  const root = `${options.state}/dead-letters`;
  const folders = deadLetterFolders(root, systemClock);
  const threads = deadLetterThreads({ root, log, signal: options.signal });
  /** Generators with a resend or purge. */
  const sweeping = new Set<string>();

  const bytesOf = async (generator: string): Promise<Result<number>> => {
    const found = await folders.find({ generator, output: null });
    if (E.isLeft(found)) return found;
    let bytes = 0;
    for (const folder of found.right) {
      const size = await folder.bytes();
      if (E.isLeft(size)) return size;
      bytes += size.right;
    }
    return E.right(bytes);
  };

  const run = async (task: DeadLetterTask): Promise<Result<DeadLetterAnswer>> => {
    const bytes = await bytesOf(task.payload.id);
    if (E.isLeft(bytes)) {
      if (bytes.left.code !== 'not_found') return bytes;
      const known = await ask('generators.status', { id: task.payload.id });
      const isEmpty = task.kind === 'list' || (task.kind !== 'read' && task.payload.output === null);
      return E.isRight(known) ? (isEmpty ? E.right([]) : bytes) : known;
    }
    return task.kind === 'resend' || bytes.right > MAX_BYTES_HERE
      ? threads(task)
      : runDeadLetterTask(task, { root, log, stop: options.signal });
  };

  const sweep = async (task: DeadLetterTask): Promise<Result<DeadLetterAnswer>> => {
    const { id } = task.payload;
    if (sweeping.has(id)) {
      const busy = `dead letters of generator "${id}" are being sent or removed. Try again in a moment.`;
      return E.left(failure('wrong_state', busy));
    }
    sweeping.add(id);
    try {
      return await run(task);
    } finally {
      sweeping.delete(id);
    }
  };

  const resend = async (
    payload: DeadLetterRequests['dead_letters.resend']['payload'],
  ): Promise<Result<DeadLetterAnswer>> => {
    const read = await ask('generators.read', { id: payload.id });
    if (E.isLeft(read)) return read;
    const params = { ...read.right, path: resolve(options.generators_dir, read.right.path) };
    const definition = await loadGenerator(
      {
        files: nodeFiles,
        secrets: secrets.keyring,
        shape: installed().shapes.generator,
        reader: configReader,
      },
      params,
      [],
    );
    if (E.isLeft(definition)) return definition;
    return sweep({ kind: 'resend', payload, definition: definition.right });
  };

  /** The answer of a task is of its kind. */
  const as = <K extends keyof DeadLetterRequests>(answer: Promise<Result<DeadLetterAnswer>>) =>
    answer as Promise<Result<DeadLetterRequests[K]['answer']>>;
  return {
    'dead_letters.list': (payload) => as<'dead_letters.list'>(run({ kind: 'list', payload })),
    'dead_letters.read': (payload) => as<'dead_letters.read'>(run({ kind: 'read', payload })),
    'dead_letters.resend': (payload) => as<'dead_letters.resend'>(resend(payload)),
    'dead_letters.purge': (payload) => as<'dead_letters.purge'>(sweep({ kind: 'purge', payload })),
  };
};

const ENTRY = new URL('../worker/deadLetters/thread.js', import.meta.url);
const MAX_THREADS = 4;
const HEAP_MB = 512;
/** Then a resend stops after the write in flight: a client calls again for the rest. */
const RESEND_MS = 20_000;
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

const isSweep = ({ kind }: DeadLetterTask): boolean => kind === 'resend' || kind === 'purge';

/** A thread that ends in the middle of a sweep leaves its lock. */
const releaseLocks = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => releaseLock(join(folder, name)).catch(() => undefined)));
};

/** Runs each task on a thread of its own: it parses much, and outputs may run code of others. */
const deadLetterThreads = (options: {
  /** Folder with a folder per generator. */
  readonly root: string;
  readonly log: Log;
  /** Ends resends after the write in flight. */
  readonly signal: AbortSignal;
}): ((task: DeadLetterTask) => Promise<Result<DeadLetterAnswer>>) => {
  let running = 0;

  const answerOf = (
    task: DeadLetterTask,
    worker: Worker,
    late: AbortSignal,
  ): Promise<Result<DeadLetterAnswer>> =>
    new Promise((settle) => {
      const log = options.log.with({ generator_id: task.payload.id });
      let crash = 'it was ended';
      worker.on('message', (message: FromDeadLetterThread) => {
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
      workerData: { root: options.root, task, plugins: loadedSources() } satisfies DeadLetterThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const stop = (): void => worker.postMessage('stop');
    const ended = new AbortController();
    options.signal.addEventListener('abort', stop, { once: true, signal: ended.signal });
    const after = (wait_ms: number, act: () => void): void =>
      void systemClock.sleepMs(wait_ms, ended.signal).then(() => {
        if (!ended.signal.aborted) act();
      });
    if (task.kind === 'resend') after(RESEND_MS, stop);
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
