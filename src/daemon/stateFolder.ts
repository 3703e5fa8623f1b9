import { tightenState } from '../adapters/files/privateFiles.js';
import { reasonOf } from '../domain/errors.js';
import type { Log } from '../ports/log.js';

/** Makes the files of a state folder private. */
export const keepStatePrivate = async (folder: string, log: Log): Promise<void> => {
  try {
    await tightenState(folder);
  } catch (thrown) {
    log.write('warning', 'the permissions of the state folder could not be checked', {
      reason: reasonOf(thrown),
    });
  }
};
