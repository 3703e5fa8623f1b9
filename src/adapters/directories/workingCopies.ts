import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import * as tar from 'tar-stream';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { WorkingCopies } from '../../ports/files.js';
import { attempt, temporaryName } from '../files/files.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { checkPath } from './location.js';
import { type DirectoryEntry, flatten, walkDirectory } from './walk.js';

/** The whole archive is in memory while it is packed, sent or unpacked. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Folder in each generator directory for files that outputs write. */
const OWN_FOLDER = 'out';

export type DirectoryContents = ReadonlyMap<string, Buffer>;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const digestOf = (contents: DirectoryContents): string => {
  const digest = createHash('sha256');
  for (const [path, bytes] of contents) digest.update(`${path}\0${hashOf(bytes)}\n`);
  return digest.digest('hex');
};

const isShared = (path: string): boolean => path.split('/')[0] !== OWN_FOLDER;

const filesOf = (
  folder: string,
  entries: readonly DirectoryEntry[],
): readonly (DirectoryEntry & { readonly shown: string })[] =>
  flatten(entries)
    .filter(({ stats }) => stats.isFile())
    .map((entry) => ({ ...entry, shown: relative(folder, entry.path).split(sep).join('/') }))
    .filter(({ shown }) => isShared(shown));

/** Returns the shared files by path, sorted and without links, or null when there is no such directory. */
const readShared = async (folder: string): Promise<Result<DirectoryContents | null>> => {
  try {
    const entries = await walkDirectory(folder);
    if (entries === null) return E.left(failure('too_large', `${folder} has too many files`));
    const files = filesOf(folder, entries);
    const size = files.reduce((sum, { stats }) => sum + stats.size, 0);
    if (size > MAX_BYTES) {
      const largest = files.reduce((most, file) => (file.stats.size > most.stats.size ? file : most));
      const hint = `the largest is ${largest.shown}. Files that outputs write belong in ${OWN_FOLDER}/, which is not shared`;
      return E.left(failure('too_large', `${folder} has more than ${MAX_BYTES / 2 ** 20} MiB: ${hint}`));
    }
    const contents = new Map<string, Buffer>();
    for (const { path, shown } of files) contents.set(shown, await readFile(path));
    return E.right(new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1))));
  } catch (thrown) {
    return isAbsent(thrown) ? E.right(null) : E.left(ioError('unreadable', 'read', folder, thrown));
  }
};

const packed = async (contents: DirectoryContents): Promise<Uint8Array> => {
  const archive = tar.pack();
  for (const [name, bytes] of contents) archive.entry({ name, mtime: new Date(0) }, bytes);
  archive.finalize();
  return gzipSync(await buffer(archive));
};

/** Files of an archive by path, unpacked in memory. */
export const unpacked = async (name: string, content: Uint8Array): Promise<Result<DirectoryContents>> => {
  const unusable = (why: string): Result<never> =>
    E.left(failure('unreadable', `the archive of "${name}" in the cluster cannot be used: ${why}`));
  try {
    const contents = new Map<string, Buffer>();
    const archive = tar.extract();
    archive.end(gunzipSync(content, { maxOutputLength: 2 * MAX_BYTES }));
    for await (const entry of archive) {
      const path = entry.header.name;
      if (E.isLeft(checkPath(path)) || !isShared(path)) return unusable(`it has a file "${path}"`);
      contents.set(path, await buffer(entry));
    }
    return E.right(contents);
  } catch (thrown) {
    return unusable(reasonOf(thrown));
  }
};

const writeWhole = async (path: string, bytes: Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), temporaryName());
  await writeFile(temporary, bytes);
  await rename(temporary, path);
};

/** Removes a file, and the directories above it that are empty then. */
const removeShared = async (folder: string, path: string): Promise<void> => {
  await rm(join(folder, path), { force: true, recursive: true });
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    try {
      await rmdir(join(folder, above));
    } catch {
      return;
    }
  }
};

/** Paths of files that differ, those that go first. */
export const changedBetween = (was: DirectoryContents, next: DirectoryContents): readonly string[] => [
  ...[...was.keys()].filter((path) => !next.has(path)),
  ...[...next].filter(([path, bytes]) => was.get(path)?.equals(bytes) !== true).map(([path]) => path),
];

/** Makes the shared files of a folder those of `next`. */
const become = (
  folder: string,
  was: DirectoryContents,
  next: DirectoryContents,
): Promise<Result<readonly string[]>> =>
  attempt(
    async () => {
      const changed = changedBetween(was, next);
      // A file may become a directory: what goes goes first.
      for (const path of changed) if (!next.has(path)) await removeShared(folder, path);
      for (const path of changed) {
        const bytes = next.get(path);
        if (bytes !== undefined) await writeWhole(join(folder, path), bytes);
      }
      return changed;
    },
    (thrown) => ioError('unwritable', 'write', folder, thrown),
  );

/** Copies in this generators directory. */
export const workingCopies = (root: string): WorkingCopies => ({
  pack: async (name) => {
    const contents = await readShared(join(root, name));
    if (E.isLeft(contents)) return contents;
    if (contents.right === null) return E.right(null);
    return E.right({ content: await packed(contents.right), digest: digestOf(contents.right) });
  },
  apply: async (name, content) => {
    const next = await unpacked(name, content);
    if (E.isLeft(next)) return next;
    const was = await readShared(join(root, name));
    if (E.isLeft(was)) return was;
    return become(join(root, name), was.right ?? new Map(), next.right);
  },
  remove: async (name) => {
    const folder = join(root, name);
    const was = await readShared(folder);
    if (E.isLeft(was)) return was;
    if (was.right === null) return E.right(null);
    const emptied = await become(folder, was.right, new Map());
    if (E.isLeft(emptied)) return emptied;
    await rmdir(folder).catch(() => undefined);
    return E.right(null);
  },
});
