import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { temporaryName } from '../files/files.js';
import type { Folder } from '../files/folder.js';
import { errnoOf } from '../files/ioError.js';

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
export const moveInto = async (
  file: FileHandle,
  path: string,
  folder: Folder,
  name: string,
): Promise<void> => {
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
