import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import type { GenerationParams, StartupEntry } from '../../domain/generator.js';
import { checkGeneratorId } from '../../domain/identifiers.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { partitionConflict } from '../../domain/partitions.js';
import { decode, expandDotted } from '../../schema/index.js';
import { invalid } from '../report.js';
import { encodeGeneration } from '../settings/generationFields.js';
import { keepExtensions } from '../values.js';
import { startupEntryShape } from './shape.js';

export interface StartupContext {
  /** Defaults of the entries. */
  readonly generation: GenerationParams;
  /** Absolute path; relative paths resolve against it. */
  readonly generators_dir: string;
}

/** Fills in defaults key by key, also in nested objects. `null` means "not given", except in `batch`. */
const layUnder = (defaults: JsonObject, over: JsonObject, isNullGiven: boolean): JsonObject => {
  const entries = new Map<string, Json>(Object.entries(over));
  for (const [key, fallback] of Object.entries(defaults)) {
    const given = entries.get(key);
    if (given === undefined || (given === null && !isNullGiven)) entries.set(key, fallback);
    else if (isJsonObject(given) && isJsonObject(fallback)) {
      entries.set(key, layUnder(fallback, given, key === 'batch'));
    }
  }
  return Object.fromEntries(entries);
};

export const withDefaults = (value: Json, generation: GenerationParams): Json => {
  const defaults = encodeGeneration(generation);
  return isJsonObject(value) && isJsonObject(defaults) ? layUnder(defaults, value, false) : value;
};

/** Whether an absolute path leads out of an absolute folder, by name only. */
export const isOutside = (folder: string, file: string): boolean => {
  const way = relative(folder, file);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
};

/** A path relative to the generators directory if it is inside. */
export const shownPath =
  (generators_dir: string) =>
  (path: string): string => {
    const shown = relative(generators_dir, path);
    return isOutside(generators_dir, path) || shown === '' ? path : shown.split(sep).join('/');
  };

/** Decodes an entry of a request: no dotted keys. */
const entryOfBody = (body: Json, context: StartupContext): E.Either<readonly Issue[], StartupEntry> =>
  E.flatMap((entry: StartupEntry): E.Either<readonly Issue[], StartupEntry> => {
    const { partitions, scenarios } = entry;
    const message = partitionConflict(partitions, scenarios);
    const path = resolve(context.generators_dir, entry.path);
    return message === null
      ? E.right({ ...entry, path, scenarios: [...new Set(scenarios)] })
      : E.left([{ path: ['partitions'], type: 'not_allowed', message }]);
  })(decode(startupEntryShape, withDefaults(body, context.generation)));

/** Decodes an entry of the file. */
export const entryOfFile = (value: Json, context: StartupContext): E.Either<readonly Issue[], StartupEntry> =>
  E.flatMap((expanded: Json) => entryOfBody(expanded, context))(expandDotted(value, startupEntryShape));

interface RejectedId {
  readonly id: string | null;
}

/**
 * Former entries that stay in force beside a list that was read again: those whose entry is invalid now. While an entry
 * has no id of its own (none, no valid one, or that of another entry), every entry that is missing stays, because it may
 * be the one that is meant.
 */
export const formerEntries = <A extends { readonly id: string }>(
  former: readonly A[],
  {
    entries,
    rejected,
  }: { readonly entries: readonly RejectedId[]; readonly rejected: readonly RejectedId[] },
): readonly A[] => {
  const valid = new Set(entries.map(({ id }) => id));
  const invalid = new Set<string>();
  let isUnsure = false;
  for (const { id } of rejected) {
    isUnsure ||= id === null || valid.has(id) || invalid.has(id) || checkGeneratorId(id) !== null;
    if (id !== null) invalid.add(id);
  }
  return former.filter(({ id }) => !valid.has(id) && (isUnsure || invalid.has(id)));
};

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
