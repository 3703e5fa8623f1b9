import { once } from 'node:events';
import { type FileHandle, realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import type { ZipArchive, ZipEntryData } from 'archiver';
import { reasonOf } from '../../domain/errors.js';
import { openInside } from '../files/folder.js';
import { type DirectoryEntry, flatten } from './walk.js';

const NOTHING = Buffer.alloc(0);

/** Some programs read a backslash as a separator, so it is replaced. */
const nameInArchive = (folder: string, path: string): string =>
  relative(folder, path).split(sep).join('/').replaceAll('\\', '_');

const topLevelOf = (folder: string, path: string): string => relative(folder, path).split(sep)[0] ?? '';

/** `null` if it may not be in the archive, or vanished. */
const openEntry = async (
  folder: string,
  entry: DirectoryEntry,
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

/** Resolves once the entry is written, so one file is open at a time. */
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
  // A file that grows meanwhile ends at its size when opened.
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
  entries: readonly DirectoryEntry[],
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
  // `out` ends with the archive; a client that disconnects is not an error.
  archive.finalize().catch(() => undefined);
};

/**
 * Streams a ZIP archive of a real folder with back-pressure. A link is stored as the content of its target if
 * that is in the folder and not excluded; other links, pipes and sockets are left out. An error destroys the
 * stream.
 */
export const archiveOf = (
  folder: string,
  entries: readonly DirectoryEntry[],
  exclude: ReadonlySet<string>,
): Readable => {
  const out = new PassThrough();
  const closed = new AbortController();
  out.once('close', () => closed.abort());
  const write = async (): Promise<void> => {
    // Lazy: 1.7 MB that most instances never need.
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
