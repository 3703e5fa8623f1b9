import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errnoOf } from './ioError.js';

/** An open folder. Entries are reached through its handle: swapping the folder after a check has no effect. */
export interface Folder {
  /** Path of an entry; `name` is one segment. */
  readonly at: (name: string) => string;
  readonly here: string;
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Path through `/proc`, or the plain path on other systems. */
const pathOf = async (handle: FileHandle, plain: string): Promise<string> => {
  const held = `/proc/self/fd/${handle.fd}`;
  const [own, found] = await Promise.all([handle.stat(), stat(held).catch(() => null)]);
  return found !== null && found.ino === own.ino && found.dev === own.dev ? held : plain;
};

/** Opens a folder. Rejects with `ENOTDIR` or `ELOOP` for a link. */
export const openFolder = async (path: string): Promise<Folder> => {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const here = await pathOf(handle, path);
    return {
      here,
      at: (name) => join(here, name),
      sync: () =>
        handle.sync().catch((thrown: unknown) => {
          // Some file systems do not support this.
          if (errnoOf(thrown) !== 'EINVAL' && errnoOf(thrown) !== 'ENOTSUP') throw thrown;
        }),
      close: () => handle.close(),
    };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
};

export const openSubfolder = (folder: Folder, name: string): Promise<Folder> => openFolder(folder.at(name));

export const inFolder = async <A>(
  opening: Promise<Folder>,
  use: (folder: Folder) => Promise<A>,
): Promise<A> => {
  const folder = await opening;
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
};

/** Current path of an open file, with ` (deleted)` behind it once unlinked (proc(5)). `null` without `/proc`. */
const openFilePath = (file: FileHandle): Promise<string | null> =>
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
