import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';

/** True when a real path lies below a real folder. */
export const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** True when the opened file is the one that stands at its path now, and no link is on the way there. */
const isStillThere = async (file: FileHandle, path: string): Promise<boolean> => {
  if ((await realpath(path)) !== path) return false;
  const [opened, standing] = [await file.stat(), await stat(path)];
  return opened.ino === standing.ino && opened.dev === standing.dev;
};

/**
 * Opens a regular file by its real path (as `realpath` answers) below a real folder, for reading; `null`
 * when it is no regular file, or when a link took the place of a part of the path in the meantime: what
 * was opened is compared with what stands at the path afterwards, so that a swap cannot lead outside.
 * Rejects with the error of the system.
 */
export const openInside = async (folder: string, real: string): Promise<FileHandle | null> => {
  if (!isBelow(folder, real)) return null;
  // Without O_NONBLOCK the open of a named pipe would wait for a writer.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if ((await file.stat()).isFile() && (await isStillThere(file, real))) return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  await file.close();
  return null;
};
