import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';

/** Current path of an open file, with ` (deleted)` behind it once unlinked (proc(5)). `null` without `/proc`. */
export const openFilePath = (file: FileHandle): Promise<string | null> =>
  readlink(`/proc/self/fd/${file.fd}`).catch(() => null);

/** Both must be real paths. */
export const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const isStillThere = async (file: FileHandle, path: string): Promise<boolean> => {
  if ((await realpath(path)) !== path) return false;
  const [opened, standing] = [await file.stat(), await stat(path)];
  return opened.ino === standing.ino && opened.dev === standing.dev;
};

/** Linux knows where an open file is now; elsewhere the path is checked again. */
const isInside = async (folder: string, file: FileHandle, path: string): Promise<boolean> => {
  const held = await openFilePath(file);
  return held === null ? isStillThere(file, path) : isBelow(folder, held);
};

/**
 * Opens a regular file by its real path below a real folder, then checks where it is: `null` if a swapped link
 * leads outside, or if it is not regular. Rejects with system errors.
 */
export const openInside = async (folder: string, real: string): Promise<FileHandle | null> => {
  if (!isBelow(folder, real)) return null;
  // O_NONBLOCK: opening a named pipe would wait for a writer.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if ((await file.stat()).isFile() && (await isInside(folder, file, real))) return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  await file.close();
  return null;
};
