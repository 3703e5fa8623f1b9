import type { Readable } from 'node:stream';
import type { DirectoryInfo, FileContent, FileNode, Upload } from '../domain/directory.js';
import type { Result } from '../domain/errors.js';

/** Text files of the daemon: settings, startup list, state. */
export interface Files {
  /**
   * Reads UTF-8 text without byte order mark. Errors are `not_found`, `unreadable`, `too_large`, and `invalid` when it
   * is not UTF-8.
   */
  readonly readText: (path: string, max_bytes: number) => Promise<Result<string>>;
  /** Atomic: temporary file, fsync, rename, fsync of the folder. */
  readonly replaceText: (path: string, text: string) => Promise<Result<void>>;
  /** Appends and syncs to disk. The file is unchanged after an error. */
  readonly appendText: (path: string, text: string) => Promise<Result<void>>;
  readonly makeDirectory: (path: string) => Promise<Result<void>>;
}

/** A file to be created; `path` is relative, with slashes. */
export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The generators directory, guarded: names are single segments, links never lead outside. */
export interface GeneratorDirectories {
  readonly list: () => Promise<Result<readonly string[]>>;
  readonly info: (name: string) => Promise<Result<Omit<DirectoryInfo, 'generator_ids'>>>;
  /** Returns the text of the config file of a directory, or the error `not_found` or `forbidden`. */
  readonly readConfig: (name: string) => Promise<Result<string>>;
  /** Creates the directory if needed. `create` refuses an existing config, `update` a missing one. */
  readonly writeConfig: (name: string, text: string, mode: 'create' | 'update') => Promise<Result<void>>;
  /** Creates a directory with all its files, or none. A further error is `already_exists`, whatever has the name. */
  readonly create: (name: string, files: readonly NewFile[]) => Promise<Result<null>>;
  readonly tree: (name: string) => Promise<Result<readonly FileNode[]>>;
  readonly archive: (name: string, exclude: readonly string[]) => Promise<Result<Readable>>;
  readonly configPath: (name: string) => string;
  /** Path of the config file relative to the generators directory, valid as `path` of a generator. */
  readonly shownPath: (name: string) => Promise<Result<string>>;
  /** Names of the directories that contain a path, as written and with links resolved. */
  readonly holdersOf: (path: string) => Promise<readonly string[]>;
  /** Removes a directory and all below. Further errors are `forbidden` for a link, `too_large`, `unwritable`. */
  readonly remove: (name: string) => Promise<Result<null>>;
  readonly files: GeneratorFiles;
}

/**
 * Files inside generator directories. `name` is a directory with a config; paths are relative with slashes, else
 * `invalid`. Only reading follows links, inside the directory (else `forbidden`). Changes are atomic and on disk when
 * they resolve. Errors are also those of the directories.
 */
export interface GeneratorFiles {
  /** Whether a path is the config file or a directory above it. */
  readonly roleOf: (name: string, path: string) => Promise<Result<'config' | 'holds_config' | 'other'>>;
  /** Read the stream to the end or destroy it: that closes the file. */
  readonly read: (name: string, path: string) => Promise<Result<FileContent>>;
  /** Creates a file and the directories above it. Returns its entity tag. A further error is `already_exists`. */
  readonly create: (name: string, path: string, upload: Upload) => Promise<Result<string>>;
  /**
   * Returns the new entity tag. Further errors are `not_found`, `wrong_state` when it is no regular file, and
   * `precondition_failed`.
   */
  readonly replace: (
    name: string,
    path: string,
    upload: Upload,
    if_match: string | null,
  ) => Promise<Result<string>>;
  /** Removes all below, too. Further errors are `not_found`, `precondition_failed`, `too_large`. */
  readonly remove: (name: string, path: string, if_match: string | null) => Promise<Result<null>>;
  /** Creates directories above it, too. A further error is `already_exists`. */
  readonly makeDirectory: (name: string, path: string) => Promise<Result<null>>;
  /** Moves into a directory, or to a new path. A further error is `already_exists`. */
  readonly move: (name: string, source: string, destination: string) => Promise<Result<null>>;
  /**
   * Copies to a new path. Further errors are `already_exists`, `too_large`, and `forbidden` for a link that leads
   * outside.
   */
  readonly copy: (name: string, source: string, destination: string) => Promise<Result<null>>;
}

/** Reads secrets by exact name; `Keyring` extends it. */
export interface Secrets {
  readonly read: (name: string) => Promise<Result<string>>;
}
