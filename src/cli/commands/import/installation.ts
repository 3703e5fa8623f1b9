import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { isBelow } from '../../../adapters/files/folder.js';
import { ioError, isAbsent } from '../../../adapters/files/ioError.js';
import { MAX_SETTINGS_BYTES } from '../../../config/settings/settings.js';
import { MAX_STARTUP_BYTES } from '../../../config/startup/text.js';
import { locateIssues, parseYaml, type YamlSource } from '../../../config/yaml/source.js';
import { failure, type Issue, type Result } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { GENERATOR_FILE } from '../../../domain/library.js';
import { EVENTUM_FILE } from '../../files/eventumCron.js';
import { YAML_FILE } from '../../files/namedFiles.js';

/** A difference in behavior, at its location in a file. */
export interface Difference {
  readonly file: string;
  readonly issue: Issue;
}

/** A sentence about what is at a path of a document. */
export const differenceAt = (source: YamlSource, path: Issue['path'], message: string): Difference => {
  const [issue] = locateIssues(source, [{ path, type: 'not_allowed', message }]);
  return { file: source.file, issue: issue ?? { path, type: 'not_allowed', message } };
};

/** A setting by its full name, whether it is written nested, with dots, or both. */
export interface EventumSetting {
  readonly name: string;
  readonly value: Json;
}

export interface Installation {
  /** The real path: nothing outside of it is read. */
  readonly folder: string;
  readonly settings: YamlSource;
  readonly given: readonly EventumSetting[];
  /** Null when there is no startup list. */
  readonly startup: { readonly text: string; readonly source: YamlSource } | null;
  /** The real path of the generators. */
  readonly generators: string;
  /** The generators as the settings name them: entries have paths below it. */
  readonly generatorsAsNamed: string;
  readonly config_filename: string;
  readonly differences: readonly Difference[];
}

const SECTIONS: ReadonlySet<string> = new Set(['server', 'generation', 'log', 'path']);

/** Leaves of nested objects; lists and empty objects are leaves. */
const flat = (value: Json, name = ''): readonly EventumSetting[] =>
  isJsonObject(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, one]) => flat(one, name === '' ? key : `${name}.${key}`))
    : [{ name, value }];

const looksLikeSettings = ({ value }: YamlSource): boolean =>
  isJsonObject(value) && Object.keys(value).some((key) => SECTIONS.has(key.split('.', 1)[0] ?? ''));

const read = async (path: string, shown: string, max_bytes: number) => {
  const text = await nodeFiles.readText(path, max_bytes);
  if (E.isLeft(text)) return text;
  return E.map((source: YamlSource) => ({ text: text.right, source }))(parseYaml(text.right, shown));
};

/** The settings file of a folder: `eventum.yml`, else the only YAML file with a section of settings. */
const settingsIn = async (folder: string, shown: string): Promise<Result<string>> => {
  const names = (await readdir(folder)).filter((name) => YAML_FILE.test(name)).sort();
  if (names.includes(EVENTUM_FILE)) return E.right(join(folder, EVENTUM_FILE));
  const found: string[] = [];
  for (const name of names) {
    const one = await read(join(folder, name), name, MAX_SETTINGS_BYTES);
    if (E.isRight(one) && looksLikeSettings(one.right.source)) found.push(name);
  }
  const [first] = found;
  if (first !== undefined && found.length === 1) return E.right(join(folder, first));
  const what =
    first === undefined ? `no ${EVENTUM_FILE}, and no other settings file` : 'several settings files';
  const names_ = first === undefined ? '' : `: ${found.join(', ')}`;
  return E.left(failure('not_found', `${shown} has ${what}${names_}. Name the settings file.`));
};

/** The real path, if it is there and inside of the folder. */
const realInside = async (folder: string, path: string): Promise<string | null> => {
  const real = await realpath(path).catch(() => null);
  return real !== null && isBelow(folder, real) ? real : null;
};

/**
 * What a path of the settings names, inside of the folder. An installation from another machine names its own folders, so
 * what has the same name beside the settings file is taken too.
 */
const findInside = async (
  folder: string,
  beside: string,
  named: string,
): Promise<{ readonly path: string; readonly isMoved: boolean } | null> => {
  const exact = await realInside(folder, resolve(beside, named));
  if (exact !== null) return { path: exact, isMoved: false };
  const moved = await realInside(folder, join(beside, basename(named)));
  return moved === null ? null : { path: moved, isMoved: true };
};

/** Opens the folder of an installation, or the one around its settings file. Changes nothing. */
export const openInstallation = async (path: string, cwd: string): Promise<Result<Installation>> => {
  const absolute = resolve(cwd, path);
  const shown = (file: string): string => relative(cwd, file) || '.';
  try {
    const isFolder = (await stat(absolute)).isDirectory();
    const named = isFolder ? await settingsIn(absolute, path) : E.right(absolute);
    if (E.isLeft(named)) return named;
    const beside = dirname(named.right);
    const folder = await realpath(beside);
    if ((await realInside(folder, named.right)) === null)
      return E.left(
        failure('forbidden', `${shown(named.right)} is a link out of its folder. Copy it there.`),
      );
    const settings = await read(named.right, shown(named.right), MAX_SETTINGS_BYTES);
    if (E.isLeft(settings)) return settings;
    const { source } = settings.right;
    if (!looksLikeSettings(source))
      return E.left(
        failure('invalid', `${source.file}: has none of the sections server, generation, log and path.`),
      );
    return await openParts(source, { beside, folder, shown });
  } catch (thrown) {
    return E.left(ioError(isAbsent(thrown) ? 'not_found' : 'unreadable', 'read', path, thrown));
  }
};

interface Around {
  /** The folder of the settings file as it was given, and its real path. */
  readonly beside: string;
  readonly folder: string;
  readonly shown: (file: string) => string;
}

const openParts = async (
  settings: YamlSource,
  { beside, folder, shown }: Around,
): Promise<Result<Installation>> => {
  const given = flat(settings.value);
  const differences: Difference[] = [];
  const find = async (key: string, otherwise: string) => {
    const value = given.findLast(({ name }) => name === `path.${key}`)?.value;
    const named = typeof value === 'string' ? value : otherwise;
    const found = await findInside(folder, beside, named);
    // The real folder may have another name than the given one.
    const shownFound = found === null ? '' : shown(join(beside, relative(folder, found.path)));
    if (found?.isMoved === true)
      differences.push(
        differenceAt(settings, ['path', key], `is not in the imported folder; ${shownFound} is taken`),
      );
    return { named: resolve(beside, named), found, shownFound };
  };
  const generators = await find('generators_dir', 'generators');
  if (generators.found === null)
    return E.left(
      failure(
        'not_found',
        `${shown(beside)} has no generators: ${shown(generators.named)} is missing or outside of it. Copy it there.`,
      ),
    );
  const startup = await find('startup', 'startup.yml');
  const list =
    startup.found === null
      ? E.right(null)
      : await read(startup.found.path, startup.shownFound, MAX_STARTUP_BYTES);
  if (E.isLeft(list)) return list;
  if (list.right === null) {
    const message = 'names no file in the imported folder: the new startup list is empty';
    differences.push(differenceAt(settings, ['path', 'startup'], message));
  }
  const filename = given.findLast(({ name }) => name === 'path.generator_config_filename')?.value;
  return E.right({
    folder,
    settings,
    given,
    startup: list.right,
    generators: generators.found.path,
    generatorsAsNamed: generators.named,
    config_filename: typeof filename === 'string' ? filename : GENERATOR_FILE,
    differences,
  });
};
