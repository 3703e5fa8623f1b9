import type { Readable } from 'node:stream';
import type { Either } from 'fp-ts/lib/Either.js';
import type { DirectoryInfo, FileContent, FileNode } from '../domain/directories/directory.js';
import type { Upload } from '../domain/directories/upload.js';
import type { SpateError } from '../domain/errors.js';

/** Text files of the daemon: settings, startup list, state. */
export interface Files {
  /** UTF-8 text without byte order mark; Left `not_found`, `unreadable`, `too_large` or, for other bytes, `invalid`. */
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
  /** Path of the config file relative to the generators directory, as a generator's `path` may say it. */
  readonly shownPath: (name: string) => Promise<Either<SpateError, string>>;
  /** Names of the directories that a path lies in, as it is written and where it really leads; none outside. */
  readonly holdersOf: (path: string) => Promise<readonly string[]>;
  /** Removes a directory with everything in it. Left also: `forbidden` for a link, `too_large`, `unwritable`. */
  readonly remove: (name: string) => Promise<Either<SpateError, null>>;
  readonly files: GeneratorFiles;
}

/**
 * Files inside generator directories. Paths are relative, parts divided by slashes (`invalid` otherwise). Only
 * reading follows links, as far as they stay inside (`forbidden` otherwise); nothing is changed through a link.
 * Every change is there whole or not at all, and on the disk before it is answered. `name` is that of a
 * directory with a config; Left as for the directories themselves.
 */
export interface GeneratorFiles {
  /** Whether a path names the config file, or a directory that holds it. */
  readonly roleOf: (
    name: string,
    path: string,
  ) => Promise<Either<SpateError, 'config' | 'holds_config' | 'other'>>;
  /** The reader closes the file by reading to the end or destroying the stream. */
  readonly read: (name: string, path: string) => Promise<Either<SpateError, FileContent>>;
  /** Puts content in place, directories above it made; right: its entity tag. Left also: `already_exists`. */
  readonly create: (name: string, path: string, upload: Upload) => Promise<Either<SpateError, string>>;
  /** Left also: `not_found`, `wrong_state` (no regular file), `precondition_failed`. */
  readonly replace: (
    name: string,
    path: string,
    upload: Upload,
    if_match: string | null,
  ) => Promise<Either<SpateError, string>>;
  /** A directory goes with everything in it. Left also: `not_found`, `precondition_failed`, `too_large`. */
  readonly remove: (name: string, path: string, if_match: string | null) => Promise<Either<SpateError, null>>;
  /** Directories above it are made. Left also: `already_exists`. */
  readonly makeDirectory: (name: string, path: string) => Promise<Either<SpateError, null>>;
  /** Into a destination that is a directory; nothing is replaced (`already_exists`). */
  readonly move: (name: string, source: string, destination: string) => Promise<Either<SpateError, null>>;
  /** To where nothing is (`already_exists`). Left also: `too_large`, `forbidden` for a link that leads out. */
  readonly copy: (name: string, source: string, destination: string) => Promise<Either<SpateError, null>>;
}

/** Secrets by exact name, for those who only read them; the whole keyring is in `keyring.ts`. */
export interface Secrets {
  readonly read: (name: string) => Promise<Either<SpateError, string>>;
}
