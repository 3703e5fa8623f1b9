import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../domain/directories/upload.js';
import type { Issue } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/json.js';
import { type AnyShape, decode, decodeStored, freeObject } from '../schema/index.js';
import { lostNumber } from './jsonNumbers.js';
import { type Problem, problem } from './problem.js';
import type { BodySpec, UploadSpec } from './route.js';

const MIB = 1_048_576;
const JSON_TYPE = 'application/json';
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';

/** Largest file that can be sent. */
export const MAX_UPLOAD_BYTES = 64 * MIB;

/** Lists and objects of a body may lie this deep in each other; whatever walks through it later has no limit of its own. */
export const MAX_BODY_DEPTH = 200;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = new TextEncoder().encode(
  '"\\[]{}',
);

/** Looks at the brackets outside of texts. Bytes of longer characters are none of them. */
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

/**
 * Parses a body. `JSON.parse` makes `__proto__` an own key like any other; duplicates: the last wins. A number
 * that would come out as another one is refused at its place.
 */
export const parseBody = (bytes: Uint8Array): E.Either<Problem, Json> => {
  if (bytes.length === 0) return E.left(problem(['body'], 'missing', 'a JSON body is required'));
  if (isTooDeep(bytes))
    return E.left(problem(['body'], 'too_deep', `must not be nested deeper than ${MAX_BODY_DEPTH} levels`));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const body = JSON.parse(text) as Json;
    const lost = lostNumber(text);
    return lost === null
      ? E.right(body)
      : E.left(problem(['body', ...lost.path], 'out_of_range', lost.message));
  } catch {
    return E.left(problem(['body'], 'bad_format', 'the body must be JSON in UTF-8'));
  }
};

/**
 * A body that is stored as a file: placeholders may stand at any place inside it, but not for all of it
 * (a shape takes a placeholder at its root too, since it can be a part of a larger one).
 */
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

/** A body that is used at once: no placeholders. */
export const directBody = (schemaName: string, shape: AnyShape): BodySpec<Json> => ({
  kind: 'json',
  mediaTypes: [JSON_TYPE],
  limit_bytes: MIB,
  schemaName,
  check: (body) => E.map(() => body)(decode(shape, body)),
});

/** A file, as the one field of a form or as the bytes of the body. */
export const uploadBody = (field: string): UploadSpec<Upload> => ({
  kind: 'upload',
  field,
  limit_bytes: MAX_UPLOAD_BYTES,
  check: E.right,
});

/** An object of a body, which has a limit in bytes: this is what so many bytes may hold. */
export const bodyObject = freeObject({ maxValues: MIB / 2 });

/** Any JSON object. */
export const objectBody = (schemaName: string, mediaTypes: readonly string[]): BodySpec<JsonObject> => ({
  kind: 'json',
  mediaTypes: [JSON_TYPE, ...mediaTypes],
  limit_bytes: MIB,
  schemaName,
  check: (body): E.Either<readonly Issue[], JsonObject> => decode(bodyObject, body),
});
