import { closeSync, constants, fstatSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import { whyNoFile } from '../../domain/directory.js';
import { Failed, failure } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import { enterRead, leaveRead } from './readSlots.js';

/** Deadline for one operation: a mount may hang. */
export const READ_TIMEOUT_MS = 30_000;

/** O_NONBLOCK: opening a named pipe must not wait for a writer. O_NOCTTY: a terminal must not become ours. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

const PIECE_BYTES = 256 * 1024;

/** An open regular file. Throws system errors, and `Failed` when the file system hangs. */
export interface InputFile {
  readonly read: (
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number }>;
  readonly stat: () => Promise<{ readonly size: number }>;
  readonly close: () => Promise<void>;
}

const hangs = (path: string): Failed =>
  new Failed(
    failure(
      'timed_out',
      `${path}: the file system did not respond within ${READ_TIMEOUT_MS / 1000} s. Check its mount.`,
      {
        file: path,
      },
    ),
  );

/** Runs one file operation with a deadline. A hung one blocks a thread of the pool, so their number is limited. */
const patiently = async <A>(path: string, clock: Clock, run: () => Promise<A>): Promise<A> => {
  if (!(await enterRead(clock, READ_TIMEOUT_MS))) throw hangs(path);
  const running = run().finally(leaveRead);
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(READ_TIMEOUT_MS, () => reject(hangs(path)));
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    cancel();
  }
};

/** Returns the type of the file system of an open file, or null when it is unknown. */
const systemOf = async (fd: number): Promise<number | null> =>
  statfs(`/proc/self/fd/${fd}`).then(
    ({ type }) => type,
    () => null,
  );

const openRegular = async (path: string): Promise<FileHandle> => {
  const file = await open(path, FLAGS);
  try {
    const why = whyNoFile(await file.stat(), await systemOf(file.fd));
    if (why !== null) throw new Error(`${why}; name a regular file`);
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
};

/**
 * Opens a regular file. Throws system errors, `Failed` when the file system hangs, and `Error` for anything but a
 * regular file. `openFile` is for tests.
 */
export const openInputFile = async (
  path: string,
  clock: Clock,
  openFile: (path: string) => Promise<InputFile> = openRegular,
): Promise<InputFile> => {
  const file = await patiently(path, clock, () => openFile(path));
  let hasHung = false;
  const operation = async <A>(run: () => Promise<A>): Promise<A> => {
    // Each further operation would block another thread of the pool.
    if (hasHung) throw hangs(path);
    try {
      return await patiently(path, clock, run);
    } catch (thrown) {
      hasHung ||= thrown instanceof Failed;
      throw thrown;
    }
  };
  return {
    read: (buffer, offset, length, position) => operation(() => file.read(buffer, offset, length, position)),
    stat: () => operation(() => file.stat()),
    close: async () => {
      if (!hasHung) await file.close();
    },
  };
};

/** Pieces of a regular file, each valid until the next. Throws like `openInputFile`. */
export async function* inputPieces(path: string, clock: Clock): AsyncGenerator<Buffer> {
  const file = await openInputFile(path, clock);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** A whole regular file; `null` above `max_bytes`. Throws like `openInputFile`. */
export const readInputFile = async (
  path: string,
  clock: Clock,
  max_bytes: number,
): Promise<Buffer | null> => {
  const pieces: Buffer[] = [];
  let total = 0;
  for await (const piece of inputPieces(path, clock)) {
    total += piece.length;
    if (total > max_bytes) return null;
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
};

/** Returns why a file cannot be read on this thread, or null when it is a regular file. */
export const whyNoFileSync = (fd: number): string | null => {
  let type: number | null = null;
  try {
    type = statfsSync(`/proc/self/fd/${fd}`).type;
  } catch {
    // No /proc here: check the kind of the file only.
  }
  return whyNoFile(fstatSync(fd), type);
};

/** Opens a regular file on this thread for one action, so that nothing stays open. Throws like `openInputFile`. */
export const withInputFileSync = <A>(path: string, action: (fd: number) => A): A => {
  const fd = openSync(path, FLAGS);
  try {
    const why = whyNoFileSync(fd);
    if (why !== null) throw new Error(`${why}; name a regular file`);
    return action(fd);
  } finally {
    closeSync(fd);
  }
};

/** Text of a regular file, read on this thread: for code. Throws like `openInputFile`. */
export const readTextSync = (path: string): string =>
  withInputFileSync(path, (fd) => readFileSync(fd, 'utf8'));
