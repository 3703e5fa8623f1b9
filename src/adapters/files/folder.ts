import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './ioError.js';

/**
 * A folder that is held open. Its entries are reached through what is open, not through a path, so that
 * nobody can put another folder or a link in its place between a check and a use.
 */
export interface Folder {
  /** Path of an entry; `name` is one plain segment. */
  readonly at: (name: string) => string;
  /** Path of the folder itself. */
  readonly here: string;
  /** Makes its entries durable. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Path of an open folder; its plain path on systems without `/proc`. */
const pathOf = async (handle: FileHandle, plain: string): Promise<string> => {
  const held = `/proc/self/fd/${handle.fd}`;
  const [own, found] = await Promise.all([handle.stat(), stat(held).catch(() => null)]);
  return found !== null && found.ino === own.ino && found.dev === own.dev ? held : plain;
};

/** Opens a folder that is no link. Rejects with the error of the system: `ENOTDIR` or `ELOOP` for a link. */
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
          // Some file systems cannot say so.
          if (errnoOf(thrown) !== 'EINVAL' && errnoOf(thrown) !== 'ENOTSUP') throw thrown;
        }),
      close: () => handle.close(),
    };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
};

/** Opens a folder in an open folder. */
export const openSubfolder = (folder: Folder, name: string): Promise<Folder> => openFolder(folder.at(name));

/** Uses a folder and closes it, whatever happens. */
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
