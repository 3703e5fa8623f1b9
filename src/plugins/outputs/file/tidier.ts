import type { PluginContext } from '../../kit.js';
import { systemFailure } from '../shared/errno.js';
import { type RotationOptions, tidy } from './rotation.js';

/** Compresses and deletes full files in the background, those of one path at a time. */
export interface Tidier {
  readonly start: (path: string) => void;
  /** Waits up to `grace_ms`. The next run of the same path finds files that are not compressed then. */
  readonly end: (grace_ms: number) => Promise<void>;
}

export const makeTidier = (
  rotation: RotationOptions | null,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
): Tidier => {
  const ending = new AbortController();
  const wanted = new Set<string>();
  let running: Promise<void> | null = null;
  const run = async (options: RotationOptions): Promise<void> => {
    // A path that is wanted again meanwhile has another turn.
    for (const path of wanted) {
      wanted.delete(path);
      if (ending.signal.aborted) break;
      await tidy(path, options, ending.signal).catch((thrown: unknown) => {
        if (ending.signal.aborted) return;
        const reason = systemFailure('unwritable', `cannot tidy up beside ${path}`, thrown).message;
        log.write('error', 'full files stay as they are', { reason, file_path: path });
      });
    }
    running = null;
  };
  return {
    start: (path) => {
      if (rotation === null) return;
      wanted.add(path);
      running ??= run(rotation);
    },
    end: async (grace_ms) => {
      if (running !== null) {
        const done = new AbortController();
        await Promise.race([running, clock.sleepMs(grace_ms, done.signal)]);
        done.abort();
      }
      ending.abort();
      await running;
    },
  };
};
