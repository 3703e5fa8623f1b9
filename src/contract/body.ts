import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../domain/directory.js';
import type { Issue } from '../domain/errors.js';
import { type Json, type JsonObject, notJson } from '../domain/json.js';
import { type AnyShape, decode, decodeStored, freeObject, listOf, text } from '../schema/index.js';
import { lossOf } from './jsonNumbers.js';
import { type Problem, problem } from './problem.js';
import type { BodySpec, UploadSpec } from './route.js';

const MIB = 1_048_576;
const JSON_TYPE = 'application/json';
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';

export const MAX_UPLOAD_BYTES = 64 * MIB;
/** Maximum size of a log to learn from; `spate learn` reads larger ones. */
export const MAX_LEARNED_BYTES = 8 * MIB;
/** Maximum size of the JSON of a whole generator. */
export const MAX_IMPORT_BYTES = 32 * MIB;

/** Levels of lists and objects, so that later recursion over a body is bounded. */
const MAX_BODY_DEPTH = 200;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = new TextEncoder().encode(
  '"\\[]{}',
);

/** Counts the brackets outside of strings. Bytes of multi-byte characters never look like them. */
const isTooDeep = (bytes: Uint8Array): boolean => {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) isText = !isText;
    else if (isText) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_BODY_DEPTH) return true;
  }
  return false;
};

/** Parses a body. A number that would change its value is an error, and so is a key that is there twice. */
export const parseBody = (bytes: Uint8Array): E.Either<Problem, Json> => {
  if (bytes.length === 0) return E.left(problem(['body'], 'missing', 'is required; send JSON'));
  if (isTooDeep(bytes))
    return E.left(problem(['body'], 'too_deep', `must not be nested deeper than ${MAX_BODY_DEPTH} levels`));
  let text: string | null = null;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const body = JSON.parse(text) as Json;
    const loss = lossOf(text);
    return loss === null ? E.right(body) : E.left(problem(['body', ...loss.path], loss.type, loss.message));
  } catch {
    return E.left(problem(['body'], 'bad_format', text === null ? 'must be JSON in UTF-8' : notJson(text)));
  }
};

/** A body that is stored as a file. Placeholders are valid inside it, but not as the whole. */
export const storedBody = (schemaName: string, shape: AnyShape): BodySpec<Json> => ({
  kind: 'json',
  mediaTypes: [JSON_TYPE],
  limit_bytes: MIB,
  schemaName,
  check: (body) =>
    typeof body === 'string'
      ? E.left([{ path: [], type: 'wrong_type', message: 'must be an object, not text' }])
      : E.map(() => body)(decodeStored(shape, body)),
});

/** A file: the only field of a form, or the bytes of the body. */
export const uploadBody = (field: string, limit_bytes = MAX_UPLOAD_BYTES): UploadSpec<Upload> => ({
  kind: 'upload',
  field,
  limit_bytes,
  check: E.right,
});

/** The most values that a body of the largest size can hold. */
export const bodyObject = freeObject({ maxValues: MIB / 2 });

export const objectBody = (schemaName: string, mediaTypes: readonly string[]): BodySpec<JsonObject> => ({
  kind: 'json',
  mediaTypes: [JSON_TYPE, ...mediaTypes],
  limit_bytes: MIB,
  schemaName,
  check: (body): E.Either<readonly Issue[], JsonObject> => decode(bodyObject, body),
});

/** Per request. */
const MAX_IDS = 10_000;

const ids = listOf(text(), { min: 1, max: MAX_IDS });

export const idsSchema = ids.schema;

/** Ids of generators; the owner judges unknown ones. */
export const idsBody: BodySpec<readonly string[]> = {
  kind: 'json',
  mediaTypes: ['application/json'],
  limit_bytes: MIB,
  schemaName: 'GeneratorIds',
  check: (body) => decode(ids, body),
};
