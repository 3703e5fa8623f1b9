import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import type { StartupEntry } from '../../domain/generator.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { keepExtensions } from '../keepExtensions.js';
import { invalid } from '../report.js';
import { entryOfBody, isOutside, type StartupContext, shownPath } from './entry.js';
import { startupEntryShape } from './shape.js';

export interface NewEntry {
  readonly body: JsonObject;
  readonly entry: StartupEntry;
}

/** Groups in which `null` means "not given"; in `batch` it means "no limit". */
const GROUPS: ReadonlySet<string> = new Set(['queue', 'retry', 'template_limits']);

const given = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([key, one]): [string, Json] => [key, GROUPS.has(key) && isJsonObject(one) ? given(one) : one]),
  );

const refuse = (issue: Issue): Result<never> => E.left(invalid('', [issue]));

/** The entry that a new one replaces. */
export interface ReplacedEntry {
  /** Dotted keys expanded. */
  readonly written: JsonObject;
  /** Absolute; null when an invalid entry has none. */
  readonly path: string | null;
}

/**
 * The entry of a request body, under the id of its URL. Keeps extension keys of the replaced entry that the
 * body lacks, and stores a path relative to the generators directory. Returns the error `invalid` for another id, an
 * invalid entry, or a new path outside of the generators directory. Its paths start at the root of the body.
 */
export const newEntry = (
  id: string,
  body: JsonObject,
  context: StartupContext,
  replaced: ReplacedEntry | null,
): Result<NewEntry> => {
  if (body['id'] !== undefined && body['id'] !== null && body['id'] !== id) {
    const message = `must be '${id}', as in the URL`;
    return refuse({ path: ['id'], type: 'not_allowed', message, hint: 'Send the same id or none.' });
  }
  const stored = given(keepExtensions(startupEntryShape, replaced?.written, body) as JsonObject);
  const read = entryOfBody({ ...stored, id }, context);
  if (E.isLeft(read)) return E.left(invalid('', read.left));
  const entry = read.right;
  const { generators_dir } = context;
  if (
    entry.path !== replaced?.path &&
    (isOutside(generators_dir, entry.path) || entry.path === resolve(generators_dir))
  ) {
    const message = 'must be a file in the generators directory';
    return refuse({ path: ['path'], type: 'not_allowed', message });
  }
  const { id: _id, path: _path, ...rest } = stored;
  return E.right({ entry, body: { id, path: shownPath(generators_dir)(entry.path), ...rest } });
};
