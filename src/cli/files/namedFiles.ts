import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { flatten, walkDirectory } from '../../adapters/directories/walk.js';
import { ioError, isAbsent } from '../../adapters/files/ioError.js';
import { failure, type Result } from '../../domain/errors.js';

/** A file to look at; `isNamed` when a person named it, not only a folder around it. */
export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** As a person would write it. */
  readonly shown: string;
  readonly isNamed: boolean;
}

/** Folders that hold no files of a person. */
const isSkipped = (path: string): boolean =>
  path.split('/').some((part) => part === 'node_modules' || (part.startsWith('.') && part !== ''));

/** Files of certain names below a folder, sorted by path. */
const filesBelow = async (
  folder: string,
  shown: string,
  names: RegExp,
): Promise<Result<readonly NamedFile[]>> => {
  const entries = await walkDirectory(folder);
  if (entries === null)
    return E.left(failure('too_large', `${shown} has too many files: name a folder below it`));
  const files = flatten(entries).filter(({ stats, path }) => {
    const below = relative(folder, path);
    return stats.isFile() && names.test(below) && !isSkipped(below);
  });
  return E.right(
    files.map(({ path }) => ({ path, shown: join(shown, relative(folder, path)), isNamed: false })),
  );
};

export const YAML_FILE = /\.ya?ml$/;

/**
 * The files that a path of the command line means: itself, whatever its name, or those below a folder whose path
 * matches (hidden folders and packages left out, links not followed). Left: nothing is there.
 */
export const filesAt = async (
  shown: string,
  cwd: string,
  names: RegExp,
): Promise<Result<readonly NamedFile[]>> => {
  const path = resolve(cwd, shown);
  try {
    const stats = await stat(path);
    return stats.isDirectory()
      ? await filesBelow(path, shown, names)
      : E.right([{ path, shown, isNamed: true }]);
  } catch (thrown) {
    return E.left(ioError(isAbsent(thrown) ? 'not_found' : 'unreadable', 'read', shown, thrown));
  }
};
