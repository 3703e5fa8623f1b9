import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { failure, type Result } from '../../../domain/errors.js';
import { type GeneratorFiles, MADE_BY } from '../../../learn/emit/files.js';

const FOLDERS = ['templates', 'samples'] as const;

/** Returns an error when the directory exists and may not be replaced. */
export const checkFree = async (folder: string, shown: string, force: boolean): Promise<Result<null>> => {
  if ((await stat(folder).catch(() => null)) === null) return E.right(null);
  if (!force)
    return E.left(
      failure(
        'already_exists',
        `${shown} already exists. Choose another --out, or give --force to replace it.`,
      ),
    );
  const config = await readFile(join(folder, 'generator.yml'), 'utf8').catch(() => '');
  return config.startsWith(MADE_BY)
    ? E.right(null)
    : E.left(failure('already_exists', `${shown} was not made by spate learn. Choose another --out.`));
};

/** Writes a generator. Templates and samples of an earlier one are removed. */
export const writeFiles = async (folder: string, files: GeneratorFiles): Promise<Result<null>> => {
  try {
    for (const name of FOLDERS) await rm(join(folder, name), { recursive: true, force: true });
    for (const name of new Set([...files.keys()].map((path) => dirname(join(folder, path)))))
      await mkdir(name, { recursive: true });
  } catch (thrown) {
    return E.left(ioError('unwritable', 'create the directory', folder, thrown));
  }
  for (const [path, text] of files) {
    const written = await nodeFiles.replaceText(join(folder, path), text);
    if (E.isLeft(written)) return written;
  }
  return E.right(null);
};
