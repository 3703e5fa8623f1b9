import { rename, unlink } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { temporaryName } from '../files/files.js';
import { measure } from './extent.js';
import { type Answer, atPlace, type FilePlace, refuse, statsAt } from './place.js';
import { removeEntry } from './removal.js';
import { checkVersion } from './writing.js';

/** Renames a directory first, so it vanishes in one step; stale leftovers are removed later. Left: as `measure`. */
export const removeTree = async ({ folder, name }: FilePlace, shown: string): Answer<null> => {
  const measured = await measure({ folder, name }, shown);
  if (E.isLeft(measured)) return measured;
  const doomed = temporaryName();
  await rename(folder.at(name), folder.at(doomed));
  await folder.sync();
  await removeEntry(folder, doomed);
  return E.right(null);
};

/** Removes a file, a link itself, or a directory tree. */
export const removeFile = (root: string, path: string, if_match: string | null): Answer<null> =>
  atPlace(root, path, false, async (target) => {
    const stats = await statsAt(target);
    if (stats === null) return refuse('not_found', `There is no file or directory '${path}'.`);
    const version = checkVersion(if_match, stats, path);
    if (E.isLeft(version)) return version;
    if (stats.isDirectory()) return removeTree(target, path);
    await unlink(target.folder.at(target.name));
    await target.folder.sync();
    return E.right(null);
  });
