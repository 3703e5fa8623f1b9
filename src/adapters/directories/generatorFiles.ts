import { relative, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { ErrorCode, Result } from '../../domain/errors.js';
import type { GeneratorFiles } from '../../ports/files.js';
import { ioError } from '../files/ioError.js';
import { copyFile } from './copy.js';
import { moveFile } from './move.js';
import { readFile } from './read.js';
import { removeFile } from './remove.js';
import { createFile, makeDirectory, replaceFile } from './write.js';

interface FoundConfig {
  readonly folder: string;
  readonly config: string;
}

/** Turns system errors into values that show the path of the client, not of the disk. */
const attempt = async <A>(
  work: Promise<Result<A>>,
  code: ErrorCode,
  verb: string,
  path: string,
): Promise<Result<A>> => {
  try {
    return await work;
  } catch (thrown) {
    return E.left(ioError(code, verb, `'${path}'`, thrown));
  }
};

export const generatorFiles = (
  config_filename: string,
  find: (name: string) => Promise<Result<FoundConfig>>,
): GeneratorFiles => {
  const inside = async <A>(
    name: string,
    [code, verb, path]: readonly [ErrorCode, string, string],
    work: (folder: string) => Promise<Result<A>>,
  ): Promise<Result<A>> => {
    const found = await find(name);
    return E.isLeft(found) ? found : attempt(work(found.right.folder), code, verb, path);
  };
  return {
    roleOf: async (name, path) =>
      E.map(({ folder, config }: FoundConfig) => {
        // A linked config has two paths: the link and its target.
        const configs = [config_filename, relative(folder, config).split(sep).join('/')];
        if (configs.includes(path)) return 'config';
        return configs.some((config) => config.startsWith(`${path}/`)) ? 'holds_config' : 'other';
      })(await find(name)),
    read: (name, path) => inside(name, ['unreadable', 'read', path], (folder) => readFile(folder, path)),
    create: (name, path, upload) =>
      inside(name, ['unwritable', 'write', path], (folder) => createFile(folder, path, upload)),
    replace: (name, path, upload, if_match) =>
      inside(name, ['unwritable', 'write', path], (folder) => replaceFile(folder, path, upload, if_match)),
    remove: (name, path, if_match) =>
      inside(name, ['unwritable', 'remove', path], (folder) => removeFile(folder, path, if_match)),
    makeDirectory: (name, path) =>
      inside(name, ['unwritable', 'create the directory', path], (folder) => makeDirectory(folder, path)),
    move: (name, source, destination) =>
      inside(name, ['unwritable', 'move', source], (folder) => moveFile(folder, source, destination)),
    copy: (name, source, destination) =>
      inside(name, ['unwritable', 'copy', source], (folder) => copyFile(folder, source, destination)),
  };
};
