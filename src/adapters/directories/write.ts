import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../../domain/directory.js';
import { failure, type Result } from '../../domain/errors.js';
import type { NewFile } from '../../ports/files.js';
import { temporaryName } from '../files/files.js';
import { type Folder, inFolder, openFolder } from '../files/folder.js';
import { errnoOf, ioError } from '../files/ioError.js';
import { checkVersion, fileEtag } from './etag.js';
import { atLocation, type Location, refuseLocation, statsAt } from './location.js';
import { removeEntry, removeStale } from './remove.js';

/** Copies owner and permissions of the replaced file; only root can change the owner. */
const takeOver = async (file: FileHandle, old: BigIntStats): Promise<void> => {
  const own = await file.stat({ bigint: true });
  if (own.uid !== old.uid || own.gid !== old.gid) {
    await file.chown(Number(old.uid), Number(old.gid)).catch((thrown: unknown) => {
      if (errnoOf(thrown) !== 'EPERM') throw thrown;
    });
  }
  await file.chmod(Number(old.mode & 0o777n));
};

const putUpload = async (
  upload: Upload,
  { folder, name }: Location,
  old: BigIntStats | null,
): Promise<Result<string>> => {
  const file = await open(upload.file, constants.O_RDONLY | constants.O_NOFOLLOW);
  let etag: string;
  try {
    etag = await fileEtag(file, await file.stat({ bigint: true }));
    // Until now, only the owner could read it.
    if (old === null) await file.chmod(0o666 & ~process.umask());
    else await takeOver(file, old);
    await file.sync();
    await moveInto(file, upload.file, folder, name);
  } finally {
    await file.close();
  }
  await removeStale(folder);
  return (await statsAt({ folder, name })) === null
    ? refuseLocation('unwritable', `'${name}' was removed while it was being written.`)
    : E.right(etag);
};

const putText = async (text: string, target: Location, old: BigIntStats | null): Promise<Result<string>> => {
  const beside = target.folder.at(temporaryName());
  try {
    await writeFile(beside, text, { flag: 'wx' });
    return await putUpload({ file: beside, size_bytes: Buffer.byteLength(text) }, target, old);
  } finally {
    await rm(beside, { force: true });
  }
};

/** Creates or replaces a text file, never through a link. */
export const writeTextFile = (
  root: string,
  path: string,
  text: string,
  mode: 'create' | 'replace',
): Promise<Result<string>> =>
  atLocation(root, path, false, async (target) => {
    const old = await statsAt(target);
    if (old !== null && mode === 'create')
      return refuseLocation('already_exists', `'${path}' already exists.`);
    return old === null && mode === 'replace'
      ? refuseLocation('not_found', `There is no file '${path}'.`)
      : putText(text, target, old);
  });

/** Creates a file from an upload, and its parent directories. Returns its etag. */
export const createFile = (root: string, path: string, upload: Upload): Promise<Result<string>> =>
  atLocation(root, path, true, async (target) =>
    (await statsAt(target)) === null
      ? putUpload(upload, target, null)
      : refuseLocation('already_exists', `'${path}' already exists; replace it or choose another name.`),
  );

/** Replaces a file with an upload. Returns its etag. */
export const replaceFile = (
  root: string,
  path: string,
  upload: Upload,
  if_match: string | null,
): Promise<Result<string>> =>
  atLocation(root, path, false, async (target) => {
    const old = await statsAt(target);
    if (old === null) return refuseLocation('not_found', `There is no file '${path}'; create it first.`);
    if (old.isSymbolicLink())
      return refuseLocation('forbidden', `'${path}' is a link; Spate does not write through links.`);
    if (!old.isFile())
      return refuseLocation('wrong_state', `'${path}' is not a regular file and cannot be replaced.`);
    const version = await checkVersion(if_match, target, old, path);
    return E.isLeft(version) ? version : putUpload(upload, target, old);
  });

export const makeDirectory = (root: string, path: string): Promise<Result<null>> =>
  atLocation(root, path, true, async ({ folder, name }) => {
    try {
      await mkdir(folder.at(name));
    } catch (thrown) {
      if (errnoOf(thrown) !== 'EEXIST') throw thrown;
      return refuseLocation('already_exists', `'${path}' already exists.`);
    }
    await folder.sync();
    return E.right(null);
  });

const CHUNK_BYTES = 1_048_576;

export interface ByteBudget {
  left_bytes: number;
}

const pour = async (from: FileHandle, to: FileHandle, budget: ByteBudget): Promise<boolean> => {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await from.read(buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return true;
    at += bytesRead;
    budget.left_bytes -= bytesRead;
    if (budget.left_bytes < 0) return false;
    await to.writeFile(buffer.subarray(0, bytesRead));
  }
};

/**
 * Copies content and permissions, durably. False, with nothing left behind: over budget. Rejects with system
 * errors.
 */
export const copyContent = async (from: FileHandle, path: string, budget: ByteBudget): Promise<boolean> => {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const { mode, size } = await from.stat();
  if (size > budget.left_bytes) return false;
  const to = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  let isWhole = false;
  try {
    isWhole = await pour(from, to, budget);
    await to.chmod(mode & 0o777);
    await to.sync();
  } finally {
    await to.close();
    if (!isWhole) await rm(path, { force: true });
  }
  return isWhole;
};

/** Atomic, also across file systems. Rejects with system errors. */
const moveInto = async (file: FileHandle, path: string, folder: Folder, name: string): Promise<void> => {
  try {
    await rename(path, folder.at(name));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EXDEV') throw thrown;
    const beside = folder.at(temporaryName());
    await copyContent(file, beside, { left_bytes: Number.POSITIVE_INFINITY });
    await rename(beside, folder.at(name));
  }
  await folder.sync();
};

const exists = (name: string): Result<never> =>
  E.left(failure('already_exists', `'${name}' already exists. Choose another name or remove it first.`));

const sync = (path: string): Promise<void> => inFolder(openFolder(path), (folder) => folder.sync());

const writeAll = async (folder: string, files: readonly NewFile[]): Promise<void> => {
  const folders = new Set(files.map(({ path }) => dirname(join(folder, path))));
  for (const each of folders) await mkdir(each, { recursive: true });
  for (const { path, bytes } of files)
    await writeFile(join(folder, path), bytes, { flag: 'wx', flush: true });
  for (const each of folders) await sync(each);
};

/**
 * Creates a directory with files: it appears whole or not at all. Returns the error `already_exists` for any entry of
 * the name.
 */
export const createWhole = async (
  root: string,
  name: string,
  files: readonly NewFile[],
): Promise<Result<null>> => {
  try {
    await mkdir(root, { recursive: true });
    return await inFolder(openFolder(await realpath(root)), async (folder) => {
      if ((await statsAt({ folder, name })) !== null) return exists(name);
      const beside = temporaryName();
      let isPlaced = false;
      try {
        await mkdir(folder.at(beside));
        await writeAll(folder.at(beside), files);
        await rename(folder.at(beside), folder.at(name));
        isPlaced = true;
        await folder.sync();
        return E.right(null);
      } finally {
        if (!isPlaced) await removeEntry(folder, beside).catch(() => undefined);
        await removeStale(folder);
      }
    });
  } catch (thrown) {
    return ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(errnoOf(thrown))
      ? exists(name)
      : E.left(ioError('unwritable', 'create', join(root, name), thrown));
  }
};
