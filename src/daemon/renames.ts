import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import type { GeneratorMove, GeneratorsInput } from '../../actors/generators/generators.js';
import { moveDeadLetters, noDeadLetters } from '../adapters/deadLetters/move.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import { systemClock } from '../adapters/systemClock.js';
import { checkpointPath, MAX_CHECKPOINT_BYTES } from '../domain/checkpoint.js';
import { failure, type Result, type SpateError } from '../domain/errors.js';
import type { Log } from '../ports/log.js';
import type { Applied } from './reload.js';

/** A step of a rename that is done. */
interface Done {
  /** Brings back what was before. */
  readonly undo: () => Promise<Result<unknown>>;
}

type Step = () => Promise<Result<Done>>;

interface MoveOptions {
  /** Folder of the state. */
  readonly state: string;
  readonly ask: AskActor;
  /** The entries in force. A list that is read again is compared with them. */
  readonly applied: Applied;
  readonly log: Log;
}

const NOTHING: Done = { undo: async () => E.right(null) };

/** Returns null when there is no checkpoint. */
const readCheckpoint = async (path: string): Promise<Result<string | null>> => {
  const text = await privateFiles.readText(path, MAX_CHECKPOINT_BYTES);
  return E.isLeft(text) && text.left.code === 'not_found' ? E.right(null) : text;
};

/** The generator resumes under either id until the step after the last removes the former checkpoint. */
const copyCheckpoint =
  (state: string, [from, to]: readonly [string, string]): Step =>
  async () => {
    const path = checkpointPath(state, to);
    const text = await readCheckpoint(checkpointPath(state, from));
    if (E.isLeft(text)) return text;
    const there = await readCheckpoint(path);
    if (E.isLeft(there)) return there;
    // The same checkpoint is that of a rename that a crash has cut off.
    if (there.right !== null && there.right !== text.right) {
      const message = `There is a checkpoint of "${to}": ${path}. Remove it, or choose another id.`;
      return E.left(failure('already_exists', message));
    }
    if (text.right === null) return E.right(NOTHING);
    const written = await privateFiles.replaceText(path, text.right);
    return E.isLeft(written) ? written : E.right({ undo: () => privateFiles.remove(path) });
  };

const moveLetters =
  (state: string, [from, to]: readonly [string, string]): Step =>
  async () => {
    const root = `${state}/dead-letters`;
    const moved = await moveDeadLetters(root, from, to, systemClock);
    return E.map(() => ({ undo: () => moveDeadLetters(root, to, from, systemClock) }))(moved);
  };

/** Runs steps in turn. After an error those that are done are undone, the last one first. */
const allOrNone = async (steps: readonly Step[], log: Log, id: string): Promise<Result<null>> => {
  const done: Done[] = [];
  for (const step of steps) {
    const result = await step();
    if (E.isRight(result)) {
      done.push(result.right);
      continue;
    }
    // The startup list may still get the new id: both ids keep what they have.
    if (result.left.code === 'timed_out') return result;
    for (const { undo } of done.reverse()) {
      const undone = await undo();
      if (E.isLeft(undone)) noteLeftover(log, id, undone.left);
    }
    return result;
  }
  return E.right(null);
};

const noteLeftover = (log: Log, id: string, { message }: SpateError): void =>
  log.write('error', 'a rename left something under the other id', { generator_id: id, reason: message });

/** Ids of the startup list. Those of invalid entries are taken, too. */
const listedIds = async (ask: AskActor): Promise<Result<ReadonlySet<string | null>>> => {
  const list = await ask('startup.list', null);
  // Without a startup file nothing is listed.
  if (E.isLeft(list)) return list.left.code === 'not_found' ? E.right(new Set()) : list;
  const { entries, rejected } = list.right;
  return E.right(new Set([...entries, ...rejected].map(({ id }) => id)));
};

/**
 * Gives what is kept of a generator its new id. The startup list comes last: until then the former id has all it needs to
 * resume, and from then on the new one.
 */
export const moveGenerator =
  ({ state, ask, applied, log }: MoveOptions): GeneratorsInput['move'] =>
  async ({ id, to, parts }: GeneratorMove) => {
    const listed = await listedIds(ask);
    if (E.isLeft(listed)) return listed;
    if (listed.right.has(to))
      return E.left(failure('already_exists', `the startup list already has an entry "${to}"`));
    for (const [, part] of parts) {
      const free = await noDeadLetters(`${state}/dead-letters`, part, systemClock);
      if (E.isLeft(free)) return free;
    }
    const rename: Step = async () => E.map(() => NOTHING)(await ask('startup.rename', { id, to }));
    const moved = await allOrNone(
      [
        ...parts.map((part) => copyCheckpoint(state, part)),
        ...parts.map((part) => moveLetters(state, part)),
        ...(listed.right.has(id) ? [rename] : []),
      ],
      log,
      id,
    );
    if (E.isLeft(moved)) return moved;
    const entries = applied.entries.map((entry) => (entry.id === id ? { ...entry, id: to } : entry));
    Object.assign(applied, { entries });
    for (const [from] of parts) {
      const removed = await privateFiles.remove(checkpointPath(state, from));
      if (E.isLeft(removed)) noteLeftover(log, id, removed.left);
    }
    return moved;
  };
