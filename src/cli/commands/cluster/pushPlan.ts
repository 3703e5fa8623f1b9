import * as E from 'fp-ts/lib/Either.js';
import {
  changedBetween,
  type DirectoryContents,
  unpacked,
  workingCopies,
} from '../../../adapters/directories/workingCopies.js';
import { LIST_KEY } from '../../../cluster/keys.js';
import { DEFAULT_GENERATION } from '../../../config/settings/generationFields.js';
import { loadStartup } from '../../../config/startup/startup.js';
import { jsonEqual } from '../../../config/values.js';
import { unpackList } from '../../../daemon/cluster/startupFile.js';
import type { Issue, Result } from '../../../domain/errors.js';
import type { StartupEntry } from '../../../domain/generator.js';
import type { Json } from '../../../domain/json.js';
import type { ArchiveInfo, BucketEntry, ClusterLink } from '../../../ports/cluster.js';
import { locationOfConfig, type PushedList, type PushSource, pathErrors } from './pushSource.js';

/** A directory to write. `replaces`: revision in the cluster, 0: none. */
export interface DirectoryWrite {
  readonly name: string;
  readonly content: Uint8Array;
  readonly digest: string;
  readonly replaces: number;
  readonly files: number;
  readonly bytes: number;
  /** Paths that differ from the cluster. */
  readonly changed: readonly string[];
}

/** The startup list to write. */
export interface ListWrite {
  readonly text: string;
  readonly replaces: number;
  readonly entries: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

export interface PushPlan {
  readonly directories: readonly DirectoryWrite[];
  /** Change of the startup list. Null when the cluster has the same text. */
  readonly list: ListWrite | null;
  /** Directories that only the cluster has. */
  readonly extra: readonly ArchiveInfo[];
  /** Remove `extra`. */
  readonly deletes: boolean;
  /** Number of directories and entries of the source. */
  readonly total: { readonly directories: number; readonly entries: number };
}

type Link = Pick<ClusterLink, 'configs' | 'startup'>;

/** What the cluster has. */
interface Stored {
  readonly archives: ReadonlyMap<string, ArchiveInfo>;
  readonly list: BucketEntry | null;
}

const readStored = async ({ configs, startup }: Link): Promise<Result<Stored>> => {
  const archives = await configs.list();
  if (E.isLeft(archives)) return archives;
  const list = await startup.read(LIST_KEY);
  if (E.isLeft(list)) return list;
  return E.right({ archives: new Map(archives.right.map((info) => [info.name, info])), list: list.right });
};

/** Files of a directory in the cluster; none if it is damaged or gone, as a write replaces it then. */
const storedFiles = async ({ configs }: Link, name: string): Promise<Result<DirectoryContents>> => {
  const read = await configs.read(name);
  if (E.isLeft(read)) return read.left.code === 'unreadable' ? E.right(new Map()) : read;
  if (read.right === null) return E.right(new Map());
  const files = await unpacked(name, read.right.content);
  return E.isLeft(files) ? E.right(new Map()) : files;
};

const bytesOf = (files: DirectoryContents): number =>
  [...files.values()].reduce((sum, { length }) => sum + length, 0);

/** Returns the files of a directory and what to write. `write` is null when the cluster has the same. */
const compareDirectory = async (
  link: Link,
  folder: string,
  name: string,
  known: ArchiveInfo | undefined,
): Promise<Result<{ readonly files: ReadonlySet<string>; readonly write: DirectoryWrite | null }>> => {
  const packed = await workingCopies(folder).pack(name);
  if (E.isLeft(packed)) return packed;
  if (packed.right === null) return E.right({ files: new Set(), write: null });
  const { content, digest } = packed.right;
  const own = await unpacked(name, content);
  if (E.isLeft(own)) return own;
  const files = new Set(own.right.keys());
  if (known?.digest === digest || (known === undefined && files.size === 0)) {
    return E.right({ files, write: null });
  }
  const stored =
    known === undefined ? E.right(new Map() as DirectoryContents) : await storedFiles(link, name);
  if (E.isLeft(stored)) return stored;
  const write = {
    name,
    content,
    digest,
    replaces: known?.revision ?? 0,
    files: files.size,
    bytes: bytesOf(own.right),
    changed: changedBetween(stored.right, own.right),
  };
  return E.right({ files, write });
};

const isSame = (a: StartupEntry, b: StartupEntry): boolean =>
  jsonEqual(a as unknown as Json, b as unknown as Json);

/** Entries of the stored list; none where it cannot be read. */
const storedEntries = (stored: BucketEntry | null, folder: string): readonly StartupEntry[] => {
  const text = stored === null ? E.right('') : unpackList(stored.value);
  const list = E.isLeft(text) ? text : loadStartup(text.right, '', DEFAULT_GENERATION, folder);
  return E.isLeft(list) ? [] : list.right.entries;
};

const compareList = (
  { text, entries }: PushedList,
  folder: string,
  stored: BucketEntry | null,
): ListWrite | null => {
  const before = stored === null ? null : unpackList(stored.value);
  if (before !== null && E.isRight(before) && before.right === text) return null;
  const old = new Map(storedEntries(stored, folder).map((entry) => [entry.id, entry]));
  const ids = new Set(entries.map(({ id }) => id));
  const isChanged = (entry: StartupEntry): boolean => {
    const was = old.get(entry.id);
    return was !== undefined && !isSame(was, entry);
  };
  return {
    text,
    replaces: stored?.revision ?? 0,
    entries: entries.length,
    added: entries.filter(({ id }) => !old.has(id)).length,
    removed: [...old.keys()].filter((id) => !ids.has(id)).length,
    changed: entries.filter(isChanged).length,
  };
};

const missing = (message: string, hint: string): Omit<Issue, 'path'> => ({
  type: 'not_found',
  message,
  hint,
});

/** Compares the source with the cluster. Returns an error also when an entry's config would be missing on the nodes. */
export const planPush = async (
  link: Link,
  source: PushSource,
  deletes: boolean,
): Promise<Result<PushPlan>> => {
  const stored = await readStored(link);
  if (E.isLeft(stored)) return stored;
  const { archives, list } = stored.right;
  const { folder, names } = source;
  const files = new Map<string, ReadonlySet<string>>();
  const directories: DirectoryWrite[] = [];
  for (const name of names) {
    const compared = await compareDirectory(link, folder, name, archives.get(name));
    if (E.isLeft(compared)) return compared;
    files.set(name, compared.right.files);
    if (compared.right.write !== null) directories.push(compared.right.write);
  }
  const extra = [...archives.values()].filter(({ name }) => !files.has(name));
  const isStaying = (name: string): boolean => archives.has(name) && !deletes;
  const wrong = pathErrors(source.list, (entry) => {
    const { directory, file } = locationOfConfig(folder, entry);
    const own = files.get(directory ?? '');
    if (own === undefined) {
      return isStaying(directory ?? '')
        ? null
        : missing(`there is no directory '${directory}' in ${folder}`, 'Create it or change the path.');
    }
    return own.has(file)
      ? null
      : missing(`directory '${directory}' has no file '${file}' to copy`, 'Create it or change the path.');
  });
  if (wrong !== null) return E.left(wrong);
  return E.right({
    directories,
    list: compareList(source.list, folder, list),
    extra,
    deletes,
    total: { directories: names.length, entries: source.list.entries.length },
  });
};
