import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../src/domain/errors.js';
import type { StateFiles } from '../../src/ports/files.js';

/** Content of the disk; survives a crash. */
export type Disk = Map<string, string>;

export interface MemoryFiles extends StateFiles {
  /** Every write fails with this reason; `null`: none does. */
  readonly failWrites: (reason: string | null) => void;
  /** Number of attempted writes. */
  readonly writes: () => number;
  /** After a crash nothing is written or answered. */
  readonly hasCrashed: () => boolean;
  readonly crash: () => void;
}

/**
 * Files in memory. `crashAt` is the write (from 1) in the middle of which the process dies: an append
 * leaves the share `torn` of its text, a replacement is whole or absent, and no call ever answers again.
 */
export const memoryFiles = (
  disk: Disk,
  crashAt = Number.POSITIVE_INFINITY,
  torn: { readonly share: number; readonly isReplaced: boolean } = { share: 0, isReplaced: false },
): MemoryFiles => {
  let writes = 0;
  let failing: string | null = null;
  let isDead = false;
  const never = new Promise<never>(() => {});
  const hasCrashed = (): boolean => isDead || writes >= crashAt;

  const write = async (put: () => void, tear: () => void): Promise<E.Either<never, void>> => {
    if (hasCrashed()) return never;
    writes++;
    if (hasCrashed()) {
      tear();
      return never;
    }
    put();
    return E.right(undefined);
  };
  const refused = () => E.left(failure('unwritable', failing ?? ''));

  return {
    readText: async (path) => {
      if (hasCrashed()) return never;
      const text = disk.get(path);
      return text === undefined ? E.left(failure('not_found', `${path} does not exist`)) : E.right(text);
    },
    replaceText: async (path, text) => {
      if (failing !== null) return refused();
      const put = (): void => void disk.set(path, text);
      return write(put, () => {
        if (torn.isReplaced) put();
      });
    },
    appendText: async (path, text) => {
      if (failing !== null) return refused();
      const put = (part: string): void => void disk.set(path, (disk.get(path) ?? '') + part);
      return write(
        () => put(text),
        () => put(text.slice(0, Math.floor(text.length * torn.share))),
      );
    },
    makeDirectory: async () => E.right(undefined),
    remove: async (path) => {
      if (failing !== null) return refused();
      const put = (): void => void disk.delete(path);
      return write(put, () => {
        if (torn.isReplaced) put();
      });
    },
    failWrites: (reason) => {
      failing = reason;
    },
    writes: () => writes,
    hasCrashed,
    crash: () => {
      isDead = true;
    },
  };
};
