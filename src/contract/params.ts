import * as E from 'fp-ts/lib/Either.js';
import { checkFilePath, MAX_FILE_PATH_BYTES } from '../domain/directory.js';
import {
  checkDestinationName,
  checkDirectoryName,
  checkGeneratorId,
  checkScenarioName,
  MAX_DESTINATION_NAME,
  MAX_ID_LENGTH,
  MAX_SEGMENT_BYTES,
  type NameFlaw,
} from '../domain/identifiers.js';
import type { Json } from '../domain/json.js';
import { checkSecretName } from '../domain/secrets.js';
import { dayNumber, isoParts } from '../domain/time/iso.js';
import { parseSpan } from '../domain/time/span.js';
import { zoneOf } from '../domain/time/zone.js';
import {
  boolean,
  decode,
  integer,
  isLongerText,
  type JsonSchema,
  MAX_KEY_LENGTH,
  MAX_LIST_ITEMS,
  MAX_TEXT_LENGTH,
  type Shape,
  text,
} from '../schema/index.js';

/** An error of one value: a stable type and a sentence. */
export interface Flaw {
  readonly type: string;
  readonly msg: string;
}

/** A path or query parameter: how it is decoded and described. */
export interface Param<A> {
  readonly decode: (texts: readonly string[]) => E.Either<Flaw, A>;
  readonly schema: JsonSchema;
  readonly help: string;
  readonly isRequired?: true;
}

const flaw = (type: string, msg: string): E.Either<Flaw, never> => E.left({ type, msg });

const NO_SHAPE: Flaw = { type: 'bad_format', msg: 'is not valid' };

/** A parameter given at most once, else `fallback`; the text `null` means null in a query. */
const single = <A extends Json, F extends A | null>(
  shape: Shape<A>,
  fallback: F,
  help: string,
): Param<A | F> => ({
  decode: ([given, second]) => {
    if (second !== undefined) return flaw('duplicate', 'is given more than once; send it once');
    if (given === undefined) return E.right(fallback);
    return E.mapLeft(([issue]: { type: string; message: string }[]) =>
      issue === undefined ? NO_SHAPE : { type: issue.type, msg: issue.message },
    )(decode(shape, given));
  },
  schema: fallback === null ? shape.schema : { ...shape.schema, default: fallback },
  help,
});

export const booleanParam = (fallback: boolean, help: string): Param<boolean> =>
  single(boolean(), fallback, help);

/** An integer between two inclusive bounds. */
export const integerParam = (fallback: number, min: number, max: number, help: string): Param<number> =>
  single(integer({ min, max }), fallback, help);

/** An integer between two inclusive bounds; `null` if missing. */
export const optionalIntegerParam = (min: number, max: number, help: string): Param<number | null> =>
  single(integer({ min, max }), null, help);

const BAD_ZONE = {
  type: 'not_allowed',
  message: "must be an IANA time zone in its exact spelling, like 'Europe/Berlin' or 'UTC'",
};

export const zoneParam = <F extends string | null>(fallback: F, help: string): Param<string | F> =>
  single(text({ check: (zone) => (zoneOf(zone) === null ? BAD_ZONE : null) }), fallback, help);

/** A text of at most `maxLength` characters; `null` if missing. */
export const textParam = (maxLength: number, help: string): Param<string | null> =>
  single(text({ minLength: 1, maxLength }), null, help);

const MAX_SPAN_LENGTH = 100;

const spanDefect = (written: string): { type: string; message: string } | null => {
  const span = parseSpan(written);
  return E.isLeft(span) ? { type: 'bad_format', message: span.left } : null;
};

/** A span expression, checked and passed on as written; `null` if missing. */
export const spanParam = (help: string): Param<string | null> =>
  single(text({ maxLength: MAX_SPAN_LENGTH, check: spanDefect }), null, help);

const MAX_MOMENT_LENGTH = 100;

/** A duration or a name, passed on as written. */
export const momentParam = (help: string): Param<string> => ({
  decode: ([given, second]) => {
    if (given === undefined) return flaw('missing', 'is required');
    if (second !== undefined) return flaw('duplicate', 'is given more than once; send it once');
    return given.length === 0 || isLongerText(given, MAX_MOMENT_LENGTH)
      ? flaw('too_long', `must have 1 to ${MAX_MOMENT_LENGTH} characters`)
      : E.right(given);
  },
  schema: { type: 'string', minLength: 1, maxLength: MAX_MOMENT_LENGTH },
  help,
  isRequired: true,
});

export const textsParam = (
  help: string,
  { maxItems = MAX_LIST_ITEMS, maxLength = MAX_TEXT_LENGTH } = {},
): Param<readonly string[]> => ({
  decode: (texts) => {
    if (texts.length > maxItems) return flaw('too_long', `is given more than ${maxItems} times; send fewer`);
    return texts.some((given) => isLongerText(given, maxLength))
      ? flaw('too_long', `must have at most ${maxLength} characters`)
      : E.right(texts);
  },
  schema: { type: 'array', items: { type: 'string', maxLength }, maxItems, default: [] },
  help,
});

/** An escape that is left after one decoding is a double encoding. */
const checked = (written: string, found: NameFlaw | null): E.Either<Flaw, string> => {
  if (found !== null) return flaw(found.type, found.message);
  return /%[0-9a-f]{2}/i.test(written)
    ? flaw('not_allowed', 'must be percent-encoded once, not twice')
    : E.right(written);
};

/** JSON Schema patterns: no escape left after decoding, no separator, no control or direction character. */
const DECODED_ONCE = '(?!.*%[0-9a-fA-F]{2})';
const PLAIN = '[^/\\\\\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]';

/** The rule of `checkDirectoryName` without lengths in bytes. */
const NAME_PATTERN = `^${DECODED_ONCE}(?!\\.)${PLAIN}+$`;

/** The rule of `checkFilePath` without lengths: no part is empty, `.` or `..`. */
const FILE_PATH_PATTERN = `^${DECODED_ONCE}(?!\\.{0,2}(/|$))(?!.*/\\.{0,2}(/|$))(${PLAIN}|/)+$`;

/** A name in the path: one plain segment. A name that does not exist is a 404 of its owner. */
export const nameParam = (help: string): Param<string> => ({
  decode: ([name = '']) => checked(name, checkDirectoryName(name)),
  schema: { type: 'string', minLength: 1, maxLength: MAX_SEGMENT_BYTES, pattern: NAME_PATTERN },
  help,
});

/** Between one and `max` names in the query. A name that does not exist is for the owner to judge. */
export const namesParam = (max: number, help: string): Param<readonly string[]> => ({
  decode: (names) => {
    if (names.length === 0) return flaw('missing', 'is required');
    if (names.length > max) return flaw('too_long', `is given more than ${max} times; send fewer`);
    const wrong = names.map((name) => checked(name, checkDirectoryName(name))).find(E.isLeft);
    return wrong ?? E.right([...new Set(names)]);
  },
  schema: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_SEGMENT_BYTES, pattern: NAME_PATTERN },
    minItems: 1,
    maxItems: max,
  },
  help,
  isRequired: true,
});

/** A name in the path with a rule of its own; `pattern`: that rule without lengths. */
export const checkedParam = (
  rule: {
    readonly check: (name: string) => NameFlaw | null;
    readonly pattern: string;
    readonly max_length: number;
  },
  help: string,
): Param<string> => ({
  decode: ([name = '']) => checked(name, rule.check(name)),
  schema: { type: 'string', minLength: 1, maxLength: rule.max_length, pattern: rule.pattern },
  help,
});

/** The name of a destination or world: a file without its suffix. */
export const storedNameParam = (help: string): Param<string> =>
  checkedParam(
    { check: checkDestinationName, pattern: '^(?!\\.)[A-Za-z0-9._-]+$', max_length: MAX_DESTINATION_NAME },
    help,
  );

/** A name in the query; `null` if missing. */
export const optionalNameParam = (help: string): Param<string | null> => ({
  decode: ([name, second]) => {
    if (second !== undefined) return flaw('duplicate', 'is given more than once; send it once');
    return name === undefined ? E.right(null) : checked(name, checkDirectoryName(name));
  },
  schema: { type: 'string', minLength: 1, maxLength: MAX_SEGMENT_BYTES, pattern: NAME_PATTERN },
  help,
});

const NO_TIME = {
  type: 'bad_format',
  message: 'must be an ISO 8601 date-time with an offset, like 2026-01-01T09:00:00Z',
};

/** An instant, passed on as written; `null` if missing. */
export const timeParam = (help: string): Param<string | null> => {
  const shape = text({
    check: (written) => (typeof isoParts(written)?.offset === 'number' ? null : NO_TIME),
  });
  return { ...single(shape, null, help), schema: { ...shape.schema, format: 'date-time' } };
};

const NO_DATE = { type: 'bad_format', message: 'must be a date, like 2026-03-10' };

/** A day, passed on as written; `null` if missing. */
export const dateParam = (help: string): Param<string | null> => {
  const shape = text({ check: (written) => (dayNumber(written) === null ? NO_DATE : null) });
  return { ...single(shape, null, help), schema: { ...shape.schema, format: 'date' } };
};

/** The path of a file inside a generator directory, for path and query. */
export const filePathParam = (help: string): Param<string> => ({
  decode: ([path, second]) => {
    if (path === undefined) return flaw('missing', 'is required');
    if (second !== undefined) return flaw('duplicate', 'is given more than once; send it once');
    return checked(path, checkFilePath(path));
  },
  schema: { type: 'string', minLength: 1, maxLength: MAX_FILE_PATH_BYTES, pattern: FILE_PATH_PATTERN },
  help,
  isRequired: true,
});

/** Any text: keys of globals can contain encoded slashes and all other characters. */
export const keyParam = (help: string): Param<string> => ({
  decode: ([key = '']) =>
    isLongerText(key, MAX_KEY_LENGTH)
      ? flaw('too_long', `must have at most ${MAX_KEY_LENGTH} characters`)
      : E.right(key),
  schema: { type: 'string', maxLength: MAX_KEY_LENGTH },
  help,
});

/** Decodes percent-encoding (RFC 3986) once; `null` for malformed escapes and invalid UTF-8. */
export const percentDecode = (written: string): string | null => {
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
};

export const BAD_ESCAPE: Flaw = {
  type: 'bad_format',
  msg: 'must be percent-encoded: two hex digits after every %, bytes in UTF-8',
};

/** A name to be created: adds the rule of its kind to that of all path names. */
const newName = (help: string, check: (name: string) => NameFlaw | null, rule: JsonSchema): Param<string> => {
  const plain = nameParam(help);
  return {
    ...plain,
    schema: { ...plain.schema, maxLength: MAX_ID_LENGTH, ...rule },
    decode: (texts) =>
      E.flatMap((name: string): E.Either<Flaw, string> => {
        const flaw = check(name);
        return flaw === null ? E.right(name) : E.left({ type: flaw.type, msg: flaw.message });
      })(plain.decode(texts)),
  };
};

export const newGeneratorIdParam = (help: string): Param<string> =>
  newName(help, checkGeneratorId, { pattern: '^(?!\\.)[A-Za-z0-9._-]+$' });
export const newScenarioNameParam = (help: string): Param<string> => newName(help, checkScenarioName, {});
export const newSecretNameParam = (help: string): Param<string> =>
  newName(help, checkSecretName, { pattern: '^(?![.-])[A-Za-z0-9._-]+$' });

/** A parameter of the path that is required in the query. */
export const inQuery = <A>(param: Param<A>): Param<A> => ({
  ...param,
  decode: (texts) => {
    if (texts.length === 0) return flaw('missing', 'is required');
    return texts.length > 1
      ? flaw('duplicate', 'is given more than once; send it once')
      : param.decode(texts);
  },
  isRequired: true,
});
