import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { NewFile } from '../../ports/files.js';
import { temporaryName } from '../files/files.js';
import { inFolder, openFolder } from '../files/folder.js';
import { errnoOf, ioError } from '../files/ioError.js';
import { statsAt } from './location.js';
import { removeEntry, removeStale } from './remove.js';

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
