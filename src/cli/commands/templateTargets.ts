import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { flatten, walkDirectory } from '../../adapters/directoryWalk.js';
import { ioError, isAbsent } from '../../adapters/ioError.js';
import { failure, type SpateError } from '../../domain/errors.js';

/** A file to check: a generator config, or a template. */
export interface Target {
  readonly kind: 'config' | 'template';
  /** Absolute. */
  readonly path: string;
  /** True when a person named it, not only a folder around it. */
  readonly isNamed: boolean;
}

const CONFIG = /\.ya?ml$/;
const TEMPLATE = /\.(?:jinja2?|j2)$/;

/** Folders that hold no files of a person. */
const isSkipped = (path: string): boolean =>
  path.split('/').some((part) => part === 'node_modules' || (part.startsWith('.') && part !== ''));

const targetsBelow = async (
  folder: string,
  shown: string,
): Promise<E.Either<SpateError, readonly Target[]>> => {
  const entries = await walkDirectory(folder);
  if (entries === null) {
    return E.left(failure('too_large', `${shown} has too many files: name a folder below it`));
  }
  const files = flatten(entries).filter(
    ({ stats, path }) => stats.isFile() && !isSkipped(relative(folder, path)),
  );
  return E.right(
    files.flatMap(({ path }): readonly Target[] => {
      if (CONFIG.test(path)) return [{ kind: 'config', path, isNamed: false }];
      return TEMPLATE.test(path) ? [{ kind: 'template', path, isNamed: false }] : [];
    }),
  );
};

/**
 * The files that a path of the command line means: itself, or the configs and templates below a folder
 * (hidden folders and packages left out, links not followed). Left: nothing is there.
 */
export const targetsAt = async (
  shown: string,
  cwd: string,
): Promise<E.Either<SpateError, readonly Target[]>> => {
  const path = resolve(cwd, shown);
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return await targetsBelow(path, shown);
    return E.right([{ kind: CONFIG.test(path) ? 'config' : 'template', path, isNamed: true }]);
  } catch (thrown) {
    return E.left(ioError(isAbsent(thrown) ? 'not_found' : 'unreadable', 'read', shown, thrown));
  }
};
