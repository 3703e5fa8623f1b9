import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../src/domain/errors.js';

/** Runs a test in a new folder, which is removed afterwards. */
export const inFolder = async (run: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-test-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const codeOf = (result: Result<unknown>): string => (E.isLeft(result) ? result.left.code : 'ok');
