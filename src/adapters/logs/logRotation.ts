import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent } from '../files/ioError.js';

export interface RotationLimits {
  /** A file takes no line that would make it larger; a line that is larger alone gets a file of its own. */
  readonly max_bytes: number;
  /** Rotated files that are kept: `<file>.1` is the youngest. */
  readonly backups: number;
}

const LINE_FEED = 0x0a;

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (thrown: unknown) => {
      if (isAbsent(thrown)) return false;
      throw thrown;
    },
  );

/** Moves a file; that it is not there (somebody moved it before us) is fine. */
const move = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((thrown: unknown) => {
    if (!isAbsent(thrown)) throw thrown;
  });

/**
 * Makes the file `<file>.1` and shifts the older ones. Only those before the first missing number move: after
 * a crash in the middle of this there is such a gap, and the next rotation goes on there without losing a file.
 */
export const rotate = async (path: string, backups: number): Promise<void> => {
  let free = 1;
  while (free < backups && (await isThere(`${path}.${free}`))) free++;
  for (let number = free; number > 1; number--) await move(`${path}.${number - 1}`, `${path}.${number}`);
  await move(path, `${path}.1`);
  // What an earlier, larger number of backups left.
  for (let number = backups + 1; await isThere(`${path}.${number}`); number++) await rm(`${path}.${number}`);
};

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

/** Opens for appending. Without O_NONBLOCK the open of a named pipe would wait for a reader. */
const openLog = async (path: string): Promise<FileHandle> => {
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK;
  try {
    return await open(path, flags, 0o640);
  } catch (thrown) {
    if (!isAbsent(thrown)) throw thrown;
    await mkdir(dirname(path), { recursive: true, mode: 0o750 });
    return await open(path, flags, 0o640);
  }
};

/** Whether the last line has no end, as a process that was killed leaves it. */
const isTorn = async (file: FileHandle, size: number): Promise<boolean> => {
  if (size === 0) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== LINE_FEED;
};

/** How many of the lines fit behind `size` bytes; at least one where there is nothing yet. */
const fitting = (lines: readonly string[], size: number, max_bytes: number): number => {
  let total = size;
  let count = 0;
  for (const line of lines) {
    total += Buffer.byteLength(line);
    if (total > max_bytes && (count > 0 || size > 0)) break;
    count++;
    if (total > max_bytes) break;
  }
  return count;
};

/** Appends the text whole or not at all: half a line would spoil the next one. */
const appendWhole = async (file: FileHandle, text: string, size: number): Promise<void> => {
  try {
    await file.appendFile(text);
  } catch (thrown) {
    await file.truncate(size).catch(() => undefined);
    throw thrown;
  }
};

/** Appends as many of the lines as the file takes; their number. */
const appendSome = async (path: string, lines: readonly string[], limits: RotationLimits) => {
  const file = await openLog(path);
  try {
    const stats = await file.stat();
    const { size } = stats;
    // A device or a pipe has no size to speak of and is never rotated.
    const count = stats.isFile() ? fitting(lines, size, limits.max_bytes) : lines.length;
    if (count === 0) return 0;
    const separator = stats.isFile() && (await isTorn(file, size)) ? '\n' : '';
    await appendWhole(file, separator + lines.slice(0, count).join(''), size);
    return count;
  } finally {
    await file.close();
  }
};

/**
 * Appends lines to a log file and rotates it where the next line would make it too large. The file is opened
 * anew each time: one that was moved away, removed or cut by somebody else is noticed by itself, and no
 * handle is held for generators that are silent. Never rejects: `written` lines are in files, and `thrown`
 * says what kept the others out, `null` when there are none.
 */
export const appendLines = async (
  path: string,
  lines: readonly string[],
  limits: RotationLimits,
): Promise<{ readonly written: number; readonly thrown: unknown }> => {
  let written = 0;
  try {
    while (written < lines.length) {
      const count = await appendSome(path, lines.slice(written), limits);
      if (count === 0) await rotate(path, limits.backups);
      written += count;
    }
    return { written, thrown: null };
  } catch (thrown) {
    return { written, thrown };
  }
};
