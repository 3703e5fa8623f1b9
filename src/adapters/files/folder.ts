import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
