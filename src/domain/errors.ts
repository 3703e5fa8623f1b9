import type { Either } from 'fp-ts/lib/Either.js';
/**
 * Expected errors are values of one shape. The table below maps each code to what the edges make of
 * it (HTTP status, exit code, log level, retry), so that no edge has an opinion of its own.
 */

import { MAX_MESSAGE_CHARS, MAX_REASON_CHARS, shortened } from './shortText.js';

/** One problem found in a document: where it is, what is wrong, what to do. */
export interface Issue {
  /** Keys and list positions from the root of the document, e.g. `['input', 0, 'cron', 'count']`. */
  readonly path: readonly (string | number)[];
  /** Stable kind of the problem, e.g. `missing`, `unknown_key`, `out_of_range`. */
  readonly type: string;
  /** What is wrong, in one sentence without the location. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Place in the file, both counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error' | 'critical';

interface ErrorRow {
  readonly status: number;
  /** Exit code of a command line program that ends with it. */
  readonly exit: number;
  readonly level: LogLevel;
  /** Whether a supervisor may try the same thing again and hope. */
  readonly retryable: boolean;
  readonly meaning: string;
}

const row = (
  status: number,
  exit: number,
  level: LogLevel,
  retryable: boolean,
  meaning: string,
): ErrorRow => ({ status, exit, level, retryable, meaning });

/** The one table of errors; `README.md` prints it and a test finds rows that nothing uses. */
export const ERRORS = {
  invalid: row(422, 1, 'error', false, 'A document or value breaks its declaration; issues say where.'),
  not_ready: row(
    400,
    1,
    'info',
    false,
    'What is asked about has not run yet, or nothing of its kind is in preview.',
  ),
  unauthenticated: row(401, 1, 'warning', false, 'Credentials are missing or wrong.'),
  forbidden: row(403, 1, 'warning', false, 'The client or the path may not do this.'),
  not_found: row(404, 1, 'info', false, 'What was named does not exist.'),
  method_not_allowed: row(405, 1, 'info', false, 'The path exists, this method of it does not.'),
  already_exists: row(409, 1, 'info', false, 'What should be created is there already.'),
  wrong_state: row(409, 1, 'info', false, 'The thing exists but is in a state that does not allow this.'),
  precondition_failed: row(412, 1, 'info', false, 'If-Match names another version than the current one.'),
  too_large: row(413, 1, 'warning', false, 'A body, value or state is over its named limit.'),
  unsupported_media_type: row(
    415,
    1,
    'info',
    false,
    'The content type of the body is not one of those taken.',
  ),
  upgrade_required: row(426, 1, 'info', false, 'The path is for WebSocket connections only.'),
  too_many_requests: row(429, 1, 'warning', true, 'A named limit of concurrent or repeated work is reached.'),
  unavailable: row(503, 1, 'warning', true, 'The service is starting, stopping or overloaded.'),
  timed_out: row(503, 1, 'error', true, 'An answer did not come within its deadline.'),
  unreadable: row(500, 1, 'error', false, 'A file could not be read.'),
  unwritable: row(500, 1, 'error', true, 'A file could not be written.'),
  keyring_locked: row(500, 1, 'error', false, 'The password of the keyring is missing or wrong.'),
  plugin_failed: row(422, 1, 'error', false, 'A plugin could not be built from its parameters.'),
  output_failed: row(503, 1, 'error', true, 'An output could not be opened, or a write to it failed.'),
  rejected: row(502, 1, 'error', false, 'A destination refused the events as they are.'),
  reader_gone: row(
    503,
    1,
    'error',
    false,
    'Nothing reads a pipe or socket that an output writes to any more.',
  ),
  bad_checkpoint: row(
    500,
    1,
    'error',
    false,
    'A checkpoint is damaged or does not fit; delete its file to begin again.',
  ),
  input_failed: row(500, 1, 'error', false, 'Every input of a generator failed.'),
  host_stalled: row(
    500,
    1,
    'error',
    true,
    'A pipeline thread stopped beating; the generator at work is named.',
  ),
  host_crashed: row(500, 1, 'error', true, 'A pipeline thread ended by itself; the reason is named.'),
  displaced: row(500, 1, 'info', true, 'A thread mate brought the thread down; this generator starts again.'),
  bug: row(500, 70, 'critical', false, 'Something that must not happen did: please report it.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export interface SpateError {
  readonly code: ErrorCode;
  /** One sentence: what was wrong, where, and what to do. */
  readonly message: string;
  /** The file that the issues speak of, if one. */
  readonly file?: string;
  readonly issues?: readonly Issue[];
}

/** What can fail as expected: a Left is for the reader to act on, never thrown. */
export type Result<A> = Either<SpateError, A>;

/**
 * Makes an error value; `extra` carries the file and the issues where there are any. Long messages are cut, because
 * scripts and destinations write parts of them.
 */
export const failure = (
  code: ErrorCode,
  message: string,
  extra: Pick<SpateError, 'file' | 'issues'> = {},
): SpateError => {
  const { issues } = extra;
  return {
    code,
    message: shortened(message),
    ...extra,
    ...(issues === undefined ? {} : { issues: issues.map(shortIssue) }),
  };
};

const shortIssue = (issue: Issue): Issue =>
  issue.message.length <= MAX_MESSAGE_CHARS ? issue : { ...issue, message: shortened(issue.message) };

/** What tells an error from other values, in whatever realm it was made: `instanceof Error` knows one only. */
interface ErrorLike {
  readonly name: string;
  readonly message: string;
  readonly stack?: unknown;
}

/** A text property of anything; `null` where there is none or reading it throws. */
const textAt = (value: unknown, key: 'code' | 'message' | 'name'): string | null => {
  if (typeof value !== 'object' || value === null) return null;
  try {
    const text: unknown = Reflect.get(value, key);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
};

/** True for errors of every realm (user scripts may make their own with `node:vm`). Total. */
export const isErrorLike = (value: unknown): value is ErrorLike =>
  textAt(value, 'name') !== null && textAt(value, 'message') !== null;

/** A value as text, cut when long. Total: also what has no text or throws when asked for it. */
export const printed = (value: unknown): string => {
  try {
    return shortened(String(value), MAX_REASON_CHARS);
  } catch {
    return 'a value that cannot be printed';
  }
};

/** Message of anything that was thrown, cut when long, without its stack; the name of an error whose message is empty. Total. */
export const reasonOf = (thrown: unknown): string => {
  const name = textAt(thrown, 'name');
  const message = textAt(thrown, 'message');
  if (name === null || message === null) return printed(thrown);
  return shortened(message === '' ? name : message, MAX_REASON_CHARS);
};

/** Code of an error of the system, e.g. `ENOSPC`; empty when it has none. Total. */
export const systemCodeOf = (thrown: unknown): string => textAt(thrown, 'code') ?? '';

/** Thrown where a plugin cannot answer with a value: ends its generator with this error, which is no bug. */
export class Failed extends Error {
  constructor(readonly error: SpateError) {
    super(error.message);
    this.name = 'Failed';
  }
}
