import { constants, createWriteStream, type Stats } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as E from 'fp-ts/lib/Either.js';
import { flatten, walkDirectory } from '../../../adapters/directories/walk.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { openInside } from '../../../adapters/files/folder.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { MAX_CONFIG_BYTES } from '../../../config/generator/config.js';
import { parseYaml } from '../../../config/yaml/source.js';
import { failure, type Result } from '../../../domain/errors.js';
import { YAML_FILE } from '../../files/namedFiles.js';
import { type ImportedConfig, importConfig, isGeneratorConfig } from './config.js';
import type { Difference, Installation } from './installation.js';
import type { GlobalsUsed } from './startup.js';

interface ImportedFile {
  /** Relative to the generators, with slashes. */
  readonly path: string;
  readonly mode: number;
  /** The changed text of a config. Null for a file to copy. */
  readonly text: string | null;
}

export interface ImportedGenerators {
  /** The real path of the old generators. */
  readonly from: string;
  readonly folders: readonly string[];
  readonly files: readonly ImportedFile[];
  readonly differences: readonly Difference[];
  readonly globalsUsed: GlobalsUsed;
}

const TEMPLATE_FILE = /\.(?:jinja|j2)$/;
const MAX_TEMPLATE_BYTES = 1_048_576;

/** Line of the first mention of a name in a template, from 1. Null when there is none. */
const lineOf = (text: string, name: RegExp): number | null => {
  const index = text.split('\n').findIndex((line) => name.test(line));
  return index === -1 ? null : index + 1;
};

/** A template without its comments, on the same lines. A search from mark to mark, since a pattern could go back and forth. */
const withoutComments = (text: string): string => {
  const parts: string[] = [];
  let from = 0;
  for (let open = text.indexOf('{#'); open !== -1; open = text.indexOf('{#', from)) {
    const close = text.indexOf('#}', open + 2);
    if (close === -1) break;
    parts.push(text.slice(from, open), text.slice(open, close).replaceAll(/[^\n]/g, ''));
    from = close + 2;
  }
  return [...parts, text.slice(from)].join('');
};

const left = (file: string, message: string): Difference => ({
  file,
  issue: { path: [], type: 'not_allowed', message },
});

const kindOf = (stats: Stats): string => (stats.isSymbolicLink() ? 'is a link' : 'is no regular file');

const readConfig = async (
  path: string,
  shown: string,
  folders: readonly string[],
): Promise<ImportedConfig | null> => {
  const text = await nodeFiles.readText(path, MAX_CONFIG_BYTES);
  const source = E.isRight(text) ? parseYaml(text.right, shown) : text;
  return E.isRight(text) && E.isRight(source) && isGeneratorConfig(source.right)
    ? importConfig(text.right, source.right, path, folders)
    : null;
};

const isReadable = (folder: string): Promise<boolean> =>
  access(folder, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

/** What a template needs of its surroundings: state of the whole process, and programs. */
const readTemplate = async (path: string) => {
  const read = await nodeFiles.readText(path, MAX_TEMPLATE_BYTES);
  const text = E.isRight(read) ? withoutComments(read.right) : '';
  return { globals: lineOf(text, /\bglobals\s*[.[]/), subprocess: lineOf(text, /\bsubprocess\s*\.\s*run\b/) };
};

/** Reads all generators and decides what becomes of each file. Writes nothing. */
export const readGenerators = async (
  { generators: from, generatorsAsNamed }: Pick<Installation, 'generators' | 'generatorsAsNamed'>,
  shownFrom: string,
): Promise<Result<ImportedGenerators>> => {
  const walked = await walkDirectory(from).catch((thrown: unknown) =>
    ioError('unreadable', 'read', from, thrown),
  );
  if (walked === null)
    return E.left(failure('too_large', `${shownFrom} has too many files. Move some away.`));
  if (!Array.isArray(walked)) return E.left(walked as ReturnType<typeof ioError>);
  const entries = flatten(walked);
  const differences: Difference[] = [];
  const globalsUsed = new Map<string, string>();
  const configs = new Map<string, ImportedConfig>();
  const way = (path: string): string => relative(from, path).split(sep).join('/');
  const shown = (path: string): string => join(shownFrom, relative(from, path));
  for (const { path, stats } of entries) {
    if (stats.isDirectory() && !(await isReadable(path)))
      differences.push(left(shown(path), 'cannot be read: nothing in it is copied'));
    if (!stats.isFile()) continue;
    if (YAML_FILE.test(path)) {
      const config = await readConfig(path, shown(path), [from, generatorsAsNamed]);
      if (config !== null) {
        configs.set(path, config);
        differences.push(...config.differences);
      }
    } else if (TEMPLATE_FILE.test(path)) {
      const { globals, subprocess } = await readTemplate(path);
      const folder = way(path).split('/')[0] ?? '';
      if (globals !== null && !globalsUsed.has(folder)) globalsUsed.set(folder, `${shown(path)}:${globals}`);
      if (subprocess !== null) {
        const message =
          'subprocess is off unless generation.allow_subprocess is true, and ends after 8 seconds';
        differences.push({
          file: shown(path),
          issue: { path: [], type: 'not_allowed', message, line: subprocess, column: 1 },
        });
      }
    }
  }
  const written = new Set([...configs.values()].flatMap((config) => config.written));
  const files = entries.flatMap(({ path, stats }): readonly ImportedFile[] => {
    if (stats.isDirectory()) return [];
    if (!stats.isFile()) differences.push(left(shown(path), `${kindOf(stats)} and is not copied`));
    else if (written.has(path))
      differences.push(left(shown(path), 'is written by an output and is not copied'));
    else return [{ path: way(path), mode: stats.mode & 0o777, text: configs.get(path)?.text ?? null }];
    return [];
  });
  const folders = entries.filter(({ stats }) => stats.isDirectory()).map(({ path }) => way(path));
  return E.right({ from, folders, files, differences, globalsUsed });
};

/** Copies one file, and only if no link has taken its place since it was listed. */
const copyFile = async (from: string, path: string, to: string, mode: number): Promise<void> => {
  const file = await openInside(from, join(from, path));
  if (file === null) throw new Error('it changed during the import');
  await pipeline(file.createReadStream(), createWriteStream(to, { flags: 'wx', mode }));
};

/** Writes the generators into a new folder. */
export const writeGenerators = async (
  { from, folders, files }: ImportedGenerators,
  to: string,
): Promise<Result<void>> => {
  let at = to;
  try {
    await mkdir(to, { recursive: true });
    for (const folder of folders) {
      at = join(to, folder);
      await mkdir(at, { recursive: true });
    }
  } catch (thrown) {
    return E.left(ioError('unwritable', 'create the folder', at, thrown));
  }
  for (const { path, text, mode } of files) {
    const target = join(to, path);
    if (text !== null) {
      const written = await nodeFiles.replaceText(target, text);
      if (E.isLeft(written)) return written;
      continue;
    }
    try {
      await copyFile(from, path, target, mode);
    } catch (thrown) {
      return E.left(ioError('unreadable', 'copy', join(dirname(from), path), thrown));
    }
  }
  return E.right(undefined);
};
