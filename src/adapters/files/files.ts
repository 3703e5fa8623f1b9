import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readlink, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { whyNoFile } from '../../domain/directory.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import type { Files } from '../../ports/files.js';
import { errnoOf, ioError, isAbsent } from './ioError.js';

const MAX_LINKS = 40;
/** Age at which a temporary file counts as the leftover of a killed write. */
const STALE_AFTER_MS = 3_600_000;

const TEMPORARY = /^\.spate-[0-9a-f]{16}\.tmp$/;

export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name);

/** A name for content that is renamed into place once it is whole. */
export const temporaryName = (): string => `.spate-${randomBytes(8).toString('hex')}.tmp`;

export const isStale = ({ mtimeMs }: Pick<Stats, 'mtimeMs'>): boolean =>
  Date.now() - mtimeMs > STALE_AFTER_MS;

export const attempt = async <A>(
  run: () => Promise<A>,
  toError: (thrown: unknown) => SpateError,
): Promise<Result<A>> => {
  try {
    return E.right(await run());
  } catch (thrown) {
    return E.left(toError(thrown));
  }
};

const using = async <A>(file: FileHandle, use: (file: FileHandle) => Promise<A>): Promise<A> => {
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

const LINE_FEED = 0x0a;

const firstBad = (line: Uint8Array): number => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    try {
      // The decoder returns a character with its last byte.
      if (decoder.decode(line.subarray(at, at + 1), { stream: true }) !== '') start = at + 1;
    } catch {
      return start;
    }
  }
  return start;
};

/** Line (from 1) and offset of the first bad byte. A line feed is never part of another character. */
const badPlace = (
  bytes: Buffer,
): { readonly line: number; readonly from: number; readonly offset: number } => {
  let from = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    const whole = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (end < 0 || !isUtf8(whole)) return { line, from, offset: from + firstBad(whole) };
    from = end + 1;
  }
};

/** Decodes UTF-8 without the byte order mark. The error `invalid` names the first bad byte, counted from 0. */
const utf8Text = (bytes: Buffer, path: string): Result<string> => {
  if (isUtf8(bytes)) return E.right(new TextDecoder().decode(bytes));
  const { line, from, offset } = badPlace(bytes);
  const message = `is not UTF-8 at byte ${offset}`;
  const issue = { path: [], type: 'bad_encoding', message, hint: 'Save it as UTF-8.' };
  return E.left(
    failure('invalid', `cannot read ${path}: it ${message}; save it as UTF-8`, {
      file: path,
      issues: [{ ...issue, line, column: offset - from + 1 }],
    }),
  );
};

/** `null` if the file has more than `max_bytes`, regardless of the size it reports. */
const readUpTo = async (file: FileHandle, max_bytes: number): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let total = 0;
  const { size } = await file.stat();
  for (;;) {
    // One byte more than the size: an unchanged file then ends with the second read.
    const want = Math.min(Math.max(size - total, 0) + 1, max_bytes + 1 - total, 1_048_576);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(want), 0, want, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > max_bytes) return null;
    chunks.push(buffer.subarray(0, bytesRead));
  }
};

const fileSystemOf = (file: FileHandle): Promise<number | null> =>
  statfs(`/proc/self/fd/${file.fd}`).then(
    ({ type }) => type,
    () => null,
  );

/** Reads an open file as UTF-8, without the byte order mark. */
export const readOpenText = async (
  file: FileHandle,
  path: string,
  max_bytes: number,
): Promise<Result<string>> => {
  const refuse = (code: 'unreadable' | 'too_large', why: string): Result<never> =>
    E.left(failure(code, `cannot read ${path}: ${why}`, { file: path }));
  const why = whyNoFile(await file.stat(), await fileSystemOf(file));
  if (why !== null) return refuse('unreadable', why);
  const bytes = await readUpTo(file, max_bytes);
  if (bytes === null) return refuse('too_large', `it has more than ${max_bytes} bytes`);
  return utf8Text(bytes, path);
};

const readText: Files['readText'] = async (path, max_bytes) =>
  E.flatten(
    await attempt(
      // O_NONBLOCK: opening a named pipe would wait for a writer.
      async () => {
        const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
        return await using(file, (opened) => readOpenText(opened, path, max_bytes));
      },
      (thrown) => ioError(isAbsent(thrown) ? 'not_found' : 'unreadable', 'read', path, thrown),
    ),
  );

/** The target need not exist. */
const followLinks = async (
  path: string,
): Promise<{ readonly path: string; readonly stats: Stats | null }> => {
  let at = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    const stats = await lstat(at).catch((thrown: unknown) => {
      if (errnoOf(thrown) === 'ENOENT') return null;
      throw thrown;
    });
    if (stats?.isSymbolicLink() !== true) return { path: at, stats };
    at = resolve(dirname(at), await readlink(at));
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
};

/** Some file systems do not support it. */
export const syncDirectory = async (folder: string): Promise<void> => {
  const opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  await using(opened, (file) =>
    file.sync().catch((thrown: unknown) => {
      if (errnoOf(thrown) !== 'EINVAL' && errnoOf(thrown) !== 'ENOTSUP') throw thrown;
    }),
  );
};

const removeStale = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter(isTemporaryName);
  for (const name of names) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    if (stats !== null && isStale(stats)) await rm(path, { force: true });
  }
};

/** Keeps the owner of the replaced file; only root can, and must. */
const keepOwner = async (file: FileHandle, old: Stats | null): Promise<void> => {
  if (old === null) return;
  const { uid, gid } = await file.stat();
  if (uid === old.uid && gid === old.gid) return;
  await file.chown(old.uid, old.gid).catch((thrown: unknown) => {
    if (errnoOf(thrown) !== 'EPERM') throw thrown;
  });
};

const writeNew = async (
  path: string,
  text: string,
  mode: number | null,
  old: Stats | null,
): Promise<void> => {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(
    path,
    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    mode === null ? 0o666 : mode & 0o700,
  );
  await using(file, async (opened) => {
    await opened.writeFile(text, 'utf8');
    await keepOwner(opened, old);
    // The umask masks the mode given to `open`.
    if (mode !== null) await opened.chmod(mode);
    await opened.sync();
  });
};

/** `mode: null` keeps the mode of the old file, or applies the umask. */
const replace = (path: string, text: string, mode: number | null): Promise<Result<void>> =>
  attempt(
    async () => {
      const target = await followLinks(path);
      const oldMode = target.stats === null ? null : target.stats.mode & 0o7777;
      const folder = dirname(target.path);
      const temporary = join(folder, temporaryName());
      try {
        await writeNew(temporary, text, mode ?? oldMode, target.stats);
        await rename(temporary, target.path);
      } catch (thrown) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw thrown;
      }
      await syncDirectory(folder);
      await removeStale(folder).catch(() => undefined);
    },
    (thrown) => ioError('unwritable', 'write', path, thrown),
  );

const replaceText: Files['replaceText'] = (path, text) => replace(path, text, null);

/** As `replaceText`, with mode 600. */
export const replacePrivateText: Files['replaceText'] = (path, text) => replace(path, text, 0o600);

export const appendWith =
  (openFile: (path: string) => Promise<FileHandle>): Files['appendText'] =>
  (path, text) =>
    attempt(
      async () => {
        const file = await openFile(path);
        const isNew = await using(file, async (opened) => {
          const { size } = await opened.stat();
          try {
            await opened.writeFile(text, 'utf8');
            await opened.datasync();
          } catch (thrown) {
            // Half a record would spoil the next one.
            await opened.truncate(size).catch(() => undefined);
            throw thrown;
          }
          return size === 0;
        });
        if (isNew) await syncDirectory(dirname(resolve(path)));
      },
      (thrown) => ioError('unwritable', 'append to', path, thrown),
    );

const makeDirectory: Files['makeDirectory'] = (path) =>
  attempt(
    async () => {
      await mkdir(path, { recursive: true });
    },
    (thrown) => ioError('unwritable', 'create the directory', path, thrown),
  );

export const nodeFiles: Files = {
  readText,
  replaceText,
  appendText: appendWith((path) => open(path, 'a')),
  makeDirectory,
};
