import type { Readable } from 'node:stream';
import type { DirectoryInfo, FileContent, FileNode, FileVersion, Upload } from '../domain/directory.js';
import type { Result, SpateError } from '../domain/errors.js';
import type { LibraryFile, LibraryItem, LibraryText } from '../domain/library.js';

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

/** Files of the state, which come and go. */
export interface StateFiles extends Files {
  /** Succeeds when there is no such file. On disk when it resolves. */
  readonly remove: (path: string) => Promise<Result<void>>;
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

/** Former texts of the files of generator directories. Changes never reject and never wait long: a file matters more. */
export interface FileVersions {
  /** Keeps the text of a file, or those below a folder, before a change. Returns what undoes it if the change fails. */
  readonly keep: (
    name: string,
    path: string,
    by: Pick<FileVersion, 'user' | 'what'>,
  ) => Promise<() => Promise<void>>;
  /** Call it before a move. Returns what moves the versions after it. */
  readonly follow: (name: string, from: string, to: string) => Promise<() => Promise<void>>;
  /** Removes all versions of a directory. */
  readonly forget: (name: string) => Promise<void>;
  /** Newest first; of one file, or with null of all files. */
  readonly list: (name: string, path: string | null) => Promise<Result<readonly FileVersion[]>>;
  /** Returns the error `not_found` when there is no such version. */
  readonly read: (name: string, version: string) => Promise<Result<FileVersion & { readonly text: string }>>;
}

/** Reads secrets by exact name; `Keyring` extends it. */
export interface Secrets {
  readonly read: (name: string) => Promise<Result<string>>;
}

/** Stores content of clients on disk as it arrives, never whole in memory. */
export interface Uploads {
  /**
   * Stores all chunks and syncs them to disk. Stores nothing when it returns an error: `too_large`, `unavailable` when
   * the source fails, `too_many_requests`, or `unwritable`.
   */
  readonly receive: (chunks: AsyncIterable<Uint8Array>, limit_bytes: number) => Promise<Result<Upload>>;
  /** Removes an upload that was not put in place; else does nothing. */
  readonly discard: (upload: Upload) => Promise<void>;
}

/** A file of the web UI, ready to send. */
export interface UiFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Compression of the bytes. Null when there is none. */
  readonly encoding: 'br' | 'gzip' | null;
}

/** The built web UI. */
export interface UiFiles {
  /** Returns the page that starts it, as text, or null when the UI is not built. */
  readonly page: () => Promise<string | null>;
  /** Returns a file below `/assets/` by its name, in the best encoding that the client takes, or null for none. */
  readonly asset: (name: string, accepts: (encoding: 'br' | 'gzip') => boolean) => Promise<UiFile | null>;
}

/** A generator directory as one archive. */
interface PackedDirectory {
  /** A gzipped tar archive. */
  readonly content: Uint8Array;
  /** Digest of paths and contents. The same files have the same digest on every node. */
  readonly digest: string;
}

/**
 * Copies of the generator directories of a cluster in the generators directory of a node. `out/` of each is the node's
 * own, for files that outputs write; everything else is shared.
 */
export interface WorkingCopies {
  /** Packs a directory. Returns null when there is no such directory. `too_large` is another error. */
  readonly pack: (name: string) => Promise<Result<PackedDirectory | null>>;
  /** Makes the shared files those of the archive. Returns paths that changed. `unreadable` means a bad archive. */
  readonly apply: (name: string, content: Uint8Array) => Promise<Result<readonly string[]>>;
  /** Removes the shared files; files of the node's own stay. */
  readonly remove: (name: string) => Promise<Result<null>>;
}

/** Where a copy goes. */
export interface CopyTarget {
  readonly name: string;
  /** Absolute path of its directory, which need not exist. */
  readonly folder: string;
  /** Its path in commands. */
  readonly shown: string;
  readonly config_filename: string;
}

/** Ready-made generators: folders with a `library.yml`. Names that are not there are `not_found`. */
export interface Library {
  /** Sorted by name. `rejected`: those with an invalid file, which are left out. */
  readonly list: () => Promise<
    Result<{ readonly items: readonly LibraryItem[]; readonly rejected: readonly SpateError[] }>
  >;
  readonly read: (name: string) => Promise<Result<LibraryItem>>;
  readonly texts: (name: string) => Promise<Result<readonly LibraryText[]>>;
  /** Returns the files of a copy to change. Further errors are `too_large` and `unreadable`. */
  readonly copy: (name: string, target: CopyTarget) => Promise<Result<readonly LibraryFile[]>>;
  /** Absolute path of a library generator. */
  readonly folderOf: (name: string) => string;
}
