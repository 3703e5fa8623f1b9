import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { UiFile, UiFiles } from '../../ports/files.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** Names of built files: no folders, no hidden files. */
const NAME = /^[\w-][\w.-]*$/;

const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

const readOrNull = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path);
  } catch {
    return null;
  }
};

const unzip = promisify(gunzip);

const unzippedOrNull = async (path: string): Promise<Buffer | null> => {
  const bytes = await readOrNull(path);
  return bytes === null ? null : unzip(bytes);
};

/** The UI that the build has put into `folder`. Browsers cache its files, so each is read from disk when asked for. */
export const builtUi = (folder: string): UiFiles => {
  const read = async (
    name: string,
    accepts: (encoding: 'br' | 'gzip') => boolean,
  ): Promise<UiFile | null> => {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined || !NAME.test(name)) return null;
    const path = join(folder, 'assets', name);
    for (const { encoding, suffix } of ENCODINGS) {
      const bytes = accepts(encoding) ? await readOrNull(path + suffix) : null;
      if (bytes !== null) return { bytes, contentType, encoding };
    }
    // Browsers accept one of the encodings: the build keeps files, but for tiny ones, compressed only.
    const bytes = (await readOrNull(path)) ?? (await unzippedOrNull(`${path}.gz`));
    return bytes === null ? null : { bytes, contentType, encoding: null };
  };
  return {
    page: async () => (await readOrNull(join(folder, 'index.html')))?.toString('utf8') ?? null,
    asset: read,
  };
};
