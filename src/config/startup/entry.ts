import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../../domain/errors.js';
import type { GenerationParams, StartupEntry } from '../../domain/generator.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { decode, expandDotted } from '../../schema/index.js';
import { encodeGeneration } from '../settings/generationFields.js';
import { startupEntryShape } from './shape.js';

/** What an entry takes from the settings. */
export interface StartupContext {
  /** Values that stand in for those which an entry does not give. */
  readonly generation: GenerationParams;
  /** Absolute path, against which relative paths resolve. */
  readonly generators_dir: string;
}

/**
 * Lays defaults under an object key by key, nested ones too. `null` means not given, except in `batch`,
 * where it means no limit.
 */
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

/** A value with the defaults of the settings for what it does not give. */
export const withDefaults = (value: Json, generation: GenerationParams): Json => {
  const defaults = encodeGeneration(generation);
  return isJsonObject(value) && isJsonObject(defaults) ? layUnder(defaults, value, false) : value;
};

/** Whether a path, as it is written, leads out of a folder. Both are absolute. */
export const isOutside = (folder: string, file: string): boolean => {
  const way = relative(folder, file);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
};

/** A path as people know it: relative to the generators directory where it is inside. */
export const shownPath =
  (generators_dir: string) =>
  (path: string): string => {
    const shown = relative(generators_dir, path);
    return isOutside(generators_dir, path) || shown === '' ? path : shown.split(sep).join('/');
  };

/** An entry as a request gives it: no dotted keys. */
export const entryOfBody = (body: Json, context: StartupContext): E.Either<readonly Issue[], StartupEntry> =>
  E.map(
    (entry: StartupEntry): StartupEntry => ({
      ...entry,
      path: resolve(context.generators_dir, entry.path),
      scenarios: [...new Set(entry.scenarios)],
    }),
  )(decode(startupEntryShape, withDefaults(body, context.generation)));

/** An entry as the file has it. */
export const entryOfFile = (value: Json, context: StartupContext): E.Either<readonly Issue[], StartupEntry> =>
  E.flatMap((expanded: Json) => entryOfBody(expanded, context))(expandDotted(value, startupEntryShape));
