import { type FileHandle, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import type { FileContent } from '../../domain/directory.js';
import { type ErrorCode, type Result, reasonOf } from '../../domain/errors.js';
import type { GeneratorFiles } from '../../ports/files.js';
import { isBelow, openInside } from '../files/folder.js';
import { errnoOf, ioError, isAbsent } from '../files/ioError.js';
import { copyFile } from './copy.js';
import { fileEtag } from './etag.js';
import { checkPath, refuseLocation } from './location.js';
import { moveFile } from './move.js';
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

const CHUNK_BYTES = 262_144;
/** Bytes inspected to tell text from binary. */
const SNIFF_BYTES = 65_536;

/** True for UTF-8 without NUL; the last character may be cut. */
const isTextStart = (bytes: Uint8Array): boolean => {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};

const sniff = async (file: FileHandle): Promise<boolean> => {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
  return isTextStart(buffer.subarray(0, bytesRead));
};

/**
 * Streams `size` bytes, then closes the file. A file that shrank is an error: a part must not pass for the
 * whole.
 */
const bytesOf = (file: FileHandle, size: number): Readable => {
  let at = 0;
  let reading: Promise<unknown> = Promise.resolve();
  const readNext = async (stream: Readable): Promise<void> => {
    if (at >= size) {
      stream.push(null);
      return;
    }
    const want = Math.min(CHUNK_BYTES, size - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(want), 0, want, at);
    at += bytesRead;
    if (bytesRead === 0) throw new Error('the file shrank while it was read');
    stream.push(buffer.subarray(0, bytesRead));
  };
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      reading = readNext(this).catch((thrown: unknown) => this.destroy(new Error(reasonOf(thrown))));
    },
    destroy(error, done) {
      const close = (): Promise<void> => file.close();
      void reading.then(close, close).then(
        () => done(error),
        () => done(error),
      );
    },
  });
};

const noFile = (path: string): ReturnType<typeof refuseLocation> =>
  refuseLocation('not_found', `There is no file '${path}'.`);

/** Follows links that stay below the folder. */
const openFile = async (folder: string, path: string): Promise<Result<FileHandle>> => {
  try {
    const real = await realpath(join(folder, path));
    if (!isBelow(folder, real) && real !== folder)
      return refuseLocation('forbidden', `'${path}' is a link that leads out of the directory.`);
    const file = await openInside(folder, real);
    return file === null ? noFile(path) : E.right(file);
  } catch (thrown) {
    if (isAbsent(thrown) || ['ELOOP', 'ENXIO'].includes(errnoOf(thrown))) return noFile(path);
    throw thrown;
  }
};

/**
 * Returns the error `invalid` for the path, `not_found` (nothing, a directory, a pipe), or `forbidden` (a link leads
 * out). Rejects with system errors.
 */
const readFile = async (folder: string, path: string): Promise<Result<FileContent>> => {
  const checked = checkPath(path);
  if (E.isLeft(checked)) return checked;
  const opened = await openFile(folder, path);
  if (E.isLeft(opened)) return opened;
  const file = opened.right;
  try {
    const stats = await file.stat({ bigint: true });
    const size_bytes = Number(stats.size);
    const isText = await sniff(file);
    return E.right({
      chunks: bytesOf(file, size_bytes),
      size_bytes,
      etag: await fileEtag(file, stats),
      isText,
    });
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
};
