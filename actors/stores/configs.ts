import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { GlobalsUsageReport, Upload } from '../../src/domain/directory.js';
import { failure, type Result } from '../../src/domain/errors.js';
import { allowsChange, etagOf } from '../../src/domain/etag.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import type {
  ConfigRequests,
  DestinationRequests,
  LibraryRequests,
  WorldRequests,
} from '../../src/messages/configs.js';
import type { Request } from '../../src/messages/request.js';
import type {
  CopyTarget,
  FileVersions,
  GeneratorDirectories,
  Library,
  NewFile,
} from '../../src/ports/files.js';
import { configFiles, type GeneratorUse } from './configFiles.js';
import { storeLogic } from './store.js';

type Text<A> = Result<A> | Promise<Result<A>>;

/** Reads and writes configs; long ones on a thread. */
interface ConfigCodec {
  readonly readBack: (text: string, file: string) => Text<Json>;
  readonly create: (config: Json) => Text<string>;
  readonly update: (text: string, config: Json, file: string) => Text<string>;
  /** For a PUT: keeps extension keys that `config` lacks. */
  readonly replace: (text: string, config: Json, file: string) => Text<string>;
}

export interface ConfigsOptions extends Pick<LibraryOptions, 'library' | 'targetOf'> {
  readonly directories: GeneratorDirectories;
  readonly codec: ConfigCodec;
  readonly registered: () => Promise<Result<readonly GeneratorUse[]>>;
  /** Generators of the startup list, and running ones. */
  readonly users: () => Promise<Result<readonly GeneratorUse[]>>;
  readonly readUpload: (upload: Upload) => Promise<Result<string>>;
  readonly readWhole: (upload: Upload, config_file: string) => Promise<Result<readonly NewFile[]>>;
  /** Uses of globals in a directory. */
  readonly usageOf: (name: string) => Promise<Result<GlobalsUsageReport>>;
  /** Loaded at the first change of a file. */
  readonly versions: () => Promise<FileVersions>;
  /** Loaded at the first request: most services have none. */
  readonly destinations: () => Promise<DestinationHandlers>;
  /** As `destinations`. */
  readonly worlds: () => Promise<WorldHandlers>;
}

/** What answers the requests of a table. */
type HandlersOf<
  T extends { readonly [K in keyof T]: { readonly payload: unknown; readonly answer: unknown } },
> = {
  readonly [K in keyof T]: (payload: T[K]['payload']) => Promise<Result<T[K]['answer']>>;
};
export type DestinationHandlers = HandlersOf<DestinationRequests>;
export type WorldHandlers = HandlersOf<WorldRequests>;

type Messages = ConfigRequests & LibraryRequests & DestinationRequests & WorldRequests;

/** Directories read at a time. */
const AT_ONCE = 16;

/** Reads do not wait for edits. */
const READS: ReadonlySet<keyof Messages> = new Set([
  'configs.list',
  'configs.read',
  'configs.path',
  'configs.tree',
  'configs.globals_usage',
  'configs.export',
  'configs.read_file',
  'configs.versions',
  'configs.read_version',
  'library.list',
  'library.read',
  'destinations.list',
  'destinations.read',
  'destinations.check',
  'worlds.list',
  'worlds.ask',
]);

const listWith =
  ({ directories, registered }: ConfigsOptions) =>
  async (isExtended: boolean) => {
    const names = await directories.list();
    if (E.isLeft(names)) return names;
    if (!isExtended) return E.right(names.right.map((name) => ({ name })));
    const generators = await registered();
    if (E.isLeft(generators)) return generators;
    const ids = new Map<string, string[]>();
    for (let from = 0; from < generators.right.length; from += AT_ONCE) {
      const some = generators.right.slice(from, from + AT_ONCE);
      const holders = await Promise.all(some.map(({ path }) => directories.holdersOf(path)));
      for (const [index, { id }] of some.entries())
        for (const name of holders[index] ?? []) ids.set(name, [...(ids.get(name) ?? []), id]);
    }
    const infos = [];
    for (let from = 0; from < names.right.length; from += AT_ONCE) {
      const some = names.right.slice(from, from + AT_ONCE);
      // A directory deleted in the meantime is left out.
      for (const info of (await Promise.all(some.map(directories.info))).filter(E.isRight))
        infos.push({ ...info.right, generator_ids: ids.get(info.right.name) ?? [] });
    }
    return E.right(infos);
  };

/** Single writer of the generators directory. */
export const configsLogic = (options: ConfigsOptions) => {
  const { directories, codec, destinations, versions, worlds } = options;
  const list = listWith(options);
  const files = configFiles({ ...options, check: codec.readBack });

  const read = (name: string) =>
    pipe(
      () => directories.readConfig(name),
      TE.bindTo('text'),
      TE.bind(
        'config',
        ({ text }) =>
          async () =>
            codec.readBack(text, directories.configPath(name)),
      ),
      TE.map(({ text, config }) => ({ config, etag: etagOf(text) })),
    );

  const create = (name: string, config: Json) =>
    pipe(
      async () => codec.create(config),
      TE.chain((text) => () => directories.writeConfig(name, text, 'create')),
      TE.map(() => null),
    );

  const update = (
    { name, config, if_match }: Omit<ConfigRequests['configs.update']['payload'], 'user'>,
    edit: ConfigCodec['update'],
    user: string | null,
  ) =>
    pipe(
      () => directories.readConfig(name),
      // Issues of the stored file have no place in the body.
      TE.mapLeft(({ code, message }) => failure(code, message)),
      TE.filterOrElse(
        (text) => allowsChange(if_match, etagOf(text)),
        () => failure('precondition_failed', `the config of "${name}" has changed: read it again`),
      ),
      TE.chain((text) => async () => edit(text, config, directories.configPath(name))),
      TE.chainFirst(
        (next) => () => files.replaceConfig(name, user, () => directories.writeConfig(name, next, 'update')),
      ),
      TE.map((next) => ({ etag: etagOf(next) })),
    );

  const patch = (name: string, sections: JsonObject) =>
    pipe(
      read(name),
      TE.map(({ config }) => ({ ...(config as JsonObject), ...sections })),
      TE.chain((config) => update({ name, config, if_match: null }, codec.update, null)),
      TE.map(() => null),
    );

  /** Directory of a generator; the first of several. */
  const directoryOf = async (id: string): Promise<string | null> => {
    for (const known of [await options.registered(), await options.users()]) {
      const found = E.isRight(known) ? known.right.find((use) => use.id === id) : undefined;
      if (found !== undefined) return (await directories.holdersOf(found.path))[0] ?? null;
    }
    return null;
  };

  /** `name`: a directory, else a generator. */
  const usage = async (name: string): Promise<Result<GlobalsUsageReport>> => {
    const report = await options.usageOf(name);
    if (E.isRight(report) || report.left.code !== 'not_found') return report;
    const directory = await directoryOf(name);
    return directory === null ? report : options.usageOf(directory);
  };

  const copies = libraryCopies(options);

  const handle = async (request: Request<Messages>): Promise<void> => {
    switch (request.type) {
      case 'configs.list':
        return request.reply(await list(request.payload.extended));
      case 'configs.read':
        return request.reply(await read(request.payload.name)());
      case 'configs.create':
        return request.reply(await create(request.payload.name, request.payload.config)());
      case 'configs.update':
        return request.reply(await update(request.payload, codec.replace, request.payload.user)());
      case 'configs.patch':
        return request.reply(await patch(request.payload.name, request.payload.sections)());
      case 'configs.delete':
        return request.reply(await files.removeDirectory(request.payload));
      case 'configs.import':
        return request.reply(await files.importWhole(request.payload));
      case 'configs.path':
        return request.reply(await directories.shownPath(request.payload.name));
      case 'configs.globals_usage':
        return request.reply(await usage(request.payload.name));
      case 'configs.tree':
        return request.reply(await directories.tree(request.payload.name));
      case 'configs.export':
        return request.reply(await directories.archive(request.payload.name, request.payload.exclude));
      case 'configs.read_file':
        return request.reply(await directories.files.read(request.payload.name, request.payload.path));
      case 'configs.create_file':
        return request.reply(await files.create(request.payload));
      case 'configs.replace_file':
        return request.reply(await files.replace(request.payload));
      case 'configs.delete_file':
        return request.reply(await files.remove(request.payload));
      case 'configs.make_directory':
        return request.reply(
          await directories.files.makeDirectory(request.payload.name, request.payload.path),
        );
      case 'configs.move_file':
        return request.reply(await files.move(request.payload));
      case 'configs.copy_file': {
        const { name, source, destination } = request.payload;
        return request.reply(await directories.files.copy(name, source, destination));
      }
      case 'configs.versions': {
        const { name, path } = request.payload;
        const found = await directories.shownPath(name);
        return request.reply(E.isLeft(found) ? found : await (await versions()).list(name, path));
      }
      case 'configs.read_version': {
        const { name, version } = request.payload;
        const found = await directories.shownPath(name);
        return request.reply(E.isLeft(found) ? found : await (await versions()).read(name, version));
      }
      case 'library.list':
        return request.reply(await copies.list());
      case 'library.read':
        return request.reply(await copies.read(request.payload));
      case 'library.copy':
        return request.reply(await copies.copy(request.payload));
      case 'destinations.list':
        return request.reply(await (await destinations())['destinations.list'](request.payload));
      case 'destinations.read':
        return request.reply(await (await destinations())['destinations.read'](request.payload));
      case 'destinations.write':
        return request.reply(await (await destinations())['destinations.write'](request.payload));
      case 'destinations.delete':
        return request.reply(await (await destinations())['destinations.delete'](request.payload));
      case 'destinations.check':
        return request.reply(await (await destinations())['destinations.check'](request.payload));
      case 'worlds.list':
        return request.reply(await (await worlds())['worlds.list'](request.payload));
      case 'worlds.ask':
        return request.reply(await (await worlds())['worlds.ask'](request.payload));
    }
  };

  // Files are replaced whole, so a read sees one version.
  return storeLogic(handle, (request) => (READS.has(request.type) ? handle(request).then(() => true) : null));
};

interface LibraryOptions {
  readonly directories: Pick<GeneratorDirectories, 'create' | 'shownPath'>;
  readonly library: Pick<Library, 'list' | 'read' | 'texts' | 'copy'>;
  readonly targetOf: (name: string) => CopyTarget;
}

type Payload<K extends keyof LibraryRequests> = LibraryRequests[K]['payload'];

/** Requests for ready-made generators. */
const libraryCopies = ({ directories, library, targetOf }: LibraryOptions) => ({
  list: pipe(
    library.list,
    TE.map(({ items }) => items),
  ),
  read: ({ name }: Payload<'library.read'>) =>
    pipe(
      () => library.read(name),
      TE.bindTo('item'),
      TE.bind('files', () => () => library.texts(name)),
      TE.map(({ item, files }) => ({ ...item, files })),
    )(),
  copy: ({ library: from, name }: Payload<'library.copy'>) =>
    pipe(
      () => library.copy(from, targetOf(name)),
      TE.chain((files) => () => directories.create(name, files)),
      TE.chain(() => () => directories.shownPath(name)),
      TE.map((path) => ({ name, path })),
    )(),
});
