import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { errnoOf, ioError, isAbsent } from '../files/ioError.js';
import { isBelow } from '../files/openInside.js';

const NO_FILE: ReadonlySet<string> = new Set(['ELOOP', 'ENAMETOOLONG']);

/** Real path, or that of the nearest existing ancestor. */
const nearestReal = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (thrown) {
    const above = dirname(path);
    if (!isAbsent(thrown) || above === path) throw thrown;
    return nearestReal(above);
  }
};

/**
 * Returns `file` or `absent` (also for a non-file). Returns the error `forbidden` when a link leads out of the real
 * root.
 */
export const configLocation =
  (root: string) =>
  async (path: string): Promise<Result<'file' | 'absent'>> => {
    try {
      const realRoot = await realpath(resolve(root));
      const real = await nearestReal(path);
      if (real !== realRoot && !isBelow(realRoot, real)) {
        const message = `${path} leads out of the generators directory through a link; use a path inside it`;
        return E.left(failure('forbidden', message));
      }
      const stats = await stat(path).catch((thrown: unknown) => {
        if (isAbsent(thrown)) return null;
        throw thrown;
      });
      return E.right(stats?.isFile() === true ? 'file' : 'absent');
    } catch (thrown) {
      // No root, a link cycle or an overlong name: no file.
      if (isAbsent(thrown) || NO_FILE.has(errnoOf(thrown))) return E.right('absent');
      return E.left(ioError('unreadable', 'look at', path, thrown));
    }
  };
