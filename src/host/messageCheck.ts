import { ERRORS } from '../domain/errors.js';
import { MAX_GLOBALS_LENGTH } from '../domain/globals/owned.js';
import { MAX_MESSAGE_CHARS } from '../domain/text/shown.js';
import type { FromWorker } from './protocol.js';

/** Longest text of a message; above the limit to which threads cut texts. */
const MAX_TEXT_CHARS = 8 * MAX_MESSAGE_CHARS;
/** Depth of the JSON in the context of a log line. */
const MAX_DEPTH = 16;
/** Longest state: one value of a script may take it over its limit, and it is still sent whole. */
const MAX_STATE_CHARS = 32 * MAX_GLOBALS_LENGTH;

type Check = (value: unknown) => boolean;

/** One check per field of each message: a new message or field without one does not compile. */
type Checks = {
  readonly [T in FromWorker['type']]: {
    readonly [K in Exclude<keyof Extract<FromWorker, { readonly type: T }>, 'type'>]-?: Check;
  };
};

const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Check = (value) => typeof value === 'string' && value.length <= MAX_TEXT_CHARS;
const isAnyText: Check = (value) => typeof value === 'string';
const isStateText: Check = (value) => typeof value === 'string' && value.length <= MAX_STATE_CHARS;
const isBoolean: Check = (value) => typeof value === 'boolean';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const oneOf =
  (...texts: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && texts.includes(value);

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const orNone =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([key, check]) => check(value[key]));

const isJson = (value: unknown, depth = 0): boolean => {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return true;
  if (typeof value === 'string') return value.length <= MAX_TEXT_CHARS;
  if (typeof value !== 'object' || depth === MAX_DEPTH) return value === undefined;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return parts.every((part) => isJson(part, depth + 1));
};

const isIssue = fields({
  path: listOf((part) => isText(part) || isCount(part)),
  type: isText,
  message: isText,
  hint: orNone(isText),
  line: orNone(isCount),
  column: orNone(isCount),
});

const isError = fields({
  code: (value) => typeof value === 'string' && Object.hasOwn(ERRORS, value),
  message: isText,
  file: orNone(isText),
  issues: orNone(listOf(isIssue)),
});

const isRight = fields({
  _tag: oneOf('Right'),
  right: fields({ etag: isText, text: orNull(isStateText) }),
});
const isLeft = fields({ _tag: oneOf('Left'), left: isError });
const isAnswer: Check = (value) => isRight(value) || isLeft(value);

const globalsText = { scenario: isText, text: isStateText, changeNumber: isCount };

const CHECKS: Checks = {
  ready: {},
  running: { run: isCount },
  ended: { run: isCount, end: oneOf('completed', 'drained') },
  failed: { run: isCount, error: isError },
  patched: { run: isCount, request: isCount, error: orNull(isError) },
  tailed: {
    run: isCount,
    sample: fields({
      find: isAnyText,
      heads: listOf(fields({ text: isAnyText, bytes: isCount, is_cut: isBoolean })),
      searched: isCount,
      skipped: isCount,
      found: isCount,
    }),
  },
  checkpoint: { run: isCount, request: isCount, text: orNull(isStateText) },
  log: {
    level: oneOf('debug', 'info', 'warning', 'error', 'critical'),
    message: isText,
    context: (value) => isObject(value) && isJson(value),
  },
  crashing: { reason: isText, run: orNull(isCount) },
  'globals.answer': { request: isCount, answer: isAnswer },
  'owner.changed': globalsText,
  'owner.released': globalsText,
  'preview.done': { job: isCount, chunks: listOf((value) => value instanceof Uint8Array) },
  'preview.failed': { job: isCount, error: isError },
};

/**
 * Checks a message: scripts share the thread, so none is trusted. Returns null for a malformed one. `lastRun` is the
 * highest run sent.
 */
export const checkMessage = (value: unknown, lastRun: number): FromWorker | null => {
  if (!isObject(value) || typeof value['type'] !== 'string' || !Object.hasOwn(CHECKS, value['type']))
    return null;
  if (!fields(CHECKS[value['type'] as FromWorker['type']])(value)) return null;
  const message = value as unknown as FromWorker;
  const run = 'run' in message ? (message.run ?? 0) : 0;
  return run > lastRun ? null : message;
};
