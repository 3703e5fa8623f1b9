import type { Either } from 'fp-ts/lib/Either.js';
import { MAX_MESSAGE_CHARS, MAX_REASON_CHARS, shortened } from './text/shown.js';

export interface Issue {
  /** Keys and list positions, for example `['input', 0, 'cron', 'count']`. */
  readonly path: readonly (string | number)[];
  /** Stable kind of the problem, for example `missing`, `unknown_key`, `out_of_range`. */
  readonly type: string;
  /** One sentence, without the location. */
  readonly message: string;
  readonly hint?: string;
  /** Both from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The source line with a mark under the column, for terminals; absent where the location is clear without it. */
  readonly shown?: string;
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error' | 'critical';

interface ErrorRow {
  readonly status: number;
  /** Exit code of the CLI. */
  readonly exit: number;
  readonly level: LogLevel;
  /** Whether the same thing may succeed later. */
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

/** All error codes; the docs print the table, and a test finds unused rows. */
export const ERRORS = {
  invalid: row(422, 1, 'error', false, 'A document or value breaks its declaration; issues say where.'),
  not_ready: row(400, 1, 'info', false, 'The generator has not run yet, or no such plugin is in preview.'),
  unauthenticated: row(401, 1, 'warning', false, 'Credentials are missing or wrong.'),
  forbidden: row(403, 1, 'warning', false, 'The client or the path is not allowed to do this.'),
  not_found: row(404, 1, 'info', false, 'The named resource does not exist.'),
  method_not_allowed: row(405, 1, 'info', false, 'The path does not support this method.'),
  already_exists: row(409, 1, 'info', false, 'The resource to create already exists.'),
  wrong_state: row(409, 1, 'info', false, 'The resource is in a state that does not allow this.'),
  precondition_failed: row(412, 1, 'info', false, 'If-Match names another version than the current one.'),
  too_large: row(413, 1, 'warning', false, 'A body, value or state exceeds its limit.'),
  unsupported_media_type: row(415, 1, 'info', false, 'The content type of the body is not supported.'),
  upgrade_required: row(426, 1, 'info', false, 'The path accepts WebSocket connections only.'),
  too_many_requests: row(429, 1, 'warning', true, 'A limit of concurrent or repeated work is reached.'),
  unavailable: row(503, 1, 'warning', true, 'The service is starting, stopping or overloaded.'),
  timed_out: row(503, 1, 'error', true, 'An operation exceeded its deadline.'),
  unreadable: row(500, 1, 'error', false, 'A file could not be read.'),
  unwritable: row(500, 1, 'error', true, 'A file could not be written.'),
  keyring_locked: row(500, 1, 'error', false, 'The password of the keyring is missing or wrong.'),
  plugin_failed: row(422, 1, 'error', false, 'A plugin could not be built from its parameters.'),
  output_failed: row(503, 1, 'error', true, 'An output could not be opened, or a write to it failed.'),
  rejected: row(502, 1, 'error', false, 'A destination rejected the events; a retry cannot help.'),
  unroutable: row(
    422,
    1,
    'error',
    false,
    'An event does not fit the destination, for example its topic, key or size. It was not sent.',
  ),
  reader_gone: row(503, 1, 'error', false, 'The reader of a pipe or socket has closed it.'),
  bad_checkpoint: row(
    500,
    1,
    'error',
    false,
    'A checkpoint is damaged or does not fit. Delete its file to start over.',
  ),
  newer_state: row(
    500,
    1,
    'error',
    false,
    'A newer version of Spate has used the state folder. Use that version, or restore a backup.',
  ),
  input_failed: row(500, 1, 'error', false, 'Every input of a generator failed.'),
  host_stalled: row(
    500,
    1,
    'error',
    true,
    'A thread or Python script hung; the error names the generator at fault.',
  ),
  host_crashed: row(
    500,
    1,
    'error',
    true,
    'A thread or Python process ended unexpectedly; the error says why.',
  ),
  displaced: row(500, 1, 'info', true, 'Another generator on the thread brought it down; this one restarts.'),
  exhausted: row(
    503,
    1,
    'error',
    true,
    'The system has no file descriptor, process or memory left. Spate tries again until it has.',
  ),
  bug: row(500, 70, 'critical', false, 'An internal error. Please report it.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export interface SpateError {
  readonly code: ErrorCode;
  /** What is wrong, where, and what to do. */
  readonly message: string;
  /** The file of the issues, if any. */
  readonly file?: string;
  readonly issues?: readonly Issue[];
  /** The events of a write may be its cause: the destination closed the connection on them, or the output threw. */
  readonly isSuspect?: true;
}

/** Result of an operation with expected failures, which are never thrown. */
export type Result<A> = Either<SpateError, A>;

/** Makes an error. Long messages are cut: scripts and destinations write parts of them. */
export const failure = (
  code: ErrorCode,
  message: string,
  extra: Pick<SpateError, 'file' | 'issues' | 'isSuspect'> = {},
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

interface ErrorLike {
  readonly name: string;
  readonly message: string;
  readonly stack?: unknown;
}

/** Returns a text property of any value, or null when there is none or reading it throws. */
const textAt = (value: unknown, key: 'code' | 'message' | 'name'): string | null => {
  if (typeof value !== 'object' || value === null) return null;
  try {
    const text: unknown = Reflect.get(value, key);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
};

/** True for errors of every realm: scripts run in their own, where `instanceof Error` fails. Never throws. */
export const isErrorLike = (value: unknown): value is ErrorLike =>
  textAt(value, 'name') !== null && textAt(value, 'message') !== null;

/** A value as text, cut when long. Never throws. */
export const printed = (value: unknown): string => {
  try {
    return shortened(String(value), MAX_REASON_CHARS);
  } catch {
    return 'a value that cannot be printed';
  }
};

/** Message, or else name, of a thrown value, cut when long. Never throws. */
export const reasonOf = (thrown: unknown): string => {
  const name = textAt(thrown, 'name');
  const message = textAt(thrown, 'message');
  if (name === null || message === null) return printed(thrown);
  return shortened(message === '' ? name : message, MAX_REASON_CHARS);
};

/** Code of a system error, for example `ENOSPC`; empty: none. Never throws. */
export const systemCodeOf = (thrown: unknown): string => textAt(thrown, 'code') ?? '';

const SHORTAGES: Readonly<Record<string, string>> = {
  EMFILE: 'the process may not open more files. Raise its limit (ulimit -n, LimitNOFILE)',
  ENFILE: 'the machine may not open more files. Raise fs.file-max',
  EAGAIN: 'no more processes or threads may start. Raise the limit (ulimit -u, TasksMax)',
  ENOMEM: 'the system is out of memory',
};

const SHORTAGE = /\b(EMFILE|ENFILE|EAGAIN|ENOMEM)\b/;

/** What the system lacked and what to do, by a code or message of a system error; null when it lacked nothing. */
export const shortageIn = (text: string): string | null => SHORTAGES[SHORTAGE.exec(text)?.[1] ?? ''] ?? null;

/** Gives an error that a shortage of the system has caused its code: the same thing may succeed later. */
export const withShortage = (error: SpateError): SpateError => {
  const shortage = ERRORS[error.code].retryable ? null : shortageIn(error.message);
  return shortage === null ? error : failure('exhausted', `${error.message}: ${shortage}`);
};

/** Makes the error of an unexpected throw: a bug, unless the system lacked something. */
export const thrownError = (what: string, thrown: unknown): SpateError =>
  withShortage(failure('bug', `${what}: ${reasonOf(thrown)}`));

/** Thrown by plugins that cannot return a value: the generator fails with this error. */
export class Failed extends Error {
  constructor(readonly error: SpateError) {
    super(error.message);
    this.name = 'Failed';
  }
}
