import * as fs from 'node:fs';
import { promisify } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { Written } from '../../kit.js';
import { type Descriptor, type Progress, writeAll } from '../shared/descriptor.js';
import { cutAt, type Encoded } from '../shared/encoder.js';
import { systemFailure } from '../shared/errors.js';

const fdatasync = promisify(fs.fdatasync);
const fstat = promisify(fs.fstat);
const ftruncate = promisify(fs.ftruncate);

export interface FileWriter {
  /** After an error or a partial write, close the file and open it again. */
  readonly write: (encoded: Encoded, signal: AbortSignal) => Promise<Result<Written>>;
  /** Bytes in the file. */
  readonly size: () => number;
  /** Resolves once everything written is on the disk. Rejects with a system error. */
  readonly sync: () => Promise<void>;
  /** The file has no name any more. */
  readonly isDeleted: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

interface FileWriterOptions {
  readonly fd: number;
  readonly descriptor: Descriptor;
  readonly path: string;
  readonly size: number;
  /** Bytes before the first event: a byte order mark, or the separator after a torn line. */
  readonly head: Buffer;
  readonly separator: Buffer;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Appends batches whole or not at all: a failed write is truncated, so a retry duplicates nothing. If another program
 * appended meanwhile, the file is not truncated.
 */
export const makeFileWriter = (options: FileWriterOptions): FileWriter => {
  const { fd, descriptor, path, separator, clock, log } = options;
  let { size, head } = options;

  const stopped = ({ error }: Progress): SpateError =>
    error === null
      ? failure('timed_out', `the write to ${path} timed out. Check the device.`)
      : systemFailure('unwritable', `cannot write to ${path}`, error);

  /** Truncates a failed write; true if the file is as before. */
  const takeBack = async (bytes: number): Promise<boolean> => {
    if (bytes === 0) return true;
    try {
      if ((await fstat(fd)).size !== size + bytes) return false;
      await ftruncate(fd, size);
      return true;
    } catch {
      return false;
    }
  };

  const failed = async (encoded: Encoded, progress: Progress): Promise<Result<Written>> => {
    const reason = stopped(progress);
    if (await takeBack(progress.bytes)) return E.left(reason);
    const bytes = Math.max(0, progress.bytes - head.length);
    const written = cutAt(encoded.ends(), bytes).whole;
    if (written === 0) return E.left(reason);
    const lost = encoded.count - written;
    log.write('error', 'partial write', {
      reason: reason.message,
      file_path: path,
      written,
      failed: lost,
    });
    return E.right({
      written,
      failed: lost + encoded.failed,
      bytes: progress.bytes,
      stopped: { count: lost, reason },
    });
  };

  return {
    write: async (encoded, signal) => {
      const bytes = head.length === 0 ? encoded.bytes : Buffer.concat([head, encoded.bytes]);
      const progress = await writeAll(descriptor, bytes, separator, { clock, signal });
      if (progress.bytes < bytes.length) return failed(encoded, progress);
      size += bytes.length;
      head = EMPTY;
      return E.right({ written: encoded.count, failed: encoded.failed, bytes: bytes.length });
    },
    size: () => size,
    sync: () => fdatasync(fd),
    isDeleted: async () => {
      const stat = await fstat(fd);
      // Other programs may have changed the size.
      size = stat.size;
      return stat.nlink === 0;
    },
    close: descriptor.close,
  };
};

const EMPTY = Buffer.alloc(0);
