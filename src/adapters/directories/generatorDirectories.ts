import { mkdir, readdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { FileNode } from '../../domain/directory.js';
import { failure, type Result } from '../../domain/errors.js';
import { checkDirectoryName } from '../../domain/identifiers.js';
import type { GeneratorDirectories } from '../../ports/files.js';
import { readOpenText } from '../files/files.js';
import { inFolder, isBelow, openFolder, openInside } from '../files/folder.js';
import { errnoOf, ioError, isAbsent } from '../files/ioError.js';
import { archiveOf } from './archive.js';
import { generatorFiles } from './generatorFiles.js';
import { statsAt } from './location.js';
import { removeTree } from './remove.js';
import { type DirectoryEntry, flatten, MAX_DIRECTORY_DEPTH, MAX_ENTRIES, walkDirectory } from './walk.js';
import { createWhole, writeTextFile } from './write.js';

const MAX_CONFIG_BYTES = 2_097_152;

const MS_PER_SECOND = 1_000;

const AT_ONCE = 16;

interface Layout {
  readonly root: string;
  readonly config_filename: string;
}

const refuse = (
  code: 'not_found' | 'forbidden' | 'already_exists' | 'invalid',
  message: string,
): Result<never> => E.left(failure(code, message));

const noDirectory = (name: string): Result<never> =>
  refuse('not_found', `There is no generator directory '${name}'.`);

const leadsOutside = (name: string): Result<never> =>
  refuse(
    'forbidden',
    `'${name}' is a link that leads out of the generators directory; use a real directory.`,
  );

/** Real path of a generator directory, which must be directly in the real root. */
const findDirectory = async ({ root }: Layout, name: string): Promise<Result<string>> => {
  const flaw = checkDirectoryName(name);
  if (flaw !== null) return refuse('invalid', `The name of a generator directory ${flaw.message}.`);
  try {
    const realRoot = await realpath(root);
    const real = await realpath(join(realRoot, name));
    if (dirname(real) !== realRoot) return leadsOutside(name);
    return (await stat(real)).isDirectory() ? E.right(real) : noDirectory(name);
  } catch (thrown) {
    if (isAbsent(thrown) || errnoOf(thrown) === 'ELOOP') return noDirectory(name);
    return E.left(ioError('unreadable', 'read', join(root, name), thrown));
  }
};

const noConfig = ({ config_filename }: Layout, name: string): Result<never> =>
  refuse('not_found', `The directory '${name}' has no ${config_filename}.`);

/** Real path of the config file, which must be below its directory. */
const findConfig = async (
  layout: Layout,
  name: string,
): Promise<Result<{ readonly folder: string; readonly config: string }>> => {
  const folder = await findDirectory(layout, name);
  if (E.isLeft(folder)) return folder;
  const path = join(folder.right, layout.config_filename);
  try {
    const config = await realpath(path);
    if (!isBelow(folder.right, config)) {
      const message = `The ${layout.config_filename} of '${name}' is a link that leads out of the directory.`;
      return refuse('forbidden', message);
    }
    return (await stat(config)).isFile() ? E.right({ folder: folder.right, config }) : noConfig(layout, name);
  } catch (thrown) {
    if (isAbsent(thrown) || errnoOf(thrown) === 'ELOOP') return noConfig(layout, name);
    return E.left(ioError('unreadable', 'read', path, thrown));
  }
};

const list = async (layout: Layout): Promise<Result<readonly string[]>> => {
  try {
    const names = (await readdir(layout.root)).filter((name) => checkDirectoryName(name) === null);
    const found: string[] = [];
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const some = names.slice(from, from + AT_ONCE);
      const configs = await Promise.all(some.map((name) => findConfig(layout, name)));
      found.push(...some.filter((_, index) => E.isRight(configs[index] ?? E.left(null))));
    }
    return E.right(found.sort());
  } catch (thrown) {
    if (isAbsent(thrown)) return E.right([]);
    return E.left(ioError('unreadable', 'list', layout.root, thrown));
  }
};

const readConfig = async (layout: Layout, name: string): Promise<Result<string>> => {
  const found = await findConfig(layout, name);
  if (E.isLeft(found)) return found;
  const { folder, config } = found.right;
  try {
    const file = await openInside(folder, config);
    if (file === null) return noConfig(layout, name);
    try {
      return await readOpenText(file, config, MAX_CONFIG_BYTES);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (isAbsent(thrown) || errnoOf(thrown) === 'ELOOP') return noConfig(layout, name);
    return E.left(ioError('unreadable', 'read', config, thrown));
  }
};

const ensureDirectory = async (
  layout: Layout,
  name: string,
): Promise<Result<{ readonly folder: string; readonly isNew: boolean }>> => {
  const found = await findDirectory(layout, name);
  if (E.isRight(found)) return E.right({ folder: found.right, isNew: false });
  if (found.left.code !== 'not_found') return found;
  const path = join(layout.root, name);
  try {
    await mkdir(layout.root, { recursive: true });
    await mkdir(path);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') return E.left(ioError('unwritable', 'create', path, thrown));
    const again = await findDirectory(layout, name);
    if (E.isRight(again)) return E.right({ folder: again.right, isNew: false });
    return refuse('already_exists', `'${name}' exists and is not a directory; choose another name.`);
  }
  const made = await findDirectory(layout, name);
  return E.map((folder: string) => ({ folder, isNew: true }))(made);
};

/** Writes through an open directory, so a swapped link cannot redirect it. */
const writeInside = async (
  folder: string,
  path: string,
  text: string,
  mode: 'create' | 'replace',
): Promise<Result<void>> => {
  try {
    const written = await writeTextFile(folder, relative(folder, path).split(sep).join('/'), text, mode);
    return E.map(() => undefined)(written);
  } catch (thrown) {
    return E.left(ioError('unwritable', 'write', path, thrown));
  }
};

const createConfig = async (layout: Layout, name: string, text: string): Promise<Result<void>> => {
  const ensured = await ensureDirectory(layout, name);
  if (E.isLeft(ensured)) return ensured;
  const { folder, isNew } = ensured.right;
  const written = await writeInside(folder, join(folder, layout.config_filename), text, 'create');
  if (E.isRight(written)) return written;
  if (isNew) await rmdir(folder).catch(() => undefined);
  // Any link counts as existing: nothing is written through it.
  return written.left.code === 'already_exists'
    ? refuse('already_exists', `'${name}' already has a ${layout.config_filename}; update it instead.`)
    : written;
};

const updateConfig = async (layout: Layout, name: string, text: string): Promise<Result<void>> => {
  const found = await findConfig(layout, name);
  return E.isLeft(found) ? found : writeInside(found.right.folder, found.right.config, text, 'replace');
};

const walked = async <A>(
  layout: Layout,
  name: string,
  use: (folder: string, entries: readonly DirectoryEntry[]) => A | Promise<A>,
): Promise<Result<A>> => {
  const found = await findConfig(layout, name);
  if (E.isLeft(found)) return found;
  const { folder } = found.right;
  try {
    const entries = await walkDirectory(folder);
    if (entries !== null) return E.right(await use(folder, entries));
    const limits = `more than ${MAX_ENTRIES} entries or ${MAX_DIRECTORY_DEPTH} levels`;
    return E.left(failure('too_large', `The directory '${name}' cannot be listed: it has ${limits}.`));
  } catch (thrown) {
    return isAbsent(thrown) ? noDirectory(name) : E.left(ioError('unreadable', 'list', folder, thrown));
  }
};

const nodeOf = ({ name, stats, children }: DirectoryEntry): FileNode => ({
  name,
  is_dir: stats.isDirectory(),
  children: children.map(nodeOf),
});

const info: (layout: Layout, name: string) => ReturnType<GeneratorDirectories['info']> = (layout, name) =>
  walked(layout, name, async (folder, entries) => {
    const files = flatten(entries).filter(({ stats }) => stats.isFile());
    const own = await stat(folder);
    const newest = files.reduce((latest, { stats }) => Math.max(latest, stats.mtimeMs), own.mtimeMs);
    return {
      name,
      size_in_bytes: files.reduce((sum, { stats }) => sum + stats.size, 0),
      last_modified: newest / MS_PER_SECOND,
    };
  });

const holdersOf = async ({ root }: Layout, path: string): Promise<readonly string[]> => {
  const real = async (any: string): Promise<string> => realpath(any).catch(() => any);
  const holder = (folder: string, inside: string): readonly string[] =>
    isBelow(folder, inside) ? [relative(folder, inside).split(sep)[0] ?? ''] : [];
  const written = holder(root, resolve(path));
  return [...new Set([...written, ...holder(await real(root), await real(path))])];
};

const remove = async (layout: Layout, name: string): Promise<Result<null>> => {
  const found = await findConfig(layout, name);
  if (E.isLeft(found)) return found;
  try {
    return await inFolder(openFolder(await realpath(layout.root)), async (folder) => {
      const stats = await statsAt({ folder, name });
      if (stats?.isSymbolicLink() === true)
        return refuse('forbidden', `'${name}' is a link; remove its target instead.`);
      return stats === null ? noDirectory(name) : removeTree({ folder, name }, name);
    });
  } catch (thrown) {
    return E.left(ioError('unwritable', 'remove', join(layout.root, name), thrown));
  }
};

/**
 * A directory is a real one in the root, a config a real file in its directory (else `forbidden`). Without a
 * config a directory is `not_found`, except to create one.
 */
export const generatorDirectories = (root: string, config_filename: string): GeneratorDirectories => {
  const layout: Layout = { root: resolve(root), config_filename };
  return {
    list: () => list(layout),
    info: (name) => info(layout, name),
    readConfig: (name) => readConfig(layout, name),
    writeConfig: (name, text, mode) =>
      mode === 'create' ? createConfig(layout, name, text) : updateConfig(layout, name, text),
    create: async (name, files) => {
      const flaw = checkDirectoryName(name);
      return flaw === null
        ? createWhole(layout.root, name, files)
        : refuse('invalid', `The name of a generator directory ${flaw.message}.`);
    },
    tree: (name) => walked(layout, name, (_, entries) => entries.map(nodeOf)),
    archive: (name, exclude) =>
      walked(layout, name, (folder, entries) => {
        const leftOut = new Set(exclude);
        return archiveOf(
          folder,
          entries.filter((entry) => !leftOut.has(entry.name)),
          leftOut,
        );
      }),
    configPath: (name) => join(layout.root, name, config_filename),
    shownPath: async (name) => E.map(() => `${name}/${config_filename}`)(await findConfig(layout, name)),
    holdersOf: (path) => holdersOf(layout, path),
    remove: (name) => remove(layout, name),
    files: generatorFiles(config_filename, (name) => findConfig(layout, name)),
  };
};
