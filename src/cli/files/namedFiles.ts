import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { flatten, walkDirectory } from '../../adapters/directories/walk.js';
import { ioError, isAbsent } from '../../adapters/files/ioError.js';
import { failure, type Result } from '../../domain/errors.js';

export interface NamedFile {
  readonly path: string;
  /** Path as the user wrote it. */
  readonly shown: string;
  readonly isNamed: boolean;
}

/** Skips hidden folders and packages. */
const isSkipped = (path: string): boolean =>
  path.split('/').some((part) => part === 'node_modules' || (part.startsWith('.') && part !== ''));

const filesBelow = async (
  folder: string,
  shown: string,
  names: RegExp,
): Promise<Result<readonly NamedFile[]>> => {
  const entries = await walkDirectory(folder);
  if (entries === null) return E.left(failure('too_large', `${shown} has too many files. Name a subfolder.`));
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
 * Files of a command line path: the file itself, whatever its name, or matching files below a folder. Skips
 * hidden folders, packages and links. Returns an error when nothing is there.
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
