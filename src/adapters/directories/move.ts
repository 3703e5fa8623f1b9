import { rename } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { MAX_FILE_DEPTH } from '../../domain/directory.js';
import type { Result } from '../../domain/errors.js';
import { errnoOf } from '../files/ioError.js';
import { atLocation, checkPath, type Location, refuseLocation, statsAt } from './location.js';
import { type Extent, measure } from './walk.js';

export const existingSource = <A>(
  root: string,
  source: string,
  use: (from: Location, extent: Extent) => Promise<Result<A>>,
): Promise<Result<A>> =>
  atLocation(root, source, false, async (from) => {
    if ((await statsAt(from)) === null)
      return refuseLocation('not_found', `There is no file or directory '${source}'.`);
    const extent = await measure(from, source);
    return E.isLeft(extent) ? extent : use(from, extent.right);
  });

/** Resolves a free target for something `depth` levels deep. */
export const freeTarget = <A>(
  root: string,
  target: string,
  depth: number,
  use: (to: Location) => Promise<Result<A>>,
): Promise<Result<A>> =>
  atLocation(root, target, false, async (to) => {
    if ((await statsAt(to)) !== null) return refuseLocation('already_exists', `'${target}' already exists.`);
    return target.split('/').length + depth > MAX_FILE_DEPTH
      ? refuseLocation('too_large', `'${target}' would exceed the limit of ${MAX_FILE_DEPTH} levels.`)
      : use(to);
  });

/** Returns an error when a path is invalid, or when a directory would be moved into itself. */
export const checkPaths = (source: string, target: string): Result<null> => {
  const bad = [checkPath(source), checkPath(target)].find(E.isLeft);
  if (bad !== undefined) return bad;
  return target.startsWith(`${source}/`)
    ? refuseLocation(
        'wrong_state',
        `'${source}' cannot be moved or copied into itself; choose another destination.`,
      )
    : E.right(null);
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Like mv: an existing directory receives the source under its name. */
const targetOf = (root: string, source: string, destination: string): Promise<Result<string>> =>
  atLocation(root, destination, false, async (to) => {
    const stats = await statsAt(to);
    if (stats === null) return E.right(destination);
    return stats.isDirectory()
      ? E.right(`${destination}/${lastOf(source)}`)
      : refuseLocation('already_exists', `'${destination}' already exists.`);
  });

const relocate = async (from: Location, to: Location, source: string): Promise<Result<null>> => {
  try {
    await rename(from.folder.at(from.name), to.folder.at(to.name));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EXDEV') throw thrown;
    return refuseLocation(
      'wrong_state',
      `'${source}' is on another file system than its destination; copy it instead.`,
    );
  }
  await to.folder.sync();
  await from.folder.sync();
  return E.right(null);
};

/** Moves a file, a link itself or a directory, also into an existing directory. Never replaces anything. */
export const moveFile = async (root: string, source: string, destination: string): Promise<Result<null>> => {
  const checked = checkPaths(source, destination);
  if (E.isLeft(checked)) return checked;
  return existingSource(root, source, async (from, { depth }) => {
    if (source === destination) return E.right(null);
    const target = await targetOf(root, source, destination);
    if (E.isLeft(target)) return target;
    if (target.right === source) return E.right(null);
    return freeTarget(root, target.right, depth, (to) => relocate(from, to, source));
  });
};
