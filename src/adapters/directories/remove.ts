import { lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { isStale, isTemporaryName, temporaryName } from '../files/files.js';
import { type Folder, inFolder, openFolder, openSubfolder } from '../files/folder.js';
import { isAbsent } from '../files/ioError.js';
import { checkVersion } from './etag.js';
import { atLocation, type Location, refuseLocation, statsAt } from './location.js';
import { measure } from './walk.js';

const unlessAbsent = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (thrown) {
    if (!isAbsent(thrown)) throw thrown;
  }
};

/**
 * Removes an entry with everything below; does not follow links, holds every folder open. Rejects with system
 * errors.
 */
export const removeEntry = async (folder: Folder, name: string): Promise<void> => {
  const path = folder.at(name);
  const stats = await lstat(path).catch((thrown: unknown) => {
    if (isAbsent(thrown)) return null;
    throw thrown;
  });
  if (stats === null) return;
  if (!stats.isDirectory()) return unlessAbsent(unlink(path));
  await inFolder(openSubfolder(folder, name), async (opened) => {
    for (const entry of await readdir(opened.here)) await removeEntry(opened, entry);
  });
  return unlessAbsent(rmdir(path));
};

/** Removes leftovers of killed writes, ignoring errors. */
export const removeStale = async (folder: Folder): Promise<void> => {
  const names = await readdir(folder.here).catch((): string[] => []);
  for (const name of names.filter(isTemporaryName)) {
    const stats = await lstat(folder.at(name)).catch(() => null);
    if (stats !== null && isStale(stats)) await removeEntry(folder, name).catch(() => undefined);
  }
};

export const removeStaleBelow = (path: string): Promise<void> =>
  inFolder(openFolder(path), removeStale).catch(() => undefined);

/**
 * Renames a directory first, so it vanishes in one step; stale leftovers are removed later. Returns the errors of
 * `measure`.
 */
export const removeTree = async ({ folder, name }: Location, shown: string): Promise<Result<null>> => {
  const measured = await measure({ folder, name }, shown);
  if (E.isLeft(measured)) return measured;
  const doomed = temporaryName();
  await rename(folder.at(name), folder.at(doomed));
  await folder.sync();
  await removeEntry(folder, doomed);
  return E.right(null);
};

/** Removes a file, a link itself, or a directory tree. */
export const removeFile = (root: string, path: string, if_match: string | null): Promise<Result<null>> =>
  atLocation(root, path, false, async (target) => {
    const stats = await statsAt(target);
    if (stats === null) return refuseLocation('not_found', `There is no file or directory '${path}'.`);
    const version = await checkVersion(if_match, target, stats, path);
    if (E.isLeft(version)) return version;
    if (stats.isDirectory()) return removeTree(target, path);
    await unlink(target.folder.at(target.name));
    await target.folder.sync();
    return E.right(null);
  });
