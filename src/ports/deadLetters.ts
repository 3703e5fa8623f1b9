import type { Result, SpateError } from '../domain/errors.js';

/** Stores undeliverable events of one output. */
export interface DeadLetters {
  /** Returns an error when the events cannot be stored, because the folder or the disk is full. */
  readonly put: (events: readonly string[], reason: SpateError) => Promise<Result<void>>;
}

export interface DeadLetter {
  /** Time of the first failure, ISO 8601. */
  readonly at: string;
  /** Code of the error table. */
  readonly code: string;
  readonly reason: string;
  /** The event before formatting. */
  readonly event: string;
}

/** A letter with its line, without line end. */
export interface StoredDeadLetter extends DeadLetter {
  readonly line: string;
}

/** Consecutive letters. */
export interface DeadLetterRun {
  readonly deadLetters: readonly StoredDeadLetter[];
  /** Number of lines without a letter: a crash cut them off. */
  readonly torn: number;
}

/** Decision about a run of letters. */
export interface DeadLetterVerdict {
  /** Lines that stay, unchanged or with a new reason, in order; the others are removed. */
  readonly keep: readonly string[];
  /** False: all later letters stay. */
  readonly goesOn: boolean;
}

export interface Sweep {
  /** Size limits of the next run, which has at least one letter; 0 letters: the sweep ends. */
  readonly next: () => { readonly count: number; readonly bytes: number };
  readonly judge: (deadLetters: readonly StoredDeadLetter[]) => Promise<DeadLetterVerdict>;
}

export interface DeadLetterFolder {
  readonly generator: string;
  /** Number of the output in the config, from 1, and its kind: `1` and `file` of the folder `1-file`. */
  readonly number: number;
  readonly kind: string;
  /** Absolute. */
  readonly path: string;
  /** Returns the size of all letters, or an error when the folder cannot be read. */
  readonly bytes: () => Promise<Result<number>>;
  /** Reads all letters, oldest first. An error comes last when a file cannot be read. */
  readonly read: () => AsyncIterable<Result<DeadLetterRun>>;
  /**
   * Judges the letters present at its start, oldest first. A kill loses none: letters of the last run may be judged
   * again. Lines without a letter are set aside. Returns the error `wrong_state` while another process sweeps the folder,
   * or an error of the disk.
   */
  readonly sweep: (sweep: Sweep) => Promise<Result<{ readonly torn: number }>>;
}

/** The folders to find. Null stands for any. */
export interface DeadLetterQuery {
  readonly generator: string | null;
  /** Name of the folder, for example `1-file`, or its number. */
  readonly output: string | null;
}

export interface DeadLetterFolders {
  /** Finds folders, sorted. Errors are `invalid` (an impossible name) and `not_found` (a named folder does not exist). */
  readonly find: (query: DeadLetterQuery) => Promise<Result<readonly DeadLetterFolder[]>>;
}
