import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { FileVersion } from '../../domain/directory.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
import type { FileVersions } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';
import { isTemporaryName, temporaryName } from '../files/files.js';
import { type Folder, inFolder, openFolder, openSubfolder } from '../files/folder.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { makePrivateFolder, openPrivate } from '../files/privateFiles.js';
import { atLocation, type Location, statsAt } from './location.js';
import { removeEntry } from './remove.js';

/** Longer texts have no versions. */
export const MAX_VERSION_BYTES = 1_048_576;
/** Limits of one file; the oldest versions leave first. */
export const MAX_VERSIONS = 50;
export const MAX_FILE_BYTES = 4_194_304;
/** Limits of a generator directory. */
export const MAX_DIRECTORY_VERSIONS = 1_000;
export const MAX_DIRECTORY_BYTES = 16_777_216;
/** What is kept of a folder that is deleted with all below: its versions must not push out all others. */
export const MAX_DELETED_FILES = 100;
export const MAX_DELETED_BYTES = 4_194_304;
/** A change of a file waits at most this long for the state folder. */
const MAX_WAIT_MS = 500;
const MAX_HEADER_BYTES = 4_096;
/** Versions whose headers are read at a time. */
const AT_ONCE = 16;

type By = Parameters<FileVersions['keep']>[2];

/** A text before its change. */
interface FormerText {
  readonly path: string;
  readonly bytes: Buffer;
}

/** A stored version, as its name tells it: the time in milliseconds, a digest of the path, and the size. */
interface Entry {
  readonly name: string;
  readonly at: number;
  readonly key: string;
  readonly bytes: number;
}

/** Paths and names may be long and hold any character: digests are safe names. */
const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const ENTRY = /^(\d{15})-([0-9a-f]{32})-(\d{1,9})$/;
const PATH_FILE = /^([0-9a-f]{32})\.path$/;

const nameOf = (at: number, key: string, bytes: number): string =>
  `${String(at).padStart(15, '0')}-${key}-${bytes}`;

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (isAbsent(thrown)) return [];
    throw thrown;
  }
};

/** Oldest first. */
const entriesOf = (names: readonly string[]): readonly Entry[] =>
  [...names].sort().flatMap((name) => {
    const [, at, key = '', bytes] = ENTRY.exec(name) ?? [];
    return at === undefined ? [] : [{ name, at: Number(at), key, bytes: Number(bytes) }];
  });

/** The oldest entries beyond a number and a sum of bytes. */
const beyond = (entries: readonly Entry[], most: number, bytes: number): readonly Entry[] => {
  let sum = 0;
  let count = 0;
  return [...entries].reverse().filter((entry) => {
    count += 1;
    sum += entry.bytes;
    return count > most || sum > bytes;
  });
};

const overLimits = (entries: readonly Entry[]): ReadonlySet<Entry> => {
  const keys = new Set(entries.map(({ key }) => key));
  const ofFiles = [...keys].flatMap((key) =>
    beyond(
      entries.filter((entry) => entry.key === key),
      MAX_VERSIONS,
      MAX_FILE_BYTES,
    ),
  );
  const left = entries.filter((entry) => !ofFiles.includes(entry));
  return new Set([...ofFiles, ...beyond(left, MAX_DIRECTORY_VERSIONS, MAX_DIRECTORY_BYTES)]);
};

const using = async <A>(opening: Promise<FileHandle>, use: (file: FileHandle) => Promise<A>): Promise<A> => {
  const file = await opening;
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

const bytesOf = async (opening: Promise<FileHandle>, most: number): Promise<Buffer> =>
  using(opening, async (file) => {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  });

const openPlain = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);

/** A reader never finds half a file. Not synced: the change that follows waits for the disk, and must not wait twice. */
const put = async (folder: string, name: string, content: Buffer | string): Promise<void> => {
  const beside = join(folder, temporaryName());
  try {
    await using(openPrivate(beside, 'wx'), (file) => file.writeFile(content));
    await rename(beside, join(folder, name));
  } catch (thrown) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw thrown;
  }
};

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

/** The text of a regular file, or those of all below a folder. Links are not followed. */
const textsAt = async (
  { folder, name }: Location,
  path: string,
  found: FormerText[],
): Promise<readonly FormerText[]> => {
  const stats = await statsAt({ folder, name });
  if (stats?.isDirectory() === true) {
    await inFolder(openSubfolder(folder, name), (inner) => textsBelow(inner, path, found));
  } else if (stats?.isFile() === true && stats.size <= MAX_VERSION_BYTES) {
    const bytes = await bytesOf(openPlain(folder.at(name)), Number(stats.size) + 1);
    if (bytes.length <= MAX_VERSION_BYTES && isText(bytes)) found.push({ path, bytes });
  }
  return found;
};

const textsBelow = async (folder: Folder, path: string, found: FormerText[]): Promise<void> => {
  for (const name of (await readdir(folder.here)).sort()) {
    const sum = found.reduce((bytes, one) => bytes + one.bytes.length, 0);
    if (found.length >= MAX_DELETED_FILES || sum >= MAX_DELETED_BYTES) return;
    if (!isTemporaryName(name)) await textsAt({ folder, name }, `${path}/${name}`, found);
  }
};

/**
 * Stores versions; an identical one before leaves, as after a change that a crash prevented. `stored` gets their names, also
 * when a later one fails.
 */
const storeAll = async (
  folder: string,
  texts: readonly FormerText[],
  by: By,
  stored: string[],
): Promise<void> => {
  const names = await namesIn(folder);
  const entries = entriesOf(names);
  let at = Math.max(Date.now(), (entries.at(-1)?.at ?? 0) + 1);
  for (const { path, bytes } of texts) {
    const key = keyOf(path);
    const before = entries.findLast((entry) => entry.key === key);
    const name = nameOf(at, key, bytes.length);
    at += 1;
    if (!names.includes(`${key}.path`)) await put(folder, `${key}.path`, JSON.stringify({ path }));
    await put(folder, name, Buffer.concat([Buffer.from(`${JSON.stringify(by)}\n`), bytes]));
    stored.push(name);
    const isSame =
      before?.bytes === bytes.length &&
      (await readEntry(folder, before).then(
        (read) => read?.text.equals(bytes) ?? false,
        () => false,
      ));
    if (isSame) await rm(join(folder, before.name), { force: true });
  }
  await tidy(folder);
};

/** Removes what is over the limits, paths without versions, and leftovers of a killed write. */
const tidy = async (folder: string): Promise<void> => {
  const names = await namesIn(folder);
  const entries = entriesOf(names);
  const leaving = overLimits(entries);
  const staying = new Set(entries.filter((entry) => !leaving.has(entry)).map(({ key }) => key));
  const unused = names.filter((name) => {
    const [, key] = PATH_FILE.exec(name) ?? [];
    return isTemporaryName(name) || (key !== undefined && !staying.has(key));
  });
  for (const name of [...[...leaving].map((entry) => entry.name), ...unused])
    await rm(join(folder, name), { force: true });
};

/** Null when the file is damaged, for example after a power failure. */
const readEntry = async (
  folder: string,
  { name, bytes }: Entry,
): Promise<{ readonly by: By; readonly text: Buffer } | null> => {
  const content = await bytesOf(openPlain(join(folder, name)), bytes + MAX_HEADER_BYTES);
  const end = content.indexOf('\n');
  const by = byOf(content.subarray(0, Math.max(end, 0)).toString('utf8'));
  const text = content.subarray(end + 1);
  return by === null || text.length !== bytes ? null : { by, text };
};

const byOf = (header: string): By | null => {
  const value = parsedJson(header);
  if (!isJsonObject(value)) return null;
  const { user, what } = value;
  if (what !== 'replaced' && what !== 'deleted') return null;
  return { user: typeof user === 'string' ? user : null, what };
};

/** The path of a digest. Null when it is not known. */
const pathOf = async (folder: string, key: string): Promise<string | null> => {
  const content = await bytesOf(openPlain(join(folder, `${key}.path`)), MAX_HEADER_BYTES).catch(() => null);
  const value = parsedJson(content?.toString('utf8') ?? '');
  const path = isJsonObject(value) ? value['path'] : null;
  return typeof path === 'string' && keyOf(path) === key ? path : null;
};

const versionOf = ({ at, bytes }: Entry, path: string, by: By): FileVersion => ({
  version: String(at),
  path,
  at: new Date(at).toISOString(),
  size_bytes: bytes,
  ...by,
});

/** Null for a damaged version, and for one that has left meanwhile. */
const headOf = async (folder: string, entry: Entry, path: string | null): Promise<FileVersion | null> => {
  if (path === null) return null;
  const head = await bytesOf(openPlain(join(folder, entry.name)), MAX_HEADER_BYTES).catch(() => null);
  const [line = ''] = (head?.toString('utf8') ?? '').split('\n', 1);
  const by = byOf(line);
  return by === null ? null : versionOf(entry, path, by);
};

const listAll = async (folder: string, path: string | null): Promise<Result<readonly FileVersion[]>> => {
  try {
    const entries = entriesOf(await namesIn(folder)).filter(
      ({ key }) => path === null || key === keyOf(path),
    );
    const paths = new Map<string, string | null>();
    for (const { key } of entries) if (!paths.has(key)) paths.set(key, path ?? (await pathOf(folder, key)));
    const found: FileVersion[] = [];
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const some = entries.slice(from, from + AT_ONCE);
      const heads = await Promise.all(
        some.map((entry) => headOf(folder, entry, paths.get(entry.key) ?? null)),
      );
      found.push(...heads.filter((head) => head !== null));
    }
    return E.right(found.reverse());
  } catch (thrown) {
    return E.left(ioError('unreadable', 'list', folder, thrown));
  }
};

const readOne = async (folder: string, name: string, version: string): ReturnType<FileVersions['read']> => {
  const gone = failure(
    'not_found',
    `There is no version '${version}' of a file of '${name}'. List them again.`,
  );
  try {
    const entry = entriesOf(await namesIn(folder)).find(({ at }) => String(at) === version);
    const path = entry === undefined ? null : await pathOf(folder, entry.key);
    const read = entry === undefined ? null : await readEntry(folder, entry);
    if (entry === undefined || path === null || read === null) return E.left(gone);
    return E.right({ ...versionOf(entry, path, read.by), text: read.text.toString('utf8') });
  } catch (thrown) {
    return E.left(isAbsent(thrown) ? gone : ioError('unreadable', 'read', folder, thrown));
  }
};

/** Follows a move: versions of a path, or of all below it, belong to another one from now on. */
const moveAll = async (folder: string, from: string, to: string): Promise<void> => {
  const names = await namesIn(folder);
  for (const name of names) {
    const [, key] = PATH_FILE.exec(name) ?? [];
    const path = key === undefined ? null : await pathOf(folder, key);
    if (path === null || (path !== from && !path.startsWith(`${from}/`))) continue;
    const moved = `${to}${path.slice(from.length)}`;
    await put(folder, `${keyOf(moved)}.path`, JSON.stringify({ path: moved }));
    for (const entry of entriesOf(names).filter((one) => one.key === key))
      await rename(join(folder, entry.name), join(folder, nameOf(entry.at, keyOf(moved), entry.bytes)));
  }
  await tidy(folder);
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const NOTHING = async (): Promise<void> => {};

/** Former texts in `file-versions` of the state folder: a folder for each generator directory, a file for each text. */
export const fileVersions = (options: {
  readonly state: string;
  readonly generators_dir: string;
  readonly log: Log;
  readonly max_wait_ms?: number;
}): FileVersions => {
  const folderOf = (name: string): string => join(options.state, 'file-versions', keyOf(name));

  const warn = (reason: string): void =>
    options.log.write('warning', 'a former text of a generator file is not kept as a version', {
      code: 'unwritable',
      reason,
    });

  /** What is at a path of a generator directory, without following links. */
  const at = async <A>(
    name: string,
    path: string,
    use: (there: Location) => Promise<A>,
  ): Promise<A | null> => {
    const root = await realpath(options.generators_dir);
    const real = await realpath(join(root, name));
    if (dirname(real) !== root) return null;
    const found = await atLocation(real, path, false, async (there) => E.right(await use(there)));
    return E.isRight(found) ? found.right : null;
  };

  let isBusy = false;
  /** Does work in the state folder. A failure is logged; work that takes too long goes on alone, and others are left out. */
  const soon = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return warn('the state folder does not answer');
    isBusy = true;
    const done = work()
      .catch((thrown: unknown) => warn(reasonOf(thrown)))
      .finally(() => {
        isBusy = false;
      });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, options.max_wait_ms ?? MAX_WAIT_MS);
    });
    await Promise.race([done, late]);
    clearTimeout(timer);
  };

  return {
    keep: async (name, path, by) => {
      // A missing file, or one that cannot be read: the change itself says so.
      const texts = await at(name, path, (there) => textsAt(there, path, [])).catch(() => null);
      if (texts === null || texts.length === 0) return NOTHING;
      const folder = folderOf(name);
      const stored: string[] = [];
      await soon(async () => {
        await makePrivateFolder(folder);
        await storeAll(folder, texts, by, stored);
      });
      return () =>
        soon(async () => {
          for (const one of stored) await rm(join(folder, one), { force: true });
          await tidy(folder);
        });
    },
    follow: async (name, from, to) => {
      const isFolder = await at(
        name,
        to,
        async (there) => (await statsAt(there))?.isDirectory() === true,
      ).catch(() => false);
      const target = isFolder === true ? `${to}/${lastOf(from)}` : to;
      return target === from ? NOTHING : () => soon(() => moveAll(folderOf(name), from, target));
    },
    forget: (name) =>
      soon(async () => {
        if ((await namesIn(folderOf(name))).length > 0)
          await inFolder(openFolder(dirname(folderOf(name))), (parent) => removeEntry(parent, keyOf(name)));
      }),
    list: (name, path) => listAll(folderOf(name), path),
    read: (name, version) => readOne(folderOf(name), name, version),
  };
};
