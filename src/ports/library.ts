import type { Result, SpateError } from '../domain/errors.js';
import type { LibraryFile, LibraryItem, LibraryText } from '../domain/library.js';

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
