import { closeSync, constants, fstatSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { type FileHandle, open, readdir, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { whyNoFile } from '../../domain/directory.js';
import { Failed, failure } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';

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

/** Absolute path; relative ones start at the folder of the generator. */
export const generatorFile = (context: { readonly directory: string }, path: string): string =>
  resolve(context.directory, path);

const isGlob = (name: string): boolean => /[*?]/.test(name);

const matcherOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

/** Order of code units: the same on every machine. */
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names in a folder that match, without hidden ones unless asked for; none if there is no such folder. */
const namesIn = async (folder: string, glob: string): Promise<readonly string[]> => {
  const matcher = matcherOf(glob);
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => matcher.test(name) && (!name.startsWith('.') || glob.startsWith('.')));
};

/**
 * Paths that a path with `*` and `?` in its names stands for, sorted; a path without them is itself, whether it exists or
 * not. Both are relative to `directory`.
 */
export const globFiles = async (directory: string, path: string): Promise<readonly string[]> => {
  if (!isGlob(path)) return [path];
  let found = [path.startsWith('/') ? '/' : ''];
  for (const part of path.split('/').filter((each) => each !== '')) {
    const next: string[] = [];
    for (const folder of found) {
      const names = isGlob(part) ? await namesIn(resolve(directory, folder), part) : [part];
      next.push(...names.map((name) => join(folder, name)));
    }
    found = next;
  }
  return found.sort(byName);
};

/** Concurrent reads of all threads; the thread pool of the process has four threads. */
export const MAX_READS = 3;

const LOOK_EVERY_MS = 1_000;

/**
 * Counters in shared memory. `own` counts the reads of one thread, to subtract them when the thread is terminated.
 */
interface ReadCounters {
  /** Reads in flight, and the number of reads that ended (wraps around). */
  readonly all: Int32Array;
  readonly own: Int32Array;
}

const BUSY = 0;
const ENDED = 1;

const counters = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

let shared: ReadCounters = { all: counters(), own: counters() };

/** Call once per thread, before its first read. */
export const shareReadSlots = (given: ReadCounters): void => {
  shared = given;
};

interface AsyncWait {
  readonly value: Promise<unknown> | string;
}

const changed = async (all: Int32Array, seen: number): Promise<void> => {
  const wait = (Atomics as unknown as { waitAsync: (...args: unknown[]) => AsyncWait }).waitAsync;
  await wait(all, BUSY, seen, LOOK_EVERY_MS).value;
};

/** Takes a slot; false if no read of any thread ends within `patience_ms`. Pair each `true` with `leaveRead`. */
export const enterRead = async (clock: Clock, patience_ms: number): Promise<boolean> => {
  const { all, own } = shared;
  let until = clock.monotonicMs() + patience_ms;
  let ended = Atomics.load(all, ENDED);
  for (;;) {
    const seen = Atomics.load(all, BUSY);
    if (seen < MAX_READS) {
      if (Atomics.compareExchange(all, BUSY, seen, seen + 1) !== seen) continue;
      Atomics.add(own, 0, 1);
      return true;
    }
    const endedNow = Atomics.load(all, ENDED);
    if (endedNow !== ended) until = clock.monotonicMs() + patience_ms;
    ended = endedNow;
    if (clock.monotonicMs() >= until) return false;
    await changed(all, seen);
  }
};

export const leaveRead = (): void => {
  const { all, own } = shared;
  Atomics.sub(own, 0, 1);
  Atomics.add(all, ENDED, 1);
  Atomics.sub(all, BUSY, 1);
  // Wake one: waking all would cost a thousand checks per read with a thousand generators.
  Atomics.notify(all, BUSY, 1);
};
