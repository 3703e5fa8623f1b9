import { failure, type Issue, type Result, type SpateError } from '../../domain/errors.js';
import type { Log, LogContext } from '../../ports/log.js';

/** Largest answer of a preview whose size its plugin decides, in characters. */
export const MAX_ANSWER_LENGTH = 32 * 1024 * 1024;
/** Characters per piece of text. */
const CHUNK_LENGTH = 256 * 1024;

/** JSON text in pieces. */
export type AnswerText = Result<Iterable<string> | AsyncIterable<string>>;

/** Items of a JSON array as text, with commas between them and without brackets. */
export function* jsonItems(items: Iterable<unknown>): Generator<string> {
  let parts: string[] = [];
  let length = 0;
  let comma = '';
  for (const item of items) {
    const text = comma + JSON.stringify(item);
    comma = ',';
    parts.push(text);
    length += text.length;
    if (length < CHUNK_LENGTH) continue;
    yield parts.join('');
    parts = [];
    length = 0;
  }
  yield parts.join('');
}

/** `hint` says how to get a smaller answer. */
export const answerTooLarge = (hint: string): SpateError =>
  failure(
    'too_large',
    `the answer would have more than ${MAX_ANSWER_LENGTH / 1024 / 1024} Mi characters: ${hint}`,
  );

/** Prefixes the paths of the issues; an error without issues gets one. */
export const locatedAt = (path: Issue['path'], error: SpateError): SpateError => ({
  ...error,
  issues: (error.issues ?? [{ path: [], type: error.code, message: error.message }]).map((issue) => ({
    ...issue,
    path: [...path, ...issue.path],
  })),
});

/** Error that a plugin logged for a failed timestamp. */
export interface CaughtProblem {
  readonly message: string;
  readonly context: LogContext;
}

export interface Caught {
  /** Log of the plugin: errors are caught between `begin` and `take`, all other lines are passed on. */
  readonly log: Log;
  readonly begin: () => void;
  /** Returns the last error since `begin`, or null when there was none. */
  readonly take: () => CaughtProblem | null;
}

/** Catches the errors of failed timestamps, which plugins only log, for the answer. */
export const catchingLog = (target: Log): Caught => {
  let isCatching = false;
  let last: CaughtProblem | null = null;
  const wrap = (inner: Log, outer: LogContext): Log => ({
    write: (level, message, context = {}) => {
      if (isCatching && level === 'error') last = { message, context: { ...outer, ...context } };
      else inner.write(level, message, context);
    },
    with: (context) => wrap(inner.with(context), { ...outer, ...context }),
    isComplete: true,
  });
  return {
    log: wrap(target, {}),
    begin: () => {
      isCatching = true;
      last = null;
    },
    take: () => {
      isCatching = false;
      return last;
    },
  };
};
