import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import { sealed, unsealed } from './text/crc32.js';
import type { Micros } from './time/micros.js';

/** Position of one input: a state, and the timestamps used since. */
export interface InputPosition {
  readonly state: Json;
  /** Timestamps to skip after `state` is restored. */
  readonly skip: number;
  /** Sums of its size meter, restored last. Undefined when it has none. */
  readonly sizes?: Json;
}

/** Hashes of what determines each part of a stream; a part of a checkpoint with another hash is ignored. */
export interface Fingerprint {
  readonly input: string;
  readonly event: string;
}

/** Position of a partition: `inputs` are those before timestamp `ordinal` of the whole stream. */
export interface DealPosition {
  /** From 0. */
  readonly ordinal: number;
  /** Timestamps of the partition used since. */
  readonly skip: number;
}

export interface StreamPosition {
  readonly inputs: readonly InputPosition[];
  /** State of the event plugin. Null when it has none. */
  readonly event: Json;
  /** Position in the random numbers of the event plugin. */
  readonly random: readonly number[];
  /** Globals of a generator without scenario; `null` for members of one, which is saved separately. */
  readonly globals: JsonObject | null;
  /** The last timestamp that an event was made of; `null` before the first. */
  readonly last: Micros | null;
  /** Position of a partition. Undefined when the generator has no partitions. */
  readonly deal?: DealPosition;
  /** Fingerprint of the config in force at the position: a patch may come before the save. */
  readonly fingerprint: Fingerprint;
}

export interface Checkpoint extends StreamPosition {
  /** The seed of the first start, given or drawn. */
  readonly seed: string;
  /** `now` of the first start: the base of relative times. */
  readonly now: Micros;
  readonly is_finished: boolean;
}

/** Far above a position with the state of a large script. */
export const MAX_CHECKPOINT_BYTES = 256 * 1024 * 1024;

/** File of the checkpoint of a generator or partition below the folder of the state. */
export const checkpointPath = (state: string, id: string): string => `${state}/checkpoints/${id}.json`;

const VERSION = 1;

export const checkpointText = (checkpoint: Checkpoint): string =>
  `${sealed(JSON.stringify({ version: VERSION, ...checkpoint }))}\n`;

const isCount = (value: Json | undefined): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isPosition = (value: Json | undefined): boolean =>
  isJsonObject(value) && 'state' in value && isCount(value['skip']);

const isDeal = (value: Json | undefined): boolean =>
  isJsonObject(value) && isCount(value['ordinal']) && isCount(value['skip']);

const isNumbers = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

/** One check per field; Spate wrote the file, so a mismatch means damage or another version. */
const CHECKS: Readonly<Record<keyof Checkpoint | 'version', (value: Json | undefined) => boolean>> = {
  version: (value) => value === VERSION,
  fingerprint: (value) =>
    isJsonObject(value) && typeof value['input'] === 'string' && typeof value['event'] === 'string',
  seed: (value) => typeof value === 'string',
  now: Number.isFinite,
  inputs: (value) => Array.isArray(value) && value.every(isPosition),
  event: (value) => value !== undefined,
  random: isNumbers,
  globals: (value) => value === null || isJsonObject(value),
  deal: (value) => value === undefined || isDeal(value),
  last: (value) => value === null || Number.isFinite(value),
  is_finished: (value) => typeof value === 'boolean',
};

/** Parses the text of a checkpoint file; those of earlier versions have no checksum. Returns the problem of a damaged one. */
export const parseCheckpoint = (text: string): E.Either<string, Checkpoint> => {
  const object = unsealed(text.endsWith('\n') ? text.slice(0, -1) : text);
  if (object === null) return E.left('its checksum is wrong');
  const parsed = E.tryCatch(
    () => JSON.parse(object) as Json,
    () => 'it is not JSON',
  );
  if (E.isLeft(parsed)) return parsed;
  const value = parsed.right;
  if (!isJsonObject(value)) return E.left('it is not a JSON object');
  for (const [field, isRight] of Object.entries(CHECKS)) {
    if (!isRight(value[field])) return E.left(`"${field}" is missing or wrong`);
  }
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(CHECKS, field));
  if (unknown !== undefined) return E.left(`"${unknown}" is unknown`);
  const { version: _version, ...checkpoint } = value;
  return E.right(checkpoint as unknown as Checkpoint);
};
