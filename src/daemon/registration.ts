import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import type { GeneratorMove, GeneratorsInput } from '../../actors/generators/generators.js';
import { configLocation } from '../adapters/directories/location.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import { systemClock } from '../adapters/systemClock.js';
import { invalid } from '../config/report.js';
import { isOutside, type StartupContext } from '../config/startup/entry.js';
import { generatorParams, generatorParamsShape } from '../config/startup/startup.js';
import { keepExtensions } from '../config/values.js';
import { checkpointPath, MAX_CHECKPOINT_BYTES } from '../domain/checkpoint.js';
import { failure, type Result, type SpateError } from '../domain/errors.js';
import type { Log } from '../ports/log.js';
import { checkGivenParams } from './configs.js';
import type { Applied } from './reload.js';

/** Fills in the settings' defaults; the config must be in the generators directory and read the parameters. Issues count from the body. */
export const admission =
  (context: StartupContext): GeneratorsInput['admit'] =>
  async (id, given, replaced) => {
    const { generation, generators_dir } = context;
    const old = replaced === null ? undefined : generatorParamsShape.codec.encode(replaced);
    const body = keepExtensions(generatorParamsShape, old, { ...given, id });
    const params = generatorParams(body, generation, generators_dir);
    if (E.isLeft(params)) return params;
    const { path } = params.right;
    if (isOutside(generators_dir, path) || path === resolve(generators_dir)) {
      const message = 'must name a file inside the generators directory';
      return E.left(invalid('', [{ path: ['path'], type: 'not_allowed', message }]));
    }
    const place = await configLocation(generators_dir)(path);
    if (E.isLeft(place)) return place;
    if (place.right === 'file') {
      const checked = await checkGivenParams(params.right);
      return E.isLeft(checked) ? checked : params;
    }
    const shown = String(given['path']);
    return E.left(
      failure('not_found', `there is no generator config "${shown}" in the generators directory`),
    );
  };

/** A single run has no API. */
export const noAdmission: GeneratorsInput['admit'] = async (id) =>
  E.left(failure('unavailable', `generator "${id}" cannot be added here`));

export const noMove: GeneratorsInput['move'] = async ({ id }) =>
  E.left(failure('unavailable', `generator "${id}" cannot be renamed here`));

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
    const { moveDeadLetters } = await import('../adapters/deadLetters/move.js');
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
    // Lazy: few services rename, and single runs never do.
    const { noDeadLetters } = await import('../adapters/deadLetters/move.js');
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
