import type { Readable } from 'node:stream';
import type { Either } from 'fp-ts/lib/Either.js';
import type { DirectoryInfo, FileNode } from '../domain/directory.js';
import type { SpateError } from '../domain/errors.js';

/** Text files of the daemon: settings, startup list, state. */
export interface Files {
  /** UTF-8 text without byte order mark; Left `not_found`, `unreadable` or `too_large`. */
  readonly readText: (path: string, max_bytes: number) => Promise<Either<SpateError, string>>;
  /** Whole new content or the old one, whatever happens: temporary file, fsync, rename, fsync of the folder. */
  readonly replaceText: (path: string, text: string) => Promise<Either<SpateError, void>>;
  /** Appends and syncs to disk before it resolves. Left: the file is as it was. */
  readonly appendText: (path: string, text: string) => Promise<Either<SpateError, void>>;
  readonly makeDirectory: (path: string) => Promise<Either<SpateError, void>>;
}

/** The generators directory, guarded: names are single segments, links never lead outside. */
export interface GeneratorDirectories {
  readonly list: () => Promise<Either<SpateError, readonly string[]>>;
  readonly info: (name: string) => Promise<Either<SpateError, Omit<DirectoryInfo, 'generator_ids'>>>;
  /** Text of the config file of a directory; Left `not_found` or `forbidden`. */
  readonly readConfig: (name: string) => Promise<Either<SpateError, string>>;
  /** Creates the directory where needed; `mode` `create` refuses an existing config, `update` a missing one. */
  readonly writeConfig: (
    name: string,
    text: string,
    mode: 'create' | 'update',
  ) => Promise<Either<SpateError, void>>;
  readonly tree: (name: string) => Promise<Either<SpateError, readonly FileNode[]>>;
  readonly archive: (name: string, exclude: readonly string[]) => Promise<Either<SpateError, Readable>>;
  /** Absolute path of the config file, for generators that are made from a directory. */
  readonly configPath: (name: string) => string;
}

/** Secrets by exact name; the keyring issue brings the real one, until then every name is missing. */
export interface Secrets {
  readonly read: (name: string) => Promise<Either<SpateError, string>>;
}
