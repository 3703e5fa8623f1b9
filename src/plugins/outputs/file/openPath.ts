import * as fs from 'node:fs';
import { open as openHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { systemCodeOf } from '../../../domain/errors.js';
import type { Container } from '../../../domain/events/eventBatch.js';
import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import type { Encoded } from '../shared/encoder.js';

const open = promisify(fs.open);
const close = promisify(fs.close);
const fstat = promisify(fs.fstat);
const read = promisify(fs.read);
const mkdir = promisify(fs.mkdir);

/**
 * Creates a folder and its parents. `recursive: true` of Node loops forever in the thread pool where the system
 * returns ENOENT for a folder with an existing parent (below /proc).
 */
const makeFolder = async (folder: string, isParentMissing = true): Promise<void> => {
  try {
    await mkdir(folder);
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    if (code === 'EEXIST' || code === 'EISDIR') return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || !isParentMissing || parent === folder) throw thrown;
    await makeFolder(parent);
    await makeFolder(folder, false);
  }
};

export interface OpenedPath {
  readonly fd: number;
  readonly isFile: boolean;
  readonly size: number;
  /** When the file was last written. */
  readonly changed: Micros;
}

/** Opens a path for appending; creates the file with `mode` (less umask) and its folders. Throws system errors. */
export const openPath = async (
  path: string,
  { mode, isEmptied }: { readonly mode: number; readonly isEmptied: boolean },
): Promise<OpenedPath> => {
  await makeFolder(dirname(path));
  const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NONBLOCK, O_NOCTTY } = fs.constants;
  // O_NONBLOCK: a pipe without a reader fails at once instead of blocking a thread of the pool.
  const flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | (isEmptied ? O_TRUNC : 0);
  const fd = await open(path, flags, mode);
  try {
    const stat = await fstat(fd);
    return { fd, isFile: stat.isFile(), size: stat.size, changed: stat.mtimeMs * MICROS_PER_MS };
  } catch (thrown) {
    await close(fd);
    throw thrown;
  }
};

/**
 * Whether the file has content without a final separator: a kill or power failure interrupted a write. Null when the
 * file is not readable.
 */
export const isTorn = async (path: string, size: number, separator: Buffer): Promise<boolean | null> => {
  if (size === 0 || separator.length === 0) return false;
  if (size < separator.length) return true;
  let fd: number;
  try {
    fd = await open(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const tail = Buffer.alloc(separator.length);
    const { bytesRead } = await read(fd, tail, 0, tail.length, size - tail.length);
    return bytesRead < tail.length || !tail.equals(separator);
  } catch {
    return null;
  } finally {
    await close(fd);
  }
};

/** Whether more of a container may follow: the file begins with its header and ends with a whole write. */
export const continuesContainer = async (
  path: string,
  size: number,
  { header, trailer }: Container,
): Promise<boolean> => {
  if (size < header.length) return false;
  try {
    const file = await openHandle(path, 'r');
    try {
      const [head, tail] = [Buffer.alloc(header.length), Buffer.alloc(trailer.length)];
      await file.read(head, 0, head.length, 0);
      await file.read(tail, 0, tail.length, size - tail.length);
      return head.equals(header) && tail.equals(trailer);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
};

/** Without the header, for a file that has it. */
export const withoutHeader = (encoded: Encoded, { header }: Container): Encoded => ({
  ...encoded,
  bytes: encoded.bytes.subarray(header.length),
  ends: () => encoded.ends().map((end) => end - header.length),
});
