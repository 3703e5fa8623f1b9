import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import { syncDirectory } from '../files/files.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { deadLetterFolders } from './folders.js';
import { lockFolder, releaseLock, writersDone } from './lock.js';

const outputsIn = async (folder: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  } catch (thrown) {
    if (isAbsent(thrown)) return [];
    throw thrown;
  }
};

/** Locks the folders of all outputs against sweeps, waits for their writers, then runs `work`. */
const withAllLocked = async (
  folders: readonly string[],
  clock: Clock,
  work: () => Promise<void>,
): Promise<Result<null>> => {
  const releases: (() => Promise<void>)[] = [];
  try {
    for (const folder of folders) {
      const locked = await lockFolder(folder);
      if (E.isLeft(locked)) return locked;
      releases.push(locked.right.release);
      const written = await writersDone(folder, clock);
      if (E.isLeft(written)) return written;
    }
    await work();
    return E.right(null);
  } finally {
    for (const release of releases) await release();
  }
};

/** Returns `already_exists` when a generator or partition has dead letters. Below `root` each has a folder. */
export const noDeadLetters = async (root: string, id: string, clock: Clock): Promise<Result<null>> => {
  const found = await deadLetterFolders(root, clock).find({ generator: id, output: null });
  if (E.isLeft(found)) return found.left.code === 'not_found' ? E.right(null) : found;
  for (const folder of found.right) {
    const bytes = await folder.bytes();
    if (E.isLeft(bytes)) return bytes;
    if (bytes.right === 0) continue;
    const message = `There are dead letters of "${id}" in ${join(root, id)}. Purge them, or choose another id.`;
    return E.left(failure('already_exists', message));
  }
  return E.right(null);
};

/**
 * Gives the dead letters of a generator or partition to another id, which has none. Returns `wrong_state` while a process
 * sends or purges them.
 */
export const moveDeadLetters = async (
  root: string,
  from: string,
  to: string,
  clock: Clock,
): Promise<Result<null>> => {
  const [source, target] = [join(root, from), join(root, to)];
  try {
    const folders = await outputsIn(source);
    if (folders.length === 0) return E.right(null);
    return await withAllLocked(folders, clock, async () => {
      // Only folders without letters are here.
      await rm(target, { recursive: true, force: true });
      await rename(source, target);
      for (const folder of await outputsIn(target)) await releaseLock(folder);
      await syncDirectory(root);
    });
  } catch (thrown) {
    return E.left(ioError('unwritable', 'move', source, thrown));
  }
};
