import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { type FolderLock, lockStateFolder, SERVICE_LOCK } from '../adapters/files/folderLock.js';
import { tightenState } from '../adapters/files/privateFiles.js';
import { type Result, reasonOf } from '../domain/errors.js';
import type { Log } from '../ports/log.js';

const lockName = (generator: string | null): string =>
  generator === null
    ? SERVICE_LOCK
    : `${SERVICE_LOCK}-${createHash('sha256').update(generator).digest('hex').slice(0, 16)}`;

/**
 * Locks a state folder for a service, or for the single run of one generator, and makes its files private. Returns
 * `unavailable` while another process uses it: a service has it alone, runs of different generators share it.
 */
export const openState = async (
  folder: string,
  generator: string | null,
  log: Log,
): Promise<Result<FolderLock>> => {
  const lock = await lockStateFolder(folder, lockName(generator), (reason) =>
    log.write('warning', 'the state folder cannot be locked: a second process in it would not be noticed', {
      file: folder,
      reason,
    }),
  );
  if (E.isLeft(lock)) return lock;
  try {
    await tightenState(folder);
  } catch (thrown) {
    log.write('warning', 'the permissions of the state folder could not be checked', {
      reason: reasonOf(thrown),
    });
  }
  return lock;
};
