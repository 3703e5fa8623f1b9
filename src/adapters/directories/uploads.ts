import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../../domain/directory.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import type { Uploads } from '../../ports/files.js';
import { isTemporaryName, temporaryName } from '../files/files.js';
import { inFolder, openFolder } from '../files/folder.js';
import { ioError } from '../files/ioError.js';
import { removeEntry, removeStaleBelow } from './remove.js';

const MAX_CONCURRENT_UPLOADS = 256;

/** Uploads hold private values, such as those of a log. A file that is put in place gets the usual mode. */
const OWNER_ONLY = 0o600;

const GONE = failure('unavailable', 'The client disconnected before its request was complete.');
const BUSY = failure(
  'too_many_requests',
  `The limit of ${MAX_CONCURRENT_UPLOADS} concurrent uploads is reached; try again in a moment.`,
);

/** Hides the temporary path: it means nothing to a client. */
const writeError = (thrown: unknown): SpateError => ioError('unwritable', 'store', 'the upload', thrown);

/** Returns the number of bytes written, or an error when the source fails. Rejects when a write fails. */
const writeChunks = async (
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  limit_bytes: number,
): Promise<Result<number>> => {
  let size = 0;
  const source = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await source.next().catch(() => null);
    if (next === null) return E.left(GONE);
    if (next.done === true) return E.right(size);
    size += next.value.length;
    if (size > limit_bytes) {
      await source.return?.();
      return E.left(failure('too_large', `The file exceeds the limit of ${limit_bytes} bytes.`));
    }
    await file.writeFile(next.value);
  }
};

const store = async (
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  limit_bytes: number,
): Promise<Result<Upload>> => {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, OWNER_ONLY);
  try {
    const written = await writeChunks(file, chunks, limit_bytes);
    if (E.isRight(written)) await file.sync();
    return E.map((size_bytes: number): Upload => ({ file: path, size_bytes }))(written);
  } finally {
    await file.close();
  }
};

/** Removes uploads that a killed service left behind. For its start only: none is under way. */
export const removeUploads = (root: string): Promise<void> =>
  inFolder(openFolder(root), async (folder) => {
    for (const name of (await readdir(folder.here)).filter(isTemporaryName)) await removeEntry(folder, name);
  }).catch(() => undefined);

/**
 * Stores uploads as hidden files of the generators directory: on one file system a rename moves them into
 * place.
 */
export const fileUploads = (root: string): Uploads => {
  let coming_in = 0;
  return {
    receive: async (chunks, limit_bytes) => {
      if (coming_in >= MAX_CONCURRENT_UPLOADS) return E.left(BUSY);
      coming_in++;
      const path = join(resolve(root), temporaryName());
      try {
        await mkdir(root, { recursive: true });
        await removeStaleBelow(root);
        const stored = await store(path, chunks, limit_bytes);
        if (E.isLeft(stored)) await rm(path, { force: true });
        return stored;
      } catch (thrown) {
        await rm(path, { force: true }).catch(() => undefined);
        return E.left(writeError(thrown));
      } finally {
        coming_in--;
      }
    },
    discard: async ({ file }) => {
      await rm(file, { force: true }).catch(() => undefined);
    },
  };
};
