import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { Micros } from '../../domain/time/micros.js';
import { ioError } from '../files/ioError.js';
import { systemClock } from '../systemClock.js';

/** Takes a chunk, which is reused after the call. `arrived` is the time of arrival, or null when it is unknown. */
export type OnBytes = (chunk: Buffer, arrived: Micros | null) => void;

const READ_BYTES = 1024 * 1024;

export const readFileBytes = async (path: string, onBytes: OnBytes): Promise<Result<void>> => {
  try {
    const file = await open(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
        if (bytesRead === 0) return E.right(undefined);
        onBytes(buffer.subarray(0, bytesRead), null);
      }
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', path, thrown));
  }
};

const STDIN = 0;

/** A redirected file has no arrival times. */
const isLive = (): boolean => !fstatSync(STDIN).isFile();

export const readStdinBytes = async (onBytes: OnBytes, signal: AbortSignal): Promise<Result<void>> => {
  const { stdin } = process;
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const hasArrival = isLive();
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      onBytes(chunk, hasArrival ? systemClock.now() : null);
    }
    return E.right(undefined);
  } catch (thrown) {
    return signal.aborted
      ? E.right(undefined)
      : E.left(ioError('unreadable', 'read', 'the standard input', thrown));
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
