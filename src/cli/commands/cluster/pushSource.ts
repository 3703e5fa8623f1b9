import { readdir } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { invalid } from '../../../config/report.js';
import { DEFAULT_GENERATION } from '../../../config/settings/generationFields.js';
import { MAX_SETTINGS_BYTES } from '../../../config/settings/settings.js';
import { startupOf } from '../../../config/startup/startup.js';
import { locateIssues, parseYaml, type YamlSource } from '../../../config/yaml/source.js';
import type { Issue, Result, SpateError } from '../../../domain/errors.js';
import type { StartupEntry } from '../../../domain/generator.js';
import { checkDirectoryName } from '../../../domain/identifiers.js';

/** A valid startup list. */
export interface PushedList {
  readonly text: string;
  readonly source: YamlSource;
  /** In the order of the file. */
  readonly entries: readonly StartupEntry[];
}

export interface PushSource {
  /** Absolute path of the generators directory. */
  readonly folder: string;
  /** Directories of it, sorted. */
  readonly names: readonly string[];
  readonly list: PushedList;
}

/**
 * Returns where an entry's config is, relative to the generators directory. `directory` is null when it is in none of
 * its directories.
 */
export const locationOfConfig = (
  folder: string,
  { path }: Pick<StartupEntry, 'path'>,
): { readonly directory: string | null; readonly file: string } => {
  const inside = path.startsWith(`${folder}${sep}`) ? path.slice(folder.length + 1).split(sep) : [];
  const [directory, ...rest] = inside;
  return directory === undefined || rest.length === 0
    ? { directory: null, file: path }
    : { directory, file: rest.join('/') };
};

const OUTSIDE: Omit<Issue, 'path'> = {
  type: 'not_allowed',
  message: 'is in no directory of the generators directory, and other files are not copied to the nodes',
  hint: 'Move it into a directory and give the path relative to the generators directory.',
};

/** Errors at paths of entries, by `problemOf`. */
export const pathErrors = (
  { source, entries }: PushedList,
  problemOf: (entry: StartupEntry) => Omit<Issue, 'path'> | null,
): SpateError | null => {
  const issues = entries.flatMap((entry, index): readonly Issue[] => {
    const problem = problemOf(entry);
    return problem === null ? [] : [{ ...problem, path: [index, 'path'] }];
  });
  return issues.length === 0 ? null : invalid(source.file, locateIssues(source, issues));
};

const readList = async (
  file: string,
  shown: string,
  folder: string,
): Promise<E.Either<readonly SpateError[], PushedList>> => {
  const text = await nodeFiles.readText(file, MAX_SETTINGS_BYTES);
  if (E.isLeft(text)) return E.left([text.left]);
  const source = parseYaml(text.right, shown);
  if (E.isLeft(source)) return E.left([source.left]);
  const list = startupOf(source.right, { generation: DEFAULT_GENERATION, generators_dir: folder });
  if (E.isLeft(list)) return E.left([list.left]);
  const { entries, rejected } = list.right;
  if (rejected.length > 0) return E.left(rejected.map(({ error }) => error));
  const read = { text: text.right, source: source.right, entries };
  const outside = pathErrors(read, (entry) =>
    locationOfConfig(folder, entry).directory === null ? OUTSIDE : null,
  );
  return outside === null ? E.right(read) : E.left([outside]);
};

const directoriesIn = async (folder: string): Promise<Result<readonly string[]>> => {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    const names = found.filter((one) => one.isDirectory() && checkDirectoryName(one.name) === null);
    return E.right(names.map(({ name }) => name).sort());
  } catch (thrown) {
    return E.left(ioError('unreadable', 'list', folder, thrown));
  }
};

/** Reads what a push copies. Returns every error of the list, with its location, when it is invalid. */
export const readPushSource = async (
  cwd: string,
  directory: string,
  startupFile: string,
): Promise<E.Either<readonly SpateError[], PushSource>> => {
  const folder = resolve(cwd, directory);
  const names = await directoriesIn(folder);
  if (E.isLeft(names)) return E.left([names.left]);
  const list = await readList(resolve(cwd, startupFile), startupFile, folder);
  return E.map((read: PushedList) => ({ folder, names: names.right, list: read }))(list);
};
