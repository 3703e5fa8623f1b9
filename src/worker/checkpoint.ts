import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import {
  type Checkpoint,
  checkpointText,
  type Fingerprint,
  MAX_CHECKPOINT_BYTES,
  parseCheckpoint,
} from '../domain/checkpoint.js';
import { failure, type Result } from '../domain/errors.js';
import type { GeneratorDefinition, GeneratorParams } from '../domain/generator.js';
import type { JsonObject } from '../domain/json.js';
import type { Micros } from '../domain/time/micros.js';
import type { FromWorker, RunJob, ToWorker } from '../host/protocol.js';
import type { SavePosition } from '../pipeline/checkpoint.js';
import { type FeedPartition, STREAM_START } from '../pipeline/schedule/deal.js';
import type { InputStart } from '../plugins/kit.js';
import type { Log } from '../ports/log.js';
import { eventsGiven } from './bounds.js';

const hash = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** One hash per definition: positions are saved every second. */
const known = new WeakMap<GeneratorDefinition, Fingerprint>();

/** Fingerprint of the stream of a definition; outputs do not count. */
export const fingerprintOf = (definition: GeneratorDefinition): Fingerprint => {
  const found = known.get(definition);
  if (found !== undefined) return found;
  const { config, params } = definition;
  const { input, event } = config as JsonObject;
  const { timezone, seed, partition } = params;
  const dealt = partition === undefined ? [] : [partition];
  const made = {
    input: hash(input, timezone, seed, ...dealt),
    event: hash(event, timezone, seed, params.params, ...dealt),
  };
  known.set(definition, made);
  return made;
};

/** Where the checkpoint of a run is kept. */
export interface CheckpointSlot {
  /** For messages. */
  readonly name: string;
  /** Reads the checkpoint. Returns null when there is none. */
  readonly read: () => Promise<Result<string | null>>;
  /** Replaces it, whole or not at all. */
  readonly write: (text: string) => Promise<Result<void>>;
}

/** A file; its folder is created if needed. */
export const checkpointFile = (path: string): CheckpointSlot => ({
  name: path,
  read: async () => {
    const text = await privateFiles.readText(path, MAX_CHECKPOINT_BYTES);
    return E.isLeft(text) && text.left.code === 'not_found' ? E.right(null) : text;
  },
  write: async (text) => {
    const written = await privateFiles.replaceText(path, text);
    if (E.isRight(written)) return written;
    const made = await privateFiles.makeDirectory(dirname(path));
    return E.isLeft(made) ? written : privateFiles.replaceText(path, text);
  },
});

const readCheckpoint = async ({ name, read }: CheckpointSlot): Promise<Result<Checkpoint | null>> => {
  const text = await read();
  if (E.isLeft(text)) return text;
  if (text.right === null) return E.right(null);
  return E.mapLeft((why: string) =>
    failure('bad_checkpoint', `checkpoint ${name} cannot be used: ${why}. Delete it to start over`),
  )(parseCheckpoint(text.right));
};

/** A checkpoint, and which parts of it still fit the config. */
export interface FoundCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly isInputSame: boolean;
  readonly isEventSame: boolean;
}

/** Returns the checkpoint to resume from, or null to start at the beginning. */
export const findCheckpoint = async (
  { definition, tweaks }: Pick<RunJob, 'definition' | 'tweaks'>,
  slot: CheckpointSlot | null,
  log: Log,
): Promise<Result<FoundCheckpoint | null>> => {
  if (slot === null || tweaks.starts_over) return E.right(null);
  const found = await readCheckpoint(slot);
  if (E.isLeft(found)) return found;
  const checkpoint = found.right;
  if (checkpoint === null) return E.right(null);
  const { input, event } = fingerprintOf(definition);
  const isInputSame = checkpoint.fingerprint.input === input;
  const isEventSame = checkpoint.fingerprint.event === event;
  if (isInputSame && isEventSame) return E.right({ checkpoint, isInputSame, isEventSame });
  const changed = isInputSame ? 'event section' : isEventSame ? 'inputs' : 'inputs and event section';
  log.write('warning', `the ${changed} of the config changed since the checkpoint and start over`, {
    hint: 'unchanged parts resume; the time zone and the seed belong to both, the params to the event section',
  });
  return E.right(isInputSame || isEventSame ? { checkpoint, isInputSame, isEventSame } : null);
};

/** Where inputs begin: resumed ones at the `now` of the earlier run, so relative times stay the same. */
export const inputStart = (
  found: FoundCheckpoint | null,
  { live_mode, skip_past }: GeneratorParams,
  begin: Micros,
): InputStart => ({
  now: found?.isInputSame === true ? found.checkpoint.now : begin,
  skipPast: live_mode && skip_past,
});

/**
 * Returns which timestamps a run gets, or null for all. A partition that rejoins without a position skips what it
 * missed.
 */
export const partitionOfRun = (
  { params: { partition, live_mode, skip_past }, base }: GeneratorDefinition,
  found: FoundCheckpoint | null,
  now: Micros,
): FeedPartition | null => {
  if (partition === undefined) return null;
  const isResumed = found?.isInputSame === true;
  const skips = base?.rejoins === true && !isResumed && live_mode && skip_past;
  const position = (isResumed ? found.checkpoint.deal : null) ?? STREAM_START;
  return { ...partition, position, skipBefore: skips ? now : null };
};

/** Saves positions of a run to its checkpoint. */
export const checkpointSaver =
  (slot: CheckpointSlot, limit: number | null, start: Pick<Checkpoint, 'seed' | 'now'>): SavePosition =>
  (position, hasEnded) => {
    // A run that ended at its limit may resume with a larger one.
    const is_finished = hasEnded && (limit === null || eventsGiven(position.event) < limit);
    return slot.write(checkpointText({ ...position, ...start, is_finished }));
  };

/** The checkpoint of a run that the main thread stores: in a cluster, where another node may read it. */
export const mainThreadCheckpoint = (
  { run, definition }: Pick<RunJob, 'run' | 'definition'>,
  post: (message: FromWorker) => void,
): {
  readonly slot: CheckpointSlot;
  readonly onAnswer: (message: Extract<ToWorker, { type: 'checkpoint.answer' }>) => void;
} => {
  const waiting = new Map<number, (answer: Result<string | null>) => void>();
  let requests = 0;
  const ask = (text: string | null): Promise<Result<string | null>> =>
    new Promise((resolve) => {
      const request = ++requests;
      waiting.set(request, resolve);
      post({ type: 'checkpoint', run, request, text });
    });
  return {
    slot: {
      name: `of generator "${definition.params.id}" in the cluster`,
      read: () => ask(null),
      write: async (text) => E.map(() => undefined)(await ask(text)),
    },
    onAnswer: ({ request, answer }) => {
      waiting.get(request)?.(answer);
      waiting.delete(request);
    },
  };
};
