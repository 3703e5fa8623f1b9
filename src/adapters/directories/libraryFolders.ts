import { constants, existsSync } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { checkDirectoryName } from '../../domain/identifiers.js';
import { GENERATOR_FILE, LIBRARY_FILE, type LibraryFile } from '../../domain/library.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { type DirectoryEntry, flatten, walkDirectory } from './walk.js';

/** Bounds of one library generator. */
const MAX_FILES = 1_000;
const MAX_BYTES = 33_554_432;

/** Top-level folders that a run makes. */
const MADE_BY_RUNS: ReadonlySet<string> = new Set(['out', 'state', 'node_modules']);

export interface LibraryFolders {
  /** Folders that hold both files, sorted; a missing root has none. */
  readonly names: () => Promise<Result<readonly string[]>>;
  /** Everything to copy: regular files, no hidden ones, nothing that a run made. */
  readonly files: (name: string) => Promise<Result<readonly LibraryFile[]>>;
  readonly folderOf: (name: string) => string;
}

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

const isDirectory = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

const holdsGenerator = async (folder: string): Promise<boolean> =>
  (await isDirectory(folder)) &&
  (await isFile(join(folder, LIBRARY_FILE))) &&
  (await isFile(join(folder, GENERATOR_FILE)));

const names = async (root: string): Promise<Result<readonly string[]>> => {
  try {
    const found: string[] = [];
    for (const name of await readdir(root))
      if (checkDirectoryName(name) === null && (await holdsGenerator(join(root, name)))) found.push(name);
    return E.right(found.sort());
  } catch (thrown) {
    return isAbsent(thrown) ? E.right([]) : E.left(ioError('unreadable', 'list', root, thrown));
  }
};

const withoutHidden = (entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] =>
  entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({ ...entry, children: withoutHidden(entry.children) }));

const readBytes = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
};

const tooLarge = (name: string): Result<never> =>
  E.left(
    failure(
      'too_large',
      `'${name}' has more than ${MAX_FILES} files or ${MAX_BYTES} bytes. Copy it by hand.`,
    ),
  );

const files = async (folder: string, name: string): Promise<Result<readonly LibraryFile[]>> => {
  try {
    const entries = await walkDirectory(folder);
    if (entries === null) return tooLarge(name);
    const own = withoutHidden(entries.filter((entry) => !MADE_BY_RUNS.has(entry.name)));
    const found = flatten(own).filter(({ stats }) => stats.isFile());
    const size = found.reduce((sum, { stats }) => sum + stats.size, 0);
    if (found.length > MAX_FILES || size > MAX_BYTES) return tooLarge(name);
    const read: LibraryFile[] = [];
    for (const { path } of found)
      read.push({ path: relative(folder, path).split(sep).join('/'), bytes: await readBytes(path) });
    return E.right(read);
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', folder, thrown));
  }
};

/** Generators of a folder that hold a `library.yml`. No link is followed. */
export const libraryFolders = (root: string): LibraryFolders => ({
  names: () => names(root),
  files: (name) => files(join(root, name), name),
  folderOf: (name) => join(root, name),
});

/**
 * A relative path from `was` as seen from `folder`: unchanged if something is there, else the way to what it names
 * at `was`. Null when nothing is there either.
 */
export const movedPath = (was: string, folder: string, target: string): string | null => {
  const plain = target.split('#', 1)[0] ?? '';
  if (existsSync(join(folder, plain))) return target;
  const old = join(was, plain);
  return existsSync(old) ? relative(folder, old).split(sep).join('/') : null;
};
