import type { ErrorCode } from '../domain/errors.js';

interface OfGenerator {
  readonly id: string;
}

interface OfOutput extends OfGenerator {
  /** Folder of an output, for example `1-file`, or its number. Null for all outputs. */
  readonly output: string | null;
}

/** Dead letters of one output. */
export interface DeadLetterSummary {
  /** Position in the config and kind, for example `1-file`. */
  readonly output: string;
  readonly letters: number;
  readonly bytes: number;
  /** Lines without a letter: a crash cut them off. */
  readonly torn: number;
  /** ISO 8601; `null` without letters. */
  readonly oldest: string | null;
  readonly newest: string | null;
  /** Most frequent first. */
  readonly reasons: readonly { readonly code: string; readonly reason: string; readonly letters: number }[];
}

interface DeadLetter {
  /** Time of the first failure, ISO 8601. */
  readonly at: string;
  readonly code: string;
  readonly reason: string;
  /** The event before formatting. */
  readonly event: string;
}

export interface ResentDeadLetters {
  readonly output: string;
  /** Delivered and removed. */
  readonly sent: number;
  /** Tried and kept, with the new reason. */
  readonly refused: number;
  /** Why the last letter was refused. */
  readonly reason: string | null;
  readonly error_code: ErrorCode | null;
  /** True: the output is down, and the rest was not tried. */
  readonly is_down: boolean;
  /** False: letters that were there at the start were not tried. */
  readonly is_done: boolean;
}

export interface PurgedDeadLetters {
  readonly output: string;
  readonly removed: number;
  readonly left: number;
}

/**
 * Requests about the dead letters of a generator. Errors are `not_found` without dead letters of that output, `wrong_state` while they
 * are being resent or purged, or an error of the disk.
 */
export interface DeadLetterRequests {
  /** Outputs with letters; empty for a generator without. */
  'dead_letters.list': { payload: OfGenerator; answer: readonly DeadLetterSummary[] };
  /** Oldest first. */
  'dead_letters.read': {
    payload: OfGenerator & { readonly output: string; readonly offset: number; readonly limit: number };
    answer: { readonly letters: readonly DeadLetter[]; readonly next_offset: number | null };
  };
  /**
   * Sends letters through the current config, for a limited time. Other errors say why the config or output cannot be
   * used.
   */
  'dead_letters.resend': {
    payload: OfOutput & { readonly limit: number };
    answer: readonly ResentDeadLetters[];
  };
  /** Removes letters up to a time, ISO 8601. Null for all that are there. */
  'dead_letters.purge': {
    payload: OfOutput & { readonly until: string | null };
    answer: readonly PurgedDeadLetters[];
  };
}
