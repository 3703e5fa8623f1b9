import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import type { Micros } from './time/micros.js';

/** Where one input is: its state at some moment, and the timestamps that were used up since. */
export interface InputPosition {
  readonly state: Json;
  /** Timestamps to leave out after `state` is restored. */
  readonly skip: number;
}

/** Names what decides a part of the stream: the part of a checkpoint that has another name is of no use. */
export interface Fingerprint {
  readonly input: string;
  readonly event: string;
}

/** Where a stream is at a batch boundary: everything before is used up, nothing after. */
export interface StreamPosition {
  readonly inputs: readonly InputPosition[];
  /** State of the event plugin; `null` where it has none. */
  readonly event: Json;
  /** Position in the random numbers of the event plugin. */
  readonly random: readonly number[];
  /** State that belongs to no scenario; `null` for members of one, which is kept on its own. */
  readonly globals: JsonObject | null;
  /** The last timestamp that an event was made of; `null` before the first. */
  readonly last: Micros | null;
  /** Of the config that the position belongs to: a patch may exchange it before the position is saved. */
  readonly fingerprint: Fingerprint;
}

/** What a checkpoint file holds: all that a new process needs to give the very next event. */
export interface Checkpoint extends StreamPosition {
  /** The seed of the first start, also where it was drawn. */
  readonly seed: string;
  /** `now` of the first start: the base of relative times. */
  readonly now: Micros;
  /** The stream has ended: there is no next event. */
  readonly is_finished: boolean;
}

const VERSION = 1;

/** Text of a checkpoint file. */
export const checkpointText = (checkpoint: Checkpoint): string =>
  `${JSON.stringify({ version: VERSION, ...checkpoint })}\n`;

const isPosition = (value: Json | undefined): boolean =>
  isJsonObject(value) &&
  'state' in value &&
  Number.isSafeInteger(value['skip']) &&
  Number(value['skip']) >= 0;

const isNumbers = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

/** What each field must be; the file is ours, so a mismatch means damage or another version. */
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
  last: (value) => value === null || Number.isFinite(value),
  is_finished: (value) => typeof value === 'boolean',
};

/** Reads the text of a checkpoint file; Left says what is wrong with it. */
export const parseCheckpoint = (text: string): E.Either<string, Checkpoint> => {
  const parsed = E.tryCatch(
    () => JSON.parse(text) as Json,
    () => 'it is not JSON',
  );
  if (E.isLeft(parsed)) return parsed;
  const value = parsed.right;
  if (!isJsonObject(value)) return E.left('it is not a JSON object');
  for (const [field, isRight] of Object.entries(CHECKS)) {
    if (!isRight(value[field])) return E.left(`"${field}" is missing or wrong`);
  }
  const { version: _version, ...checkpoint } = value;
  // Every field was checked above.
  return E.right(checkpoint as unknown as Checkpoint);
};
