import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { generatorDirectories } from '../../../src/adapters/directories/generatorDirectories.js';
import { fileUploads } from '../../../src/adapters/directories/uploads.js';
import type { Upload } from '../../../src/domain/directory.js';
import { right } from '../../support/either.js';
import { inFolder } from './support.js';

export const CONFIG = 'generator.yml';

/** A generators directory and files outside of it, which must stay untouched. */
export interface World {
  /** The generators directory. */
  readonly root: string;
  /** A folder beside it, with a file `secret` and a config. */
  readonly outside: string;
  readonly directories: ReturnType<typeof generatorDirectories>;
  readonly uploads: ReturnType<typeof fileUploads>;
  /** Writes a file below the generators directory. */
  readonly put: (path: string, text: string) => Promise<void>;
  readonly link: (target: string, path: string) => Promise<void>;
  /** Content as a client sends it, stored and not yet in place. */
  readonly upload: (text: string | Buffer) => Promise<Upload>;
}

/** A chunk after the other. */
export async function* chunksOf(...chunks: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk as string);
}

export const inWorld = (run: (world: World) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const root = join(folder, 'generators');
    const outside = join(folder, 'outside');
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path), text);
    };
    await mkdir(outside);
    await mkdir(root);
    await writeFile(join(outside, 'secret'), 'TOP SECRET');
    await writeFile(join(outside, CONFIG), 'TOP SECRET');
    const uploads = fileUploads(root);
    await run({
      root,
      outside,
      directories: generatorDirectories(root, CONFIG),
      uploads,
      put,
      link: (target, path) => symlink(target, join(root, path)),
      upload: async (text) => right(await uploads.receive(chunksOf(text), 100_000_000)),
    });
  });

export const bytesOf = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Files below a folder that this process has open. */
export const openFilesBelow = async (folder: string): Promise<number> => {
  const fds = await readdir('/proc/self/fd');
  const paths = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder)).length;
};

/** Everything below a folder, links not followed: files by content, directories as `/`, links by their target. */
export const snapshotOf = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const found: [string, string][] = [];
  const look = async (path: string): Promise<void> => {
    for (const name of (await readdir(path)).sort()) {
      const at = join(path, name);
      const shown = relative(folder, at);
      const stats = await lstat(at);
      if (stats.isDirectory()) {
        found.push([shown, '/']);
        await look(at);
      } else if (stats.isSymbolicLink()) found.push([shown, `-> ${await readlink(at)}`]);
      else found.push([shown, stats.isFile() ? await readFile(at, 'latin1') : 'special']);
    }
  };
  await look(folder);
  return Object.fromEntries(found);
};
