import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../../../src/domain/errors.js';

/** Runs a test in a new folder, which is removed afterwards. */
export const inFolder = async (run: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-test-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const right = <A>(result: E.Either<SpateError, A>): A => {
  if (E.isLeft(result)) throw new Error(`${result.left.code}: ${result.left.message}`);
  return result.right;
};

export const codeOf = (result: E.Either<SpateError, unknown>): string =>
  E.isLeft(result) ? result.left.code : 'ok';
