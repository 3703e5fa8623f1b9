import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import type { ZipArchive, ZipEntryData } from 'archiver';
import { reasonOf } from '../../domain/errors.js';
import { openInside } from '../files/openInside.js';
import { type Entry, flatten } from './walk.js';

const NOTHING = Buffer.alloc(0);

/** Name in the archive. A backslash would be a separator to some programs, so it cannot stay one. */
const nameInArchive = (folder: string, path: string): string =>
  relative(folder, path).split(sep).join('/').replaceAll('\\', '_');

const topLevelOf = (folder: string, path: string): string => relative(folder, path).split(sep)[0] ?? '';

/** Opens what an entry stands for, if it may be in the archive; what vanished meanwhile is left out. */
const openEntry = async (
  folder: string,
  entry: Entry,
  exclude: ReadonlySet<string>,
): Promise<FileHandle | null> => {
  try {
    const isLink = entry.stats.isSymbolicLink();
    if (!isLink && !entry.stats.isFile()) return null;
    const real = isLink ? await realpath(entry.path) : entry.path;
    return exclude.has(topLevelOf(folder, real)) ? null : await openInside(folder, real);
  } catch {
    return null;
  }
};

/** Adds one entry and waits until it is written; the next file is opened only then. */
const add = async (
  archive: ZipArchive,
  source: Readable | Buffer,
  data: ZipEntryData,
  signal: AbortSignal,
): Promise<void> => {
  const written = once(archive, 'entry', { signal });
  archive.append(source, data);
  await written;
};

const addFile = async (
  archive: ZipArchive,
  file: FileHandle,
  name: string,
  out: PassThrough,
  signal: AbortSignal,
): Promise<void> => {
  const { size, mtime, mode } = await file.stat();
  const data = { name, date: mtime, mode: mode & 0o777 };
  if (size === 0) {
    await file.close();
    return add(archive, NOTHING, data, signal);
  }
  // A file that grows while it is read ends where it ended when it was opened.
  const source = file.createReadStream({ end: size - 1 });
  source.once('error', (thrown) => out.destroy(thrown));
  try {
    await add(archive, source, data, signal);
  } finally {
    source.destroy();
  }
};

const fill = async (
  archive: ZipArchive,
  folder: string,
  entries: readonly Entry[],
  exclude: ReadonlySet<string>,
  out: PassThrough,
  signal: AbortSignal,
): Promise<void> => {
  for (const entry of flatten(entries)) {
    if (signal.aborted) return;
    const name = nameInArchive(folder, entry.path);
    if (entry.stats.isDirectory()) {
      const { mtime, mode } = entry.stats;
      await add(archive, NOTHING, { name: `${name}/`, date: mtime, mode: mode & 0o777 }, signal);
      continue;
    }
    const file = await openEntry(folder, entry, exclude);
    if (file !== null) await addFile(archive, file, name, out, signal);
  }
  // The end of the archive is the end of `out`; a reader that went away is no failure.
  archive.finalize().catch(() => undefined);
};

/**
 * A ZIP archive of a folder, written while it is read: one file is open at a time, a slow reader slows
 * the reading. `folder` is a real path, `entries` its walk without the excluded ones. Paths inside are
 * relative to the folder. A link gives the content of the file it leads to if that lies in the folder and
 * is not excluded; other links, pipes and sockets are left out. A failure destroys the stream.
 */
export const archiveOf = (
  folder: string,
  entries: readonly Entry[],
  exclude: ReadonlySet<string>,
): Readable => {
  const out = new PassThrough();
  const closed = new AbortController();
  out.once('close', () => closed.abort());
  const write = async (): Promise<void> => {
    // Loaded for the first archive: 1.7 MB that most instances never need.
    const { ZipArchive } = await import('archiver');
    const archive = new ZipArchive({ zlib: { level: 6 } });
    pipeline(archive, out, () => undefined);
    await fill(archive, folder, entries, exclude, out, closed.signal);
  };
  write().catch((thrown: unknown) => {
    out.destroy(new Error(reasonOf(thrown)));
  });
  return out;
};
