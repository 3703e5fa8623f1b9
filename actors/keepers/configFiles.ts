import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../../src/domain/directories/upload.js';
import { failure, type Issue, type Result, type SpateError } from '../../src/domain/errors.js';
import type { Json } from '../../src/domain/json.js';
import type { ConfigRequests } from '../../src/messages/configs.js';

import type { GeneratorDirectories } from '../../src/ports/files.js';

/** A generator with the absolute path of its config. */
export interface GeneratorUse {
  readonly id: string;
  readonly path: string;
}

interface ConfigFilesOptions {
  readonly directories: GeneratorDirectories;
  readonly check: (text: string, file: string) => Result<Json> | Promise<Result<Json>>;
  /** Text of an upload. Left: `too_large` or `invalid`. */
  readonly readUpload: (upload: Upload) => Promise<Result<string>>;
  /** Generators of the startup list, and running ones. */
  readonly users: () => Promise<Result<readonly GeneratorUse[]>>;
}

type Payload<K extends keyof ConfigRequests> = ConfigRequests[K]['payload'];

const withLine = (issue: Issue): Issue =>
  issue.line === undefined
    ? issue
    : { ...issue, message: `line ${issue.line}, column ${issue.column ?? 1}: ${issue.message}` };

const tagged = E.map((etag: string) => ({ etag }));

/** Requests for files and whole directories. */
export const configFiles = (options: ConfigFilesOptions) => {
  const { directories } = options;
  const { files } = directories;

  /** Left `wrong_state` when a listed or running generator uses the directory. */
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
  const checkRemoval = async (name: string, path: string, force: boolean): Promise<Result<null>> => {
    const role = await files.roleOf(name, path);
    if (E.isLeft(role)) return role;
    return role.right === 'other' || force ? E.right(null) : checkUnused(name);
  };

  /** A config sent as a file is checked like one sent as JSON. */
  const checkContent = async (name: string, path: string, upload: Upload): Promise<Result<null>> => {
    const role = await files.roleOf(name, path);
    if (E.isLeft(role)) return role;
    if (role.right !== 'config') return E.right(null);
    const text = await options.readUpload(upload);
    if (E.isLeft(text)) return text;
    return E.bimap(
      (error: SpateError): SpateError =>
        error.issues === undefined ? error : { ...error, issues: error.issues.map(withLine) },
      () => null,
    )(await options.check(text.right, path));
  };

  return {
    removeDirectory: async ({ name, force }: Payload<'configs.delete'>) => {
      // A missing directory is `not_found`, not unused.
      const path = await directories.shownPath(name);
      if (E.isLeft(path)) return path;
      const unused = force ? E.right(null) : await checkUnused(name);
      return E.isLeft(unused) ? unused : directories.remove(name);
    },
    create: async ({ name, path, upload }: Payload<'configs.create_file'>) =>
      tagged(await files.create(name, path, upload)),
    replace: async ({ name, path, upload, if_match }: Payload<'configs.replace_file'>) => {
      const checked = await checkContent(name, path, upload);
      return E.isLeft(checked) ? checked : tagged(await files.replace(name, path, upload, if_match));
    },
    remove: async ({ name, path, force, if_match }: Payload<'configs.delete_file'>) => {
      const checked = await checkRemoval(name, path, force);
      return E.isLeft(checked) ? checked : files.remove(name, path, if_match);
    },
    move: async ({ name, source, destination, force }: Payload<'configs.move_file'>) => {
      const checked = source === destination ? E.right(null) : await checkRemoval(name, source, force);
      return E.isLeft(checked) ? checked : files.move(name, source, destination);
    },
  };
};
