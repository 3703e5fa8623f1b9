import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { isStale, isTemporaryName } from '../files/files.js';
import { type Folder, inFolder, openFolder, openSubfolder } from '../files/folder.js';
import { isAbsent } from '../files/ioError.js';

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
