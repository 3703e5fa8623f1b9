import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, realpath, rename } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { isTemporaryName, temporaryName } from '../files/files.js';
import { inFolder, openInside, openSubfolder } from '../files/folder.js';
import { errnoOf, isAbsent } from '../files/ioError.js';
import { type Location, refuseLocation, statsAt } from './location.js';
import { checkPaths, existingSource, freeTarget } from './move.js';
import { removeEntry, removeStale } from './remove.js';
import { type ByteBudget, copyContent } from './write.js';

const MAX_COPY_ENTRIES = 10_000;
const MAX_COPY_BYTES = 1_073_741_824;
/** Files copied at once: most of the time is spent waiting for the disk. */
const CONCURRENT_FILES = 16;

interface Job {
  readonly root: string;
  readonly budget: ByteBudget;
  left_entries: number;
}

const TOO_LARGE = refuseLocation(
  'too_large',
  `A copy is limited to ${MAX_COPY_ENTRIES} entries and ${MAX_COPY_BYTES} bytes.`,
);

const notCopied = (shown: string): ReturnType<typeof refuseLocation> =>
  refuseLocation(
    'forbidden',
    `'${shown}' cannot be copied: it is neither a file, a directory, nor a link to a file of this generator.`,
  );

/** Opens a file, or a link to a file below the generator directory; else `null`. */
const openSource = async ({ folder, name }: Location, job: Job): Promise<FileHandle | null> => {
  try {
    const path = folder.at(name);
    const stats = await statsAt({ folder, name });
    if (stats?.isSymbolicLink() === true) return await openInside(job.root, await realpath(path));
    if (stats?.isFile() !== true) return null;
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return null;
  } catch (thrown) {
    if (isAbsent(thrown) || errnoOf(thrown) === 'ELOOP') return null;
    throw thrown;
  }
};

const copyOne = async (from: Location, to: Location, shown: string, job: Job): Promise<Result<null>> => {
  const file = await openSource(from, job);
  if (file === null) return notCopied(shown);
  try {
    return (await copyContent(file, to.folder.at(to.name), job.budget)) ? E.right(null) : TOO_LARGE;
  } finally {
    await file.close();
  }
};

/** Waits for all steps. */
const firstLeft = async (steps: readonly (() => Promise<Result<null>>)[]): Promise<Result<null>> => {
  for (let at = 0; at < steps.length; at += CONCURRENT_FILES) {
    const settled = await Promise.allSettled(steps.slice(at, at + CONCURRENT_FILES).map((step) => step()));
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason;
      if (E.isLeft(result.value)) return result.value;
    }
  }
  return E.right(null);
};

/** On failure the caller removes the partial copy. */
const copyDirectory = async (
  from: Location,
  to: Location,
  shown: string,
  job: Job,
): Promise<Result<null>> => {
  const stats = await statsAt(from);
  await mkdir(to.folder.at(to.name), Number((stats?.mode ?? 0o777n) & 0o777n) | 0o700);
  return inFolder(openSubfolder(from.folder, from.name), (source) =>
    inFolder(openSubfolder(to.folder, to.name), async (target) => {
      const names = (await readdir(source.here)).filter((name) => !isTemporaryName(name));
      const files: (() => Promise<Result<null>>)[] = [];
      for (const name of names) {
        const [inner, outer] = [
          { folder: source, name },
          { folder: target, name },
        ];
        const isDirectory = (await statsAt(inner))?.isDirectory() === true;
        const copy = (): Promise<Result<null>> => copyEntry(inner, outer, `${shown}/${name}`, job);
        if (!isDirectory) {
          files.push(copy);
          continue;
        }
        const copied = await copy();
        if (E.isLeft(copied)) return copied;
      }
      const copied = await firstLeft(files);
      await target.sync();
      return copied;
    }),
  );
};

const copyEntry = async (from: Location, to: Location, shown: string, job: Job): Promise<Result<null>> => {
  job.left_entries--;
  if (job.left_entries < 0) return TOO_LARGE;
  const stats = await statsAt(from);
  return stats?.isDirectory() === true ? copyDirectory(from, to, shown, job) : copyOne(from, to, shown, job);
};

/** Copies under a temporary name, then renames: the copy appears whole or not at all. */
const copyWhole = async (
  root: string,
  from: Location,
  to: Location,
  source: string,
): Promise<Result<null>> => {
  const job: Job = { root, budget: { left_bytes: MAX_COPY_BYTES }, left_entries: MAX_COPY_ENTRIES };
  const beside = { folder: to.folder, name: temporaryName() };
  let isPlaced = false;
  try {
    const copied = await copyEntry(from, beside, source, job);
    if (E.isLeft(copied)) return copied;
    await rename(to.folder.at(beside.name), to.folder.at(to.name));
    isPlaced = true;
    await to.folder.sync();
    return copied;
  } finally {
    if (!isPlaced) await removeEntry(to.folder, beside.name).catch(() => undefined);
    await removeStale(to.folder);
  }
};

/**
 * Copies a link to a file of the generator as its content; any other link, pipe or socket rejects the whole
 * copy.
 */
export const copyFile = async (root: string, source: string, destination: string): Promise<Result<null>> => {
  const checked = checkPaths(source, destination);
  if (E.isLeft(checked)) return checked;
  return existingSource(root, source, (from, { depth, entries }) =>
    freeTarget(root, destination, depth, async (to) =>
      entries > MAX_COPY_ENTRIES ? TOO_LARGE : copyWhole(root, from, to, source),
    ),
  );
};
