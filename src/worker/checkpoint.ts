import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import { type Checkpoint, checkpointText, type Fingerprint, parseCheckpoint } from '../domain/checkpoint.js';
import { failure, type Result } from '../domain/errors.js';
import type { GeneratorDefinition, GeneratorParams } from '../domain/generator.js';
import type { JsonObject } from '../domain/json.js';
import type { Micros } from '../domain/time/micros.js';
import type { RunJob } from '../host/protocol.js';
import type { SavePosition } from '../pipeline/checkpoint.js';
import type { InputStart } from '../plugins/kit.js';
import type { Log } from '../ports/log.js';
import { eventsGiven } from './limit.js';

/** A position with the state of a large script stays far below this. */
const MAX_CHECKPOINT_BYTES = 256 * 1024 * 1024;

const hash = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Hashed once a definition: a position is saved every second, and the definition changes with a patch only. */
const known = new WeakMap<GeneratorDefinition, Fingerprint>();

/** Fingerprint of the stream that a definition gives; outputs have no part in it. */
export const fingerprintOf = (definition: GeneratorDefinition): Fingerprint => {
  const found = known.get(definition);
  if (found !== undefined) return found;
  const { config, params } = definition;
  const { input, event } = config as JsonObject;
  const { timezone, seed } = params;
  const made = { input: hash(input, timezone, seed), event: hash(event, timezone, seed, params.params) };
  known.set(definition, made);
  return made;
};

/** What is in a checkpoint file; Right `null`: there is none. */
export const readCheckpoint = async (path: string): Promise<Result<Checkpoint | null>> => {
  const text = await privateFiles.readText(path, MAX_CHECKPOINT_BYTES);
  if (E.isLeft(text)) return text.left.code === 'not_found' ? E.right(null) : text;
  return E.mapLeft((why: string) =>
    failure('bad_checkpoint', `checkpoint ${path} cannot be used: ${why}; delete it to begin again`),
  )(parseCheckpoint(text.right));
};

/** Replaces a checkpoint file, whole or not at all; makes its folder where needed. */
export const writeCheckpoint = async (path: string, checkpoint: Checkpoint): Promise<Result<void>> => {
  const text = checkpointText(checkpoint);
  const written = await privateFiles.replaceText(path, text);
  if (E.isRight(written)) return written;
  const made = await privateFiles.makeDirectory(dirname(path));
  return E.isLeft(made) ? written : privateFiles.replaceText(path, text);
};

/** A checkpoint and how much of it still fits the config. */
export interface FoundCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly isInputSame: boolean;
  readonly isEventSame: boolean;
}

/** The checkpoint that a run goes on from; Right `null`: it begins at the beginning. */
export const findCheckpoint = async (
  { checkpoint: path, definition, tweaks }: RunJob,
  log: Log,
): Promise<Result<FoundCheckpoint | null>> => {
  if (path === null || tweaks.starts_over) return E.right(null);
  const found = await readCheckpoint(path);
  if (E.isLeft(found)) return found;
  const checkpoint = found.right;
  if (checkpoint === null) return E.right(null);
  const { input, event } = fingerprintOf(definition);
  const isInputSame = checkpoint.fingerprint.input === input;
  const isEventSame = checkpoint.fingerprint.event === event;
  if (isInputSame && isEventSame) return E.right({ checkpoint, isInputSame, isEventSame });
  const changed = isInputSame ? 'event section' : isEventSame ? 'inputs' : 'inputs and event section';
  log.write('warning', `the ${changed} of the config changed since the checkpoint: they begin anew`, {
    hint: 'what has not changed goes on; the time zone, the seed and the params belong to both',
  });
  return E.right(isInputSame || isEventSame ? { checkpoint, isInputSame, isEventSame } : null);
};

/** Where inputs begin: those of an earlier run at its `now`, so that relative times stay what they were. */
export const inputStart = (
  found: FoundCheckpoint | null,
  { live_mode, skip_past }: GeneratorParams,
  now: Micros,
): InputStart => ({
  now: found?.isInputSame === true ? found.checkpoint.now : now,
  skipPast: live_mode && skip_past,
});

/** Saves positions of a run to its checkpoint file. */
export const checkpointSaver =
  (path: string, limit: number | null, start: Pick<Checkpoint, 'seed' | 'now'>): SavePosition =>
  (position, hasEnded) => {
    // A run that ended at its limit may go on with a larger one.
    const is_finished = hasEnded && (limit === null || eventsGiven(position.event) < limit);
    return writeCheckpoint(path, { ...position, ...start, is_finished });
  };
