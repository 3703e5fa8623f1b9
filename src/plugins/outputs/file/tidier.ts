import type { Log } from '../../../ports/log.js';
import { systemFailure } from '../shared/errno.js';
import { type RotationOptions, tidy } from './rotation.js';

/** Compresses and deletes full files in the background, one run at a time. */
export const makeTidier = (path: string, rotation: RotationOptions | null, log: Log) => {
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  let isWanted = false;
  const run = async (): Promise<void> => {
    while (isWanted && rotation !== null && !ending.signal.aborted) {
      isWanted = false;
      await tidy(path, rotation, ending.signal).catch((thrown: unknown) => {
        if (ending.signal.aborted) return;
        const reason = systemFailure('unwritable', `cannot tidy up beside ${path}`, thrown).message;
        log.write('error', 'full files stay as they are', { reason, file_path: path });
      });
    }
    running = null;
  };
  return {
    start: (): void => {
      if (rotation === null) return;
      isWanted = true;
      running ??= run();
    },
    /** A file that is being compressed stays uncompressed; the next run finds it. */
    end: async (): Promise<void> => {
      ending.abort();
      await running;
    },
  };
};
