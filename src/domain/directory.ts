import type { KnobDeclaration } from './globals/knobs.js';
import {
  hasControlCharacter,
  hasDirectionCharacter,
  isLongerThan,
  isWellFormed,
  MAX_SEGMENT_BYTES,
  type NameFlaw,
  NO_DIRECTION,
} from './identifiers.js';

export interface DirectoryInfo {
  readonly name: string;
  /** Sum of the sizes of the regular files below, links not followed. */
  readonly size_in_bytes: number;
  /** Newest modification time of the directory and its files, epoch seconds. */
  readonly last_modified: number;
  readonly generator_ids: readonly string[];
}

export interface FileContent {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly size_bytes: number;
  /** Strong entity tag, quoted. */
  readonly etag: string;
  /** Whether it begins with valid UTF-8 text. */
  readonly isText: boolean;
}

/**
 * Uses of `globals` in the templates, scripts and config of a directory, one item per occurrence; `template` is the path of
 * the file, relative to the directory.
 */
export interface GlobalsUsageReport {
  readonly writes: readonly { readonly key: string; readonly template: string }[];
  readonly reads: readonly { readonly key: string; readonly template: string }[];
  /** `dynamic_key`: a key known only at run time; `update_call`: several keys at once. */
  readonly warnings: readonly { readonly type: 'dynamic_key' | 'update_call'; readonly template: string }[];
  /** Knobs that the config declares. */
  readonly knobs: readonly KnobDeclaration[];
}

/** One entry of a generator directory; `children` is empty for files and links. */
export interface FileNode {
  readonly name: string;
  readonly is_dir: boolean;
  readonly children: readonly FileNode[];
}

/** A text that a file of a generator directory had until it was changed. */
export interface FileVersion {
  /** Unique in its directory. */
  readonly version: string;
  readonly path: string;
  /** When it was replaced or deleted, ISO 8601. */
  readonly at: string;
  readonly size_bytes: number;
  /** Who changed it. Null when that is not known. */
  readonly user: string | null;
  readonly what: 'replaced' | 'deleted';
}

/** Longest path of a file inside a generator directory, in bytes of UTF-8. */
export const MAX_FILE_PATH_BYTES = 1_024;
/** Most parts of the path of a file inside a generator directory. */
export const MAX_FILE_DEPTH = 32;

const flaw = (type: string, message: string): NameFlaw => ({ type, message });

const partFlaw = (part: string): NameFlaw | null => {
  if (part === '') return flaw('not_allowed', 'must not have an empty part (a slash too many)');
  if (part === '.' || part === '..') return flaw('not_allowed', "must not have a part '.' or '..'");
  return isLongerThan(part, MAX_SEGMENT_BYTES)
    ? flaw('too_long', `must not have a part longer than ${MAX_SEGMENT_BYTES} bytes`)
    : null;
};

/** Checks a path inside a generator directory: relative, no `.`, `..` or empty part. Links are checked at opening. */
export const checkFilePath = (path: string): NameFlaw | null => {
  if (path === '') return flaw('too_short', 'must not be empty');
  if (isLongerThan(path, MAX_FILE_PATH_BYTES))
    return flaw('too_long', `must not be longer than ${MAX_FILE_PATH_BYTES} bytes`);
  if (path.includes('\\'))
    return flaw('not_allowed', 'must not hold a backslash; parts are divided by slashes');
  if (hasControlCharacter(path)) return flaw('not_allowed', 'must not hold control characters');
  if (hasDirectionCharacter(path)) return flaw('not_allowed', NO_DIRECTION);
  if (!isWellFormed(path)) return flaw('not_allowed', 'must be well-formed Unicode');
  if (path.startsWith('/')) return flaw('not_allowed', 'must be relative to the generator directory');
  const parts = path.split('/');
  if (parts.length > MAX_FILE_DEPTH)
    return flaw('too_deep', `must not have more than ${MAX_FILE_DEPTH} parts`);
  return parts.map(partFlaw).find((found) => found !== null) ?? null;
};

/** Content of a client, complete and synced to disk in a temporary file. */
export interface Upload {
  /** Absolute path; removed once the content is put in place or discarded. */
  readonly file: string;
  readonly size_bytes: number;
  /** Aborted when the client has left: nobody reads the answer. */
  readonly gone?: AbortSignal;
}

/** Kernel file systems, by the magic number of statfs(2): their files look regular, but a read may hang (/proc/kmsg). */
const PSEUDO: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
  [0x73636673, 'securityfs'],
  [0x62656570, 'configfs'],
  [0x0027e0eb, 'cgroup'],
  [0x63677270, 'cgroup2'],
  [0xcafe4a11, 'bpf'],
  [0x6165676c, 'pstore'],
  [0xde5e81e4, 'efivarfs'],
  [0x65735543, 'fusectl'],
  [0xf97cff8c, 'selinuxfs'],
  [0x42494e4d, 'binfmt_misc'],
  [0x19800202, 'mqueue'],
]);

/** Returns the name of a pseudo file system, or null for a real one. */
export const pseudoFileSystem = (type: number): string | null => PSEUDO.get(type) ?? null;

interface Kind {
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isFIFO: () => boolean;
  readonly isSocket: () => boolean;
}

/** Returns why an open file cannot be read, or null for a regular file on a real file system. `type` is of statfs. */
export const whyNoFile = (kind: Kind, type: number | null): string | null => {
  if (kind.isDirectory()) return 'it is a directory';
  if (kind.isFIFO()) return 'it is a named pipe, not a regular file';
  if (kind.isSocket()) return 'it is a socket, not a regular file';
  if (!kind.isFile()) return 'it is not a regular file';
  const system = type === null ? null : pseudoFileSystem(type);
  return system === null ? null : `it belongs to the kernel (${system}), and a read of it may never end`;
};
