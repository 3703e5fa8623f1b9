import type { Result, SpateError } from '../domain/errors.js';

/** Where events go that an output could not deliver, so that nothing vanishes silently. */
export interface DeadLetters {
  /** Keeps the events with the reason; Left: they could not be kept (the box is full, the disk too). */
  readonly put: (events: readonly string[], reason: SpateError) => Promise<Result<void>>;
}

/** One event that an output could not deliver. */
export interface Letter {
  /** When it was given up first, ISO 8601. */
  readonly at: string;
  /** Code of the error table. */
  readonly code: string;
  readonly reason: string;
  /** The event as it was produced, before any formatting. */
  readonly event: string;
}

/** A letter with the line that it stands on, without its end. */
export interface StoredLetter extends Letter {
  readonly line: string;
}

/** Letters in a row. */
export interface LetterRun {
  readonly letters: readonly StoredLetter[];
  /** Lines among them that hold no letter: a crash cut them off. */
  readonly torn: number;
}

/** What is to become of some letters. */
export interface Verdict {
  /** Lines of those that stay, as they were or with a new reason, in order; all others are removed. */
  readonly keep: readonly string[];
  /** False leaves what follows where it is. */
  readonly goesOn: boolean;
}

export interface Sweep {
  /** Most letters of the next run and most bytes of their lines (a run has at least one letter); 0 letters ends it. */
  readonly next: () => { readonly letters: number; readonly bytes: number };
  readonly judge: (letters: readonly StoredLetter[]) => Promise<Verdict>;
}

/** The dead letters of one output. */
export interface LetterBox {
  readonly generator: string;
  /** Place of the output in the config, from 1, and its kind: `1` and `file` of the folder `1-file`. */
  readonly number: number;
  readonly kind: string;
  /** Absolute. */
  readonly folder: string;
  /** Bytes of all letters now. Left: the folder cannot be read. */
  readonly bytes: () => Promise<Result<number>>;
  /** All letters, the oldest first, changing nothing. A Left is the last: a file cannot be read. */
  readonly read: () => AsyncIterable<Result<LetterRun>>;
  /**
   * Judges letters from the oldest on; those that were there when it began. A kill at any moment loses none:
   * the letters of the last run may be judged once more. Lines that hold no letter are set aside. Left:
   * `wrong_state` while another process sweeps this box, or what the disk answered.
   */
  readonly sweep: (sweep: Sweep) => Promise<Result<{ readonly torn: number }>>;
}

/** Names boxes; `null` is any. */
export interface BoxQuery {
  readonly generator: string | null;
  /** Name of the folder, e.g. `1-file`, or its number. */
  readonly output: string | null;
}

/** Every box of an instance. */
export interface LetterBoxes {
  /** Sorted. Left: `invalid` for a name that can be none, `not_found` for a named box that is not there. */
  readonly find: (query: BoxQuery) => Promise<Result<readonly LetterBox[]>>;
}
