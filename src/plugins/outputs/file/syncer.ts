import * as E from 'fp-ts/lib/Either.js';
import type { Result, SpateError } from '../../../domain/errors.js';
import type { PluginContext, Written } from '../../kit.js';
import { systemFailure } from '../shared/errno.js';
import type { FileWriter } from './fileWriter.js';

/** Brings written events to the disk: with each write (`interval_ms` 0), within the interval, or never (`null`). */
export const makeSyncer = (
  path: string,
  interval_ms: number | null,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
) => {
  let cancel: (() => void) | null = null;
  let running: Promise<void> | null = null;
  const failed = (thrown: unknown): SpateError => systemFailure('unwritable', `cannot sync ${path}`, thrown);

  /** The events have counted as written: a failure can only be reported. */
  const sync = async (writer: FileWriter): Promise<void> => {
    try {
      await writer.sync();
    } catch (thrown) {
      const reason = failed(thrown).message;
      log.write('error', 'written events may not be on the disk', { reason, file_path: path });
    }
    running = null;
  };

  return {
    /** After a write: what it counts as. */
    after: async (writer: FileWriter, written: Written): Promise<Result<Written>> => {
      if (interval_ms === null) return E.right(written);
      if (interval_ms > 0) {
        cancel ??= clock.after(interval_ms, () => {
          cancel = null;
          running ??= sync(writer);
        });
        return E.right(written);
      }
      try {
        await writer.sync();
        return E.right(written);
      } catch (thrown) {
        return E.left(failed(thrown));
      }
    },
    /** Resolves once everything is on the disk that should be; call it before the file is closed. */
    now: async (writer: FileWriter): Promise<void> => {
      await running;
      if (cancel === null) return;
      cancel();
      cancel = null;
      await sync(writer);
    },
  };
};
