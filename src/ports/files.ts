import type { Readable } from 'node:stream';
import type { DirectoryInfo, FileContent, FileNode } from '../domain/directories/directory.js';
import type { Upload } from '../domain/directories/upload.js';
import type { Result } from '../domain/errors.js';

/** Text files of the daemon: settings, startup list, state. */
export interface Files {
  /** UTF-8 text without byte order mark; Left `not_found`, `unreadable`, `too_large` or, for other bytes, `invalid`. */
  readonly readText: (path: string, max_bytes: number) => Promise<Result<string>>;
  /** Whole new content or the old one, whatever happens: temporary file, fsync, rename, fsync of the folder. */
  readonly replaceText: (path: string, text: string) => Promise<Result<void>>;
  /** Appends and syncs to disk before it resolves. Left: the file is as it was. */
  readonly appendText: (path: string, text: string) => Promise<Result<void>>;
  readonly makeDirectory: (path: string) => Promise<Result<void>>;
}

/** The generators directory, guarded: names are single segments, links never lead outside. */
export interface GeneratorDirectories {
  readonly list: () => Promise<Result<readonly string[]>>;
  readonly info: (name: string) => Promise<Result<Omit<DirectoryInfo, 'generator_ids'>>>;
  /** Text of the config file of a directory; Left `not_found` or `forbidden`. */
  readonly readConfig: (name: string) => Promise<Result<string>>;
  /** Creates the directory where needed; `mode` `create` refuses an existing config, `update` a missing one. */
  readonly writeConfig: (name: string, text: string, mode: 'create' | 'update') => Promise<Result<void>>;
  readonly tree: (name: string) => Promise<Result<readonly FileNode[]>>;
  readonly archive: (name: string, exclude: readonly string[]) => Promise<Result<Readable>>;
  /** Absolute path of the config file, for generators that are made from a directory. */
  readonly configPath: (name: string) => string;
  /** Path of the config file relative to the generators directory, as a generator's `path` may say it. */
  readonly shownPath: (name: string) => Promise<Result<string>>;
  /** Names of the directories that a path lies in, as it is written and where it really leads; none outside. */
  readonly holdersOf: (path: string) => Promise<readonly string[]>;
  /** Removes a directory with everything in it. Left also: `forbidden` for a link, `too_large`, `unwritable`. */
  readonly remove: (name: string) => Promise<Result<null>>;
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
  readonly roleOf: (name: string, path: string) => Promise<Result<'config' | 'holds_config' | 'other'>>;
  /** The reader closes the file by reading to the end or destroying the stream. */
  readonly read: (name: string, path: string) => Promise<Result<FileContent>>;
  /** Puts content in place, directories above it made; right: its entity tag. Left also: `already_exists`. */
  readonly create: (name: string, path: string, upload: Upload) => Promise<Result<string>>;
  /** Left also: `not_found`, `wrong_state` (no regular file), `precondition_failed`. */
  readonly replace: (
    name: string,
    path: string,
    upload: Upload,
    if_match: string | null,
  ) => Promise<Result<string>>;
  /** A directory goes with everything in it. Left also: `not_found`, `precondition_failed`, `too_large`. */
  readonly remove: (name: string, path: string, if_match: string | null) => Promise<Result<null>>;
  /** Directories above it are made. Left also: `already_exists`. */
  readonly makeDirectory: (name: string, path: string) => Promise<Result<null>>;
  /** Into a destination that is a directory; nothing is replaced (`already_exists`). */
  readonly move: (name: string, source: string, destination: string) => Promise<Result<null>>;
  /** To where nothing is (`already_exists`). Left also: `too_large`, `forbidden` for a link that leads out. */
  readonly copy: (name: string, source: string, destination: string) => Promise<Result<null>>;
}

/** Secrets by exact name, for those who only read them; the whole keyring is in `keyring.ts`. */
export interface Secrets {
  readonly read: (name: string) => Promise<Result<string>>;
}
