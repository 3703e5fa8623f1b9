import { chmod, type FileHandle, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StateFiles } from '../../ports/files.js';
import { appendWith, attempt, nodeFiles, replacePrivateText, syncDirectory } from './files.js';
import { errnoOf, ioError, isAbsent } from './ioError.js';

/** State holds events and globals: only its owner may read it. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** What is written once and read by each later start; all other files of the state get their mode when they are written. */
const STATE_ENTRIES: ReadonlySet<string> = new Set(['checkpoints', 'dead-letters', 'globals', 'format.json']);

/** Files of `lockStateFolder`. */
const LOCK_FILE = /^lock[0-9a-f-]*(\.sock)?$/;

const isOpenToOthers = (mode: number): boolean => (mode & 0o077) !== 0;

/** Only the owner can change the mode; files of other owners stay unchanged. */
const unlessForeign = async (run: () => Promise<void>): Promise<void> => {
  try {
    await run();
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EPERM' && !isAbsent(thrown)) throw thrown;
  }
};

/** Opens a file for writing and sets its mode to 600. Rejects as `open` does. */
export const openPrivate = async (path: string, flags: string | number): Promise<FileHandle> => {
  const file = await open(path, flags, PRIVATE_FILE);
  try {
    const { mode } = await file.stat();
    if (isOpenToOthers(mode)) await unlessForeign(() => file.chmod(PRIVATE_FILE));
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
};

/** Creates a folder and its parents with mode 700; tightens an existing one. */
export const makePrivateFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  const { mode } = await lstat(path);
  if (isOpenToOthers(mode)) await unlessForeign(() => chmod(path, PRIVATE_FOLDER));
};

/** Files of mode 600 in folders of mode 700. */
export const privateFiles: StateFiles = {
  readText: nodeFiles.readText,
  replaceText: replacePrivateText,
  appendText: appendWith((path) => openPrivate(path, 'a')),
  makeDirectory: (path) =>
    attempt(
      () => makePrivateFolder(path),
      (thrown) => ioError('unwritable', 'create the directory', path, thrown),
    ),
  remove: (path) =>
    attempt(
      async () => {
        await rm(path).then(
          () => syncDirectory(dirname(path)),
          (thrown: unknown) => {
            if (!isAbsent(thrown)) throw thrown;
          },
        );
      },
      (thrown) => ioError('unwritable', 'remove', path, thrown),
    ),
};

const tightenEntry = async (path: string): Promise<void> => {
  const stats = await lstat(path);
  if (!stats.isDirectory() && !stats.isFile()) return;
  const mode = stats.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE;
  if (isOpenToOthers(stats.mode)) await chmod(path, mode);
  if (!stats.isDirectory()) return;
  for (const name of await readdir(path)) await unlessForeign(() => tightenEntry(join(path, name)));
};

/**
 * Removes the access of other users to state; the folder itself only if it holds nothing else. Rejects with
 * system errors.
 */
export const tightenState = async (folder: string): Promise<void> => {
  const found = await readdir(folder).catch((thrown: unknown) => {
    if (isAbsent(thrown)) return [];
    throw thrown;
  });
  const names = found.filter((name) => !LOCK_FILE.test(name));
  const own = names.filter((name) => STATE_ENTRIES.has(name));
  for (const name of own) await unlessForeign(() => tightenEntry(join(folder, name)));
  if (own.length > 0 && own.length === names.length) await unlessForeign(() => chmod(folder, PRIVATE_FOLDER));
};
