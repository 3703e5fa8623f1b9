import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { Micros } from '../../domain/time/micros.js';
import { systemClock } from '../systemClock.js';
import { ioError } from './ioError.js';

/** Takes bytes, which may be used again after it returned; `arrived`: when they came, `null` where that means nothing. */
export type OnBytes = (chunk: Buffer, arrived: Micros | null) => void;

const READ_BYTES = 1024 * 1024;

/** Reads a file or named pipe to its end. */
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

/** A file that is redirected into the program was written some time before. */
const isLive = (): boolean => !fstatSync(STDIN).isFile();

/** Reads the standard input to its end, or until the signal ends. */
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
