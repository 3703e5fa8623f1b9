import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { openFilePath } from './openFilePath.js';

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
 * True when what was opened lies below the folder. The system knows where an open file is, whatever stands
 * at its path by now; only a system without `/proc` leaves the path to be looked at again.
 */
const isInside = async (folder: string, file: FileHandle, path: string): Promise<boolean> => {
  const held = await openFilePath(file);
  return held === null ? isStillThere(file, path) : isBelow(folder, held);
};

/**
 * Opens a regular file by its real path (as `realpath` answers) below a real folder, for reading; `null`
 * when it is no regular file, or when a link took the place of a part of the path in the meantime and led
 * outside: where the opened file lies is looked at after it was opened. Rejects with the error of the system.
 */
export const openInside = async (folder: string, real: string): Promise<FileHandle | null> => {
  if (!isBelow(folder, real)) return null;
  // Without O_NONBLOCK the open of a named pipe would wait for a writer.
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
