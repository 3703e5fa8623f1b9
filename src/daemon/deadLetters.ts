import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor, LocalAnswers } from '../../actors/ask.js';
import { deadLetterBoxes } from '../adapters/deadLetters/boxes.js';
import { nodeFiles } from '../adapters/files/files.js';
import { systemClock } from '../adapters/systemClock.js';
import { loadGenerator } from '../config/generator/config.js';
import { failure, type Result } from '../domain/errors.js';
import type { DeadLetterRequests } from '../messages/deadLetters.js';
import { installed } from '../plugins/installed.js';
import { type LetterAnswer, type LetterTask, runLetterTask } from '../worker/letters/tasks.js';
import { letterThreads } from './letterThreads.js';
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

type LetterAnswers = Pick<LocalAnswers, keyof DeadLetterRequests>;

/** Answers about dead letters; files and locks are those of `spate deadletter`. */
export const deadLetterAnswers = (options: DeadLetterOptions): LetterAnswers => {
  const { secrets, ask } = options;
  const { log } = secrets;
  const root = `${options.state}/dead-letters`;
  const boxes = deadLetterBoxes(root, systemClock);
  const threads = letterThreads({ root, log, signal: options.signal });
  /** Generators with a replay or purge. */
  const sweeping = new Set<string>();

  const bytesOf = async (generator: string): Promise<Result<number>> => {
    const found = await boxes.find({ generator, output: null });
    if (E.isLeft(found)) return found;
    let bytes = 0;
    for (const box of found.right) {
      const size = await box.bytes();
      if (E.isLeft(size)) return size;
      bytes += size.right;
    }
    return E.right(bytes);
  };

  const run = async (task: LetterTask): Promise<Result<LetterAnswer>> => {
    const bytes = await bytesOf(task.payload.id);
    if (E.isLeft(bytes)) {
      if (bytes.left.code !== 'not_found') return bytes;
      const known = await ask('generators.status', { id: task.payload.id });
      const isEmpty = task.kind === 'list' || (task.kind !== 'read' && task.payload.output === null);
      return E.isRight(known) ? (isEmpty ? E.right([]) : bytes) : known;
    }
    return task.kind === 'replay' || bytes.right > MAX_BYTES_HERE
      ? threads(task)
      : runLetterTask(task, { root, log, stop: options.signal });
  };

  const sweep = async (task: LetterTask): Promise<Result<LetterAnswer>> => {
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

  const replay = async (
    payload: DeadLetterRequests['letters.replay']['payload'],
  ): Promise<Result<LetterAnswer>> => {
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
    return sweep({ kind: 'replay', payload, definition: definition.right });
  };

  /** The answer of a task is of its kind. */
  const as = <K extends keyof DeadLetterRequests>(answer: Promise<Result<LetterAnswer>>) =>
    answer as Promise<Result<DeadLetterRequests[K]['answer']>>;
  return {
    'letters.list': (payload) => as<'letters.list'>(run({ kind: 'list', payload })),
    'letters.read': (payload) => as<'letters.read'>(run({ kind: 'read', payload })),
    'letters.replay': (payload) => as<'letters.replay'>(replay(payload)),
    'letters.purge': (payload) => as<'letters.purge'>(sweep({ kind: 'purge', payload })),
  };
};
