import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../adapters/files.js';
import { type Checkpoint, checkpointText, parseCheckpoint } from '../domain/checkpoint.js';
import { failure, type SpateError } from '../domain/errors.js';
import type { GeneratorDefinition } from '../domain/generator.js';
import type { JsonObject } from '../domain/json.js';
import type { RunJob } from '../host/protocol.js';
import type { CheckpointKeeping } from '../pipeline/checkpoint.js';
import { eventsGiven } from '../pipeline/limit.js';
import type { Log } from '../ports/log.js';

/** A position with the state of a large script stays far below this. */
const MAX_CHECKPOINT_BYTES = 256 * 1024 * 1024;

/**
 * Names the stream that a definition gives: its inputs, its event plugin, zone, seed and parameters. Two
 * definitions with the same fingerprint give the same timestamps and events; outputs have no part in it.
 */
export const fingerprintOf = ({ config, params }: GeneratorDefinition): string => {
  const { input, event } = config as JsonObject;
  const stream = [input, event, params.timezone, params.seed, params.params];
  return createHash('sha256').update(JSON.stringify(stream)).digest('hex');
};

/** What is in a checkpoint file; Right `null`: there is none. */
export const readCheckpoint = async (path: string): Promise<E.Either<SpateError, Checkpoint | null>> => {
  const text = await nodeFiles.readText(path, MAX_CHECKPOINT_BYTES);
  if (E.isLeft(text)) return text.left.code === 'not_found' ? E.right(null) : text;
  return E.mapLeft((why: string) =>
    failure('bad_checkpoint', `checkpoint ${path} cannot be used: ${why}; delete it to begin again`),
  )(parseCheckpoint(text.right));
};

/** Replaces a checkpoint file, whole or not at all; makes its folder where needed. */
export const writeCheckpoint = async (
  path: string,
  checkpoint: Checkpoint,
): Promise<E.Either<SpateError, void>> => {
  const text = checkpointText(checkpoint);
  const written = await nodeFiles.replaceText(path, text);
  if (E.isRight(written)) return written;
  const made = await nodeFiles.makeDirectory(dirname(path));
  return E.isLeft(made) ? written : nodeFiles.replaceText(path, text);
};

/** The checkpoint that a run goes on from; Right `null`: it begins at the beginning. */
export const findCheckpoint = async (
  { checkpoint, definition, tweaks }: RunJob,
  log: Log,
): Promise<E.Either<SpateError, Checkpoint | null>> => {
  if (checkpoint === null || tweaks.starts_over) return E.right(null);
  const found = await readCheckpoint(checkpoint);
  if (E.isLeft(found) || found.right === null) return found;
  if (found.right.fingerprint === fingerprintOf(definition)) return found;
  log.write('warning', 'the checkpoint is of another stream: this one begins at its beginning', {
    hint: 'the inputs, the event plugin, the time zone, the seed or the params have changed since it was saved',
  });
  return E.right(null);
};

/** Saves positions of a run to its checkpoint file. */
export const checkpointSaver = (
  path: string,
  { definition, tweaks: { limit } }: RunJob,
  start: Pick<Checkpoint, 'seed' | 'now'>,
): CheckpointKeeping['save'] => {
  const fingerprint = fingerprintOf(definition);
  return (position, hasEnded) => {
    // A run that ended at its limit may go on with a larger one.
    const is_finished = hasEnded && (limit === null || eventsGiven(position.event) < limit);
    return writeCheckpoint(path, { ...position, ...start, fingerprint, is_finished });
  };
};
