import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent } from '../files/ioError.js';

export interface RotationLimits {
  /** Size limit of a file; a longer single line gets a file of its own. */
  readonly max_bytes: number;
  /** Rotated files to keep; `<file>.1` is the newest. */
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

const move = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((thrown: unknown) => {
    if (!isAbsent(thrown)) throw thrown;
  });

/**
 * Renames the file to `<file>.1` and shifts older ones up to the first gap, where a crash stopped a rotation:
 * no file is lost.
 */
export const rotate = async (path: string, backups: number): Promise<void> => {
  let free = 1;
  while (free < backups && (await isThere(`${path}.${free}`))) free++;
  for (let number = free; number > 1; number--) await move(`${path}.${number - 1}`, `${path}.${number}`);
  await move(path, `${path}.1`);
  // Files that a larger number of backups left behind.
  for (let number = backups + 1; await isThere(`${path}.${number}`); number++) await rm(`${path}.${number}`);
};

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

/** O_NONBLOCK: opening a named pipe would wait for a reader. */
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

const isTorn = async (file: FileHandle, size: number): Promise<boolean> => {
  if (size === 0) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== LINE_FEED;
};

/** Number of lines that fit behind `size` bytes; at least one in an empty file. */
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

/** All or nothing: half a line would spoil the next one. */
const appendWhole = async (file: FileHandle, text: string, size: number): Promise<void> => {
  try {
    await file.appendFile(text);
  } catch (thrown) {
    await file.truncate(size).catch(() => undefined);
    throw thrown;
  }
};

const appendSome = async (path: string, lines: readonly string[], limits: RotationLimits) => {
  const file = await openLog(path);
  try {
    const stats = await file.stat();
    const { size } = stats;
    // Devices and pipes are never rotated.
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
 * Appends and rotates. Opens the file for each call, so external rotation is noticed. Never rejects: `thrown`
 * is why only the first `written` lines were written, or `null`.
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
