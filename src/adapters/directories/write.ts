import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../../domain/directory.js';
import type { Result } from '../../domain/errors.js';
import { temporaryName } from '../files/files.js';
import { errnoOf } from '../files/ioError.js';
import { moveInto } from './content.js';
import { checkVersion, fileEtag } from './etag.js';
import { atLocation, type Location, refuse, statsAt } from './location.js';
import { removeStale } from './remove.js';

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
    ? refuse('unwritable', `'${name}' was removed while it was being written.`)
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
export const writeText = (
  root: string,
  path: string,
  text: string,
  mode: 'create' | 'replace',
): Promise<Result<string>> =>
  atLocation(root, path, false, async (target) => {
    const old = await statsAt(target);
    if (old !== null && mode === 'create') return refuse('already_exists', `'${path}' already exists.`);
    return old === null && mode === 'replace'
      ? refuse('not_found', `There is no file '${path}'.`)
      : putText(text, target, old);
  });

/** Creates a file from an upload, and its parent directories. Returns its etag. */
export const createFile = (root: string, path: string, upload: Upload): Promise<Result<string>> =>
  atLocation(root, path, true, async (target) =>
    (await statsAt(target)) === null
      ? putUpload(upload, target, null)
      : refuse('already_exists', `'${path}' already exists; replace it or choose another name.`),
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
    if (old === null) return refuse('not_found', `There is no file '${path}'; create it first.`);
    if (old.isSymbolicLink())
      return refuse('forbidden', `'${path}' is a link; Spate does not write through links.`);
    if (!old.isFile())
      return refuse('wrong_state', `'${path}' is not a regular file and cannot be replaced.`);
    const version = await checkVersion(if_match, target, old, path);
    return E.isLeft(version) ? version : putUpload(upload, target, old);
  });

export const makeDirectory = (root: string, path: string): Promise<Result<null>> =>
  atLocation(root, path, true, async ({ folder, name }) => {
    try {
      await mkdir(folder.at(name));
    } catch (thrown) {
      if (errnoOf(thrown) !== 'EEXIST') throw thrown;
      return refuse('already_exists', `'${path}' already exists.`);
    }
    await folder.sync();
    return E.right(null);
  });
