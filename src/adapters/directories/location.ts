import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { checkFilePath } from '../../domain/directory.js';
import { type ErrorCode, failure, type Result } from '../../domain/errors.js';
import { isTemporaryName } from '../files/files.js';
import { type Folder, isBelow, openFolder, openSubfolder } from '../files/folder.js';
import { errnoOf, ioError, isAbsent } from '../files/ioError.js';

/** An entry that exists or is to be created: an open folder and a name in it. */
export interface Location {
  readonly folder: Folder;
  readonly name: string;
}

export const refuseLocation = (code: ErrorCode, message: string): Result<never> =>
  E.left(failure(code, message));

/** Does not follow links. Returns null when nothing is there. */
export const statsAt = async ({ folder, name }: Location): Promise<BigIntStats | null> => {
  try {
    return await lstat(folder.at(name), { bigint: true });
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
};

/** Checks a client path. Returns its segments. */
export const checkPath = (path: string): Result<readonly string[]> => {
  const flaw = checkFilePath(path);
  if (flaw !== null) return refuseLocation('invalid', `The path of a file ${flaw.message}.`);
  const parts = path.split('/');
  return parts.some(isTemporaryName)
    ? refuseLocation('forbidden', `'${path}' is reserved for temporary files of Spate; use another name.`)
    : E.right(parts);
};

const noFolder = async (location: Location, shown: string): Promise<Result<never>> => {
  const stats = await statsAt(location);
  if (stats === null)
    return refuseLocation('not_found', `There is no directory '${shown}'; create it first.`);
  return stats.isSymbolicLink()
    ? refuseLocation('forbidden', `'${shown}' is a link; Spate does not write through links.`)
    : refuseLocation('wrong_state', `'${shown}' is a file, not a directory.`);
};

const cannotEnter = (thrown: unknown): boolean => isAbsent(thrown) || errnoOf(thrown) === 'ELOOP';

const make = async ({ folder, name }: Location): Promise<void> => {
  try {
    await mkdir(folder.at(name));
    await folder.sync();
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
};

const enter = async (location: Location, shown: string, isMade: boolean): Promise<Result<Folder>> => {
  try {
    if (isMade) await make(location);
    return E.right(await openSubfolder(location.folder, location.name));
  } catch (thrown) {
    if (cannotEnter(thrown)) return noFolder(location, shown);
    throw thrown;
  }
};

/**
 * Opens the parent folder of a path below a real folder, level by level, and calls `use`: no link is followed.
 * Returns the error `invalid`, `not_found`, `wrong_state`, or `forbidden` for a link. Rejects with system errors.
 */
export const atLocation = async <A>(
  root: string,
  path: string,
  makes: boolean,
  use: (location: Location) => Promise<Result<A>>,
): Promise<Result<A>> => {
  const parts = checkPath(path);
  if (E.isLeft(parts)) return parts;
  let folder = await openFolder(root);
  try {
    for (const [index, name] of parts.right.slice(0, -1).entries()) {
      const next = await enter({ folder, name }, parts.right.slice(0, index + 1).join('/'), makes);
      if (E.isLeft(next)) return next;
      await folder.close();
      folder = next.right;
    }
    return await use({ folder, name: parts.right.at(-1) ?? '' });
  } finally {
    await folder.close();
  }
};

const NO_FILE: ReadonlySet<string> = new Set(['ELOOP', 'ENAMETOOLONG']);

/** Real path, or that of the nearest existing ancestor. */
const nearestReal = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (thrown) {
    const above = dirname(path);
    if (!isAbsent(thrown) || above === path) throw thrown;
    return nearestReal(above);
  }
};

/**
 * Returns `file` or `absent` (also for a non-file). Returns the error `forbidden` when a link leads out of the real
 * root.
 */
export const configLocation =
  (root: string) =>
  async (path: string): Promise<Result<'file' | 'absent'>> => {
    try {
      const realRoot = await realpath(resolve(root));
      const real = await nearestReal(path);
      if (real !== realRoot && !isBelow(realRoot, real)) {
        const message = `${path} leads out of the generators directory through a link; use a path inside it`;
        return E.left(failure('forbidden', message));
      }
      const stats = await stat(path).catch((thrown: unknown) => {
        if (isAbsent(thrown)) return null;
        throw thrown;
      });
      return E.right(stats?.isFile() === true ? 'file' : 'absent');
    } catch (thrown) {
      // No root, a link cycle or an overlong name: no file.
      if (isAbsent(thrown) || NO_FILE.has(errnoOf(thrown))) return E.right('absent');
      return E.left(ioError('unreadable', 'look at', path, thrown));
    }
  };
