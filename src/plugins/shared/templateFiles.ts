import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { reasonOf, systemCodeOf } from '../../domain/errors.js';
import { Fault, isOutsideName, MAX_TEMPLATE_BYTES, raise } from '../../template/index.js';
import { whyNoFileSync } from './inputFile.js';

const LINE_FEED = 0x0a;

/** Errors that mean "not found"; others are reported. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO']);

/** Without O_NONBLOCK opening a named pipe would wait for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const isBelow = (root: string, path: string): boolean =>
  path.startsWith(root.endsWith(sep) ? root : root + sep);

/** Current path of an open file; its given path without `/proc`. */
const currentPathOf = (fd: number, path: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return path;
  }
};

/** Number of the first line that is not UTF-8. A line feed byte is never part of another character. */
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
        `the template file ${name} is not UTF-8 in line ${firstBadLine(bytes)}. Save it as UTF-8.`,
      );

const tooLarge = (name: string): never =>
  raise('LimitError', `the template file ${name} is larger than ${MAX_TEMPLATE_BYTES} bytes`);

/** Returns the text of an open file, or null when it is not a regular file below the folder. */
const readOpen = (fd: number, root: string, path: string, name: string): string | null => {
  const found = fstatSync(fd);
  // A folder of the path may have become a link meanwhile: check the open file.
  if (!found.isFile() || !isBelow(root, currentPathOf(fd, path)) || whyNoFileSync(fd) !== null) return null;
  if (found.size > MAX_TEMPLATE_BYTES) return tooLarge(name);
  const bytes = readFileSync(fd);
  return bytes.length > MAX_TEMPLATE_BYTES ? tooLarge(name) : textOf(bytes, name);
};

/**
 * Loader of templates below a folder by relative name. `null` (not found): no such regular file, or the name is
 * absolute, contains `..` or NUL, or leads out of the folder by a link. Throws a `Fault` for a file that is too large
 * (16 MiB), not UTF-8 or not readable. Strips a byte order mark. `drafts` stand for files, by absolute path.
 */
export const templateFiles =
  (directory: string, drafts?: ReadonlyMap<string, string>) =>
  (name: string): string | null => {
    if (isOutsideName(name)) return null;
    const draft = drafts?.get(join(directory, name));
    if (draft !== undefined) return draft;
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
