import type { Json } from '../domain/json.js';
import type { Micros } from '../domain/time/micros.js';
import type { Activity, ActivityKind } from '../world/activity/kinds.js';

// What inputs have for their timestamps besides their time: activities of a world, or records of a log.

/** What the timestamps of an input observe. Pairs are found by time: no position has to be kept. */
export interface Activities {
  readonly kinds: readonly ActivityKind[];
  /** The attack that is shown while the global `anomaly` names none; with `isFixed`, whatever that names. */
  readonly anomaly: string;
  readonly isFixed?: boolean;
  /** Returns the activity of a timestamp, or null when the input does not give that timestamp. */
  readonly at: (micros: Micros) => Activity | null;
}

/** The records of an input, one for each of its timestamps. */
export interface Records {
  /** Format of the times in the records, as `compileStrptime` reads it. */
  readonly timestamp_format: string;
  /** Reads the records once more, from that of the next timestamp of the input on. */
  readonly player: () => RecordPlayer;
}

/** A reader of records in the order of their timestamps. It holds no file open. */
export interface RecordPlayer {
  /** `null` at the end. A record is valid until the next call. Throws if a file has changed. */
  readonly next: () => PlayedRecord | null;
  /** Number of the next record since the input began, from 0. */
  readonly ordinal: () => number;
  readonly snapshot: () => Json;
  /** Throws on the position of another recording. */
  readonly restore: (state: Json) => void;
}

export interface PlayedRecord {
  /** Its timestamp. */
  readonly micros: Micros;
  /** Where its own time is in the text. Null when it has none. */
  readonly span: readonly [start: number, end: number] | null;
  readonly file: string;
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly bytes: number;
  readonly isTooLong: boolean;
  /** Returns the text, or null when it is not valid in the encoding, or too long. */
  readonly text: () => string | null;
}
