import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { reasonOf, systemCodeOf } from '../../domain/errors.js';
import { Fault, isOutsideName, MAX_TEMPLATE_BYTES, raise } from '../../template/index.js';
import { whyNoFileSync } from './inputFile.js';

const LINE_FEED = 0x0a;

/** What the system says where no template has that name; anything else it says is a reason to tell. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO']);

/** Without O_NONBLOCK the open of a named pipe would wait for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const isBelow = (root: string, path: string): boolean =>
  path.startsWith(root.endsWith(sep) ? root : root + sep);

/** Where an open file lies now; its path where the system has no `/proc`. */
const placeOf = (fd: number, path: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return path;
  }
};

/** Number of the first line that is not UTF-8; a line feed is never a part of another character. */
const firstBadLine = (bytes: Buffer): number => {
  let from = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
};

const textOf = (bytes: Buffer, name: string): string =>
  isUtf8(bytes)
    ? bytes.toString('utf8').replace(/^\uFEFF/, '')
    : raise(
        'UnicodeDecodeError',
        `the template file ${name} is not UTF-8 in line ${firstBadLine(bytes)}: save it as UTF-8`,
      );

const tooLarge = (name: string): never =>
  raise('LimitError', `the template file ${name} is larger than ${MAX_TEMPLATE_BYTES} bytes`);

/** Text of a file that was opened by its real path; `null` when it is no regular file, or not below the folder. */
const readOpen = (fd: number, root: string, path: string, name: string): string | null => {
  const found = fstatSync(fd);
  // A link may have taken the place of a folder of the path in the meantime, so the open file itself is asked.
  if (!found.isFile() || !isBelow(root, placeOf(fd, path)) || whyNoFileSync(fd) !== null) return null;
  if (found.size > MAX_TEMPLATE_BYTES) return tooLarge(name);
  const bytes = readFileSync(fd);
  return bytes.length > MAX_TEMPLATE_BYTES ? tooLarge(name) : textOf(bytes, name);
};

/**
 * Reads templates below a folder by their relative names, for the engine's `loader`. `null` ('not found'):
 * there is no regular file of that name, or the name is absolute, has a part `..`, holds a NUL, or leads out
 * of the folder by a link. What is there but cannot be used (larger than 16 MiB, not UTF-8, no right to read
 * it) throws a `Fault` that names it, which the engine reports as any other error of a template. A byte
 * order mark is left out.
 */
export const templateFiles =
  (directory: string) =>
  (name: string): string | null => {
    if (isOutsideName(name)) return null;
    try {
      const root = realpathSync(directory);
      const path = realpathSync(join(root, name));
      if (!isBelow(root, path)) return null;
      const fd = openSync(path, FLAGS);
      try {
        return readOpen(fd, root, path, name);
      } finally {
        closeSync(fd);
      }
    } catch (thrown) {
      if (thrown instanceof Fault) throw thrown;
      if (NOT_THERE.has(systemCodeOf(thrown))) return null;
      return raise('OSError', `the template file ${name} cannot be read: ${reasonOf(thrown)}`);
    }
  };
