import { basename, dirname, join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import type { GeneratorUse } from '../../actors/stores/configFiles.js';
import type { ConfigsOptions } from '../../actors/stores/configs.js';
import { nodeFiles } from '../adapters/files/files.js';
import { systemClock } from '../adapters/systemClock.js';
import { MAX_CONFIG_BYTES } from '../config/generator/config.js';
import { invalid } from '../config/report.js';
import type { Settings } from '../config/settings/settings.js';
import { failure, type Result } from '../domain/errors.js';
import type { GeneratorParams } from '../domain/generator.js';
import type { JsonObject } from '../domain/json.js';
import { placeholdersIn } from '../domain/placeholder.js';
import type { PreviewHost } from '../host/previewHost.js';
import type { Ask } from '../messages/ask.js';
import type { GeneratorListItem, GeneratorStatus } from '../messages/generators.js';
import type { SecretReference } from '../messages/instance.js';
import type { Files, GeneratorDirectories } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import { once } from '../schema/index.js';
import type { DestinationsOptions } from './destinations.js';
import { openLibrary } from './library.js';
import { configReader, withText } from './texts.js';

const AT_REST: ReadonlySet<GeneratorStatus['phase']> = new Set(['idle', 'finished', 'failed', 'stopped']);

/** Lazy: most services get no upload with a config. */
const uploadsModule = () => import('./uploads/uploads.js');

interface Given extends DestinationsOptions {
  readonly directories: GeneratorDirectories;
  readonly settings: Pick<Settings, 'path'>;
  readonly log: Log;
  /** Folder of the library. */
  readonly library: string;
  /** Starts threads that make worlds. */
  readonly host: PreviewHost;
}

const readBack = (text: string, file: string) => withText('config.read', file, text, file);
const ofTemplate = async (source: string) =>
  E.getOrElseW(() => null)(await withText('template.usage', '', source));

/** Lazy: most services have no destination. */
const destinationsModule = () => import('./destinations.js');

export const configsOptions = (given: Given): ConfigsOptions => {
  const { directories, generators_dir, ask } = given;
  const config_filename = given.settings.path.generator_config_filename;
  const use = ({ id, path }: GeneratorListItem): GeneratorUse => ({
    id,
    path: resolve(generators_dir, path),
  });

  const users = async (): Promise<Result<readonly GeneratorUse[]>> => {
    const listed = await ask('startup.list', null);
    // Without a startup file the list is empty.
    if (E.isLeft(listed) && listed.left.code !== 'not_found') return listed;
    const known = await ask('generators.list', null);
    if (E.isLeft(known)) return known;
    const running = known.right.filter(({ status }) => !AT_REST.has(status.phase)).map(use);
    return E.right([...(E.isRight(listed) ? listed.right.entries : []), ...running]);
  };

  return {
    directories,
    destinations: async () => (await destinationsModule()).destinationHandlers(given),
    versions: once(async () => {
      const { fileVersions } = await import('../adapters/directories/fileVersions.js');
      return fileVersions({ state: given.settings.path.state, generators_dir, log: given.log });
    }),
    worlds: once(async () =>
      (await import('./worlds/worlds.js')).worldHandlers({ ...given, clock: systemClock }),
    ),
    codec: {
      readBack,
      create: (config) => withText('config.create', '', config),
      update: (text, config, file) => withText('config.update', file, text, config),
      replace: (text, config, file) => withText('config.replace', file, text, config),
    },
    registered: async () =>
      E.map((known: readonly GeneratorListItem[]) => known.map(use))(await ask('generators.list', null)),
    users,
    readUpload: async (upload) => (await uploadsModule()).readUpload(upload),
    readWhole: async (upload, config_file) => (await uploadsModule()).readWhole(upload, config_file),
    library: openLibrary(given.library),
    targetOf: (name) => ({
      name,
      folder: join(generators_dir, name),
      shown: `${basename(generators_dir)}/${name}`,
      config_filename,
    }),
    usageOf: async (name) => {
      // Lazy: only the page of a scenario asks.
      const { usageOfDirectory } = await import('../worker/check/globalsUsage.js');
      const read = { directories, config_filename, ofTemplate, readBack };
      return usageOfDirectory(read, name);
    },
  };
};

/** Returns an error when nothing reads a parameter, or when the pack does not have its value. */
export const checkGivenParams = async ({
  path,
  params,
}: Pick<GeneratorParams, 'path' | 'params'>): Promise<Result<null>> => {
  if (Object.keys(params).length === 0) return E.right(null);
  const { paramIssuesAt } = await import('../config/generator/given.js');
  const issues = await paramIssuesAt(path, params, { ...configReader, readText: nodeFiles.readText });
  return issues.length === 0 ? E.right(null) : E.left(invalid('', issues));
};

/** Writes sections to the config of a generator. Returns an error when it is not in the generators directory. */
export const persistSections = (
  ask: Ask,
  configPath: GeneratorDirectories['configPath'],
  file: string,
  sections: JsonObject,
): Promise<Result<null>> => {
  const name = basename(dirname(file));
  if (configPath(name) === file) return ask('configs.patch', { name, sections });
  const reason = `${file} is not the config of a folder of the generators directory`;
  return Promise.resolve(E.left(failure('forbidden', reason)));
};

/** A line that is a comment as a whole. */
const COMMENT = /^[ \t]*#.*$/gm;

const isIn = (text: string, secret: string): boolean =>
  placeholdersIn(text.replace(COMMENT, '')).some(
    ({ source, name }) => source === 'secrets' && name === secret,
  );

/** Finds the files that name a secret: configs in the generators directory, and those of registered generators. */
export const secretReferences =
  (files: {
    readonly settings: string;
    readonly startup: string;
    readonly destinations: string;
    /** Reads the startup list; nodes of a cluster have none on disk. */
    readonly readStartup: Files['readText'];
    readonly directories: Pick<GeneratorDirectories, 'list' | 'configPath'>;
    readonly generators_dir: string;
    readonly ask: AskActor;
  }) =>
  async (secret: string): Promise<Result<readonly SecretReference[]>> => {
    const names = await files.directories.list();
    if (E.isLeft(names)) return names;
    const known = await files.ask('generators.list', null);
    if (E.isLeft(known)) return known;
    const destinations = await (await destinationsModule()).destinationFiles(files.destinations);
    const configs = [
      ...names.right.map(files.directories.configPath),
      ...known.right.map(({ path }) => resolve(files.generators_dir, path)),
    ];
    const candidates = [
      { kind: 'settings', path: files.settings, file: files.settings },
      { kind: 'startup', path: files.startup, file: files.startup },
      ...destinations.map((path) => ({ kind: 'destination' as const, path, file: basename(path) })),
      ...[...new Set(configs)].sort().map((path) => ({
        kind: 'generator' as const,
        path,
        file: relative(files.generators_dir, path),
      })),
    ] as const;
    const found: SecretReference[] = [];
    for (const { kind, path, file } of candidates) {
      const readText = kind === 'startup' ? files.readStartup : nodeFiles.readText;
      const text = await readText(path, MAX_CONFIG_BYTES);
      if (E.isLeft(text) && text.left.code !== 'not_found') return text;
      if (E.isRight(text) && isIn(text.right, secret)) found.push({ kind, file });
    }
    return E.right(found);
  };
