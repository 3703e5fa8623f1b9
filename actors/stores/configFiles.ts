import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Upload } from '../../src/domain/directory.js';
import { failure, type Issue, type Result, type SpateError } from '../../src/domain/errors.js';
import type { Json } from '../../src/domain/json.js';
import type { ConfigRequests } from '../../src/messages/configs.js';
import type { FileVersions, GeneratorDirectories, NewFile } from '../../src/ports/files.js';

/** A generator with the absolute path of its config. */
export interface GeneratorUse {
  readonly id: string;
  readonly path: string;
}

interface ConfigFilesOptions {
  readonly directories: GeneratorDirectories;
  readonly check: (text: string, file: string) => Result<Json> | Promise<Result<Json>>;
  /** Returns the text of an upload, or the error `too_large` or `invalid`. */
  readonly readUpload: (upload: Upload) => Promise<Result<string>>;
  /** Returns the files of an upload with a whole generator, or the error `invalid`. */
  readonly readWhole: (upload: Upload, config_file: string) => Promise<Result<readonly NewFile[]>>;
  /** Generators of the startup list, and running ones. */
  readonly users: () => Promise<Result<readonly GeneratorUse[]>>;
  /** Loaded at the first change. */
  readonly versions: () => Promise<FileVersions>;
}

type Payload<K extends keyof ConfigRequests> = ConfigRequests[K]['payload'];

const withLine = (issue: Issue): Issue =>
  issue.line === undefined
    ? issue
    : { ...issue, message: `line ${issue.line}, column ${issue.column ?? 1}: ${issue.message}` };

const withLines = (error: SpateError): SpateError =>
  error.issues === undefined ? error : { ...error, issues: error.issues.map(withLine) };

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const tagged = TE.map((etag: string) => ({ etag }));

type Address = Pick<Payload<'configs.read_file'>, 'name' | 'path'>;

/** Keeps the former text of what a change replaces or deletes. A change that fails leaves no version. */
const withVersion =
  (versions: ConfigFilesOptions['versions']) =>
  async <A>(
    { name, path }: Address,
    by: Parameters<FileVersions['keep']>[2],
    change: () => Promise<Result<A>>,
  ): Promise<Result<A>> => {
    const undo = await (await versions()).keep(name, path, by);
    const changed = await change();
    if (E.isLeft(changed)) await undo();
    return changed;
  };

/** Requests for files and whole directories. */
export const configFiles = (options: ConfigFilesOptions) => {
  const { directories, versions } = options;
  const { files } = directories;
  const versioned = withVersion(versions);

  const move = async (name: string, source: string, destination: string): Promise<Result<null>> => {
    const follow = await (await versions()).follow(name, source, destination);
    const moved = await files.move(name, source, destination);
    if (E.isRight(moved)) await follow();
    return moved;
  };

  /** Returns the error `wrong_state` when a listed or running generator uses the directory. */
  const checkUnused = async (name: string): Promise<Result<null>> => {
    const users = await options.users();
    if (E.isLeft(users)) return users;
    const ids: string[] = [];
    for (const { id, path } of users.right)
      if ((await directories.holdersOf(path)).includes(name)) ids.push(`'${id}'`);
    if (ids.length === 0) return E.right(null);
    const who = [...new Set(ids)].sort().join(', ');
    return E.left(
      failure(
        'wrong_state',
        `'${name}' is used by ${who}. Stop them and remove them from the startup list, or send force=true.`,
      ),
    );
  };

  /** Refuses to remove a config in use, unless forced. */
  const checkRemoval = (name: string, path: string, force: boolean) =>
    pipe(
      () => files.roleOf(name, path),
      TE.chain((role) => (role === 'other' || force ? TE.right(null) : () => checkUnused(name))),
    );

  /** A config sent as a file is checked like one sent as JSON. */
  const checkConfig = (path: string, upload: Upload) =>
    pipe(
      () => options.readUpload(upload),
      TE.chain((text) => async () => options.check(text, path)),
      TE.bimap(withLines, () => null),
    );

  const checkContent = (name: string, path: string, upload: Upload) =>
    pipe(
      () => files.roleOf(name, path),
      TE.chain((role) => (role === 'config' ? checkConfig(path, upload) : TE.right(null))),
    );

  return {
    removeDirectory: ({ name, force }: Payload<'configs.delete'>) =>
      pipe(
        // A missing directory is `not_found`, not unused.
        () => directories.shownPath(name),
        TE.chain(() => (force ? TE.right(null) : () => checkUnused(name))),
        TE.chain(() => () => directories.remove(name)),
        TE.chainFirstTaskK(() => async () => (await versions()).forget(name)),
      )(),
    importWhole: ({ name, upload }: Payload<'configs.import'>) =>
      pipe(
        () => options.readWhole(upload, fileNameOf(directories.configPath(name))),
        TE.mapLeft(withLines),
        TE.chain((all) => () => directories.create(name, all)),
      )(),
    create: ({ name, path, upload }: Payload<'configs.create_file'>) =>
      pipe(() => files.create(name, path, upload), tagged)(),
    replace: ({ name, path, upload, if_match, user }: Payload<'configs.replace_file'>) =>
      pipe(
        checkContent(name, path, upload),
        TE.chain(
          () => () =>
            versioned({ name, path }, { user, what: 'replaced' }, () =>
              files.replace(name, path, upload, if_match),
            ),
        ),
        tagged,
      )(),
    /** For a config that is written as a whole. */
    replaceConfig: <A>(name: string, user: string | null, change: () => Promise<Result<A>>) =>
      versioned({ name, path: fileNameOf(directories.configPath(name)) }, { user, what: 'replaced' }, change),
    remove: ({ name, path, force, if_match, user }: Payload<'configs.delete_file'>) =>
      pipe(
        checkRemoval(name, path, force),
        TE.chain(
          () => () =>
            versioned({ name, path }, { user, what: 'deleted' }, () => files.remove(name, path, if_match)),
        ),
      )(),
    move: ({ name, source, destination, force }: Payload<'configs.move_file'>) =>
      pipe(
        source === destination ? TE.right(null) : checkRemoval(name, source, force),
        TE.chain(() => () => move(name, source, destination)),
      )(),
  };
};
