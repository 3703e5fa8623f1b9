import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readlink, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { whyNoFile } from '../../domain/directories/pseudoFiles.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import type { Files } from '../../ports/files.js';
import { errnoOf, ioError, isAbsent } from './ioError.js';
import { utf8Text } from './utf8Text.js';

/** Links in a row that are followed when a file is replaced. */
const MAX_LINKS = 40;
/** A temporary file of this age belongs to a write that was killed. */
const STALE_AFTER_MS = 3_600_000;

const TEMPORARY = /^\.spate-[0-9a-f]{16}\.tmp$/;

/** True for names of temporary files: what a write that was killed may leave behind. */
export const isTemporaryName = (name: string): boolean => TEMPORARY.test(name);

/** A new name for a file or folder that is moved into place when it is whole. */
export const temporaryName = (): string => `.spate-${randomBytes(8).toString('hex')}.tmp`;

/** True for what a write that was killed left behind; live temporary files are younger. */
export const isStale = ({ mtimeMs }: Pick<Stats, 'mtimeMs'>): boolean =>
  Date.now() - mtimeMs > STALE_AFTER_MS;

/** Runs file operations; what they throw becomes an error value. */
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

/** At most `max_bytes` of a file; `null` when it has more, whatever its size was said to be. */
const readUpTo = async (file: FileHandle, max_bytes: number): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let total = 0;
  const { size } = await file.stat();
  for (;;) {
    // One byte more than the size, so that the end of an unchanged file is seen by the second read.
    const want = Math.min(Math.max(size - total, 0) + 1, max_bytes + 1 - total, 1_048_576);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(want), 0, want, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > max_bytes) return null;
    chunks.push(buffer.subarray(0, bytesRead));
  }
};

/** Type of the file system that an open file is in; `null` where the system does not tell. */
const fileSystemOf = (file: FileHandle): Promise<number | null> =>
  statfs(`/proc/self/fd/${file.fd}`).then(
    ({ type }) => type,
    () => null,
  );

/** Text of an open file, UTF-8 without byte order mark. */
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
      // Without O_NONBLOCK the open of a named pipe would wait for a writer.
      async () => {
        const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
        return await using(file, (opened) => readOpenText(opened, path, max_bytes));
      },
      (thrown) => ioError(isAbsent(thrown) ? 'not_found' : 'unreadable', 'read', path, thrown),
    ),
  );

/** Where a path leads, through links, whether or not anything is there. */
const throughLinks = async (
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

/** Makes the entries of a folder durable; file systems that cannot say so. */
const syncDirectory = async (folder: string): Promise<void> => {
  const opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  await using(opened, (file) =>
    file.sync().catch((thrown: unknown) => {
      if (errnoOf(thrown) !== 'EINVAL' && errnoOf(thrown) !== 'ENOTSUP') throw thrown;
    }),
  );
};

/** Removes what killed writes left in a folder; live temporary files are younger. */
const removeStale = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter(isTemporaryName);
  for (const name of names) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    if (stats !== null && isStale(stats)) await rm(path, { force: true });
  }
};

/** Gives a file to whom the one belonged that it replaces; only root can, and must, do that. */
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
    // The mode given to open is cut by the umask.
    if (mode !== null) await opened.chmod(mode);
    await opened.sync();
  });
};

/** Replaces a file; `mode` `null`: that of the old file, or what the umask leaves. */
const replace = (path: string, text: string, mode: number | null): Promise<Result<void>> =>
  attempt(
    async () => {
      const target = await throughLinks(path);
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

/** As `replaceText`; the new file can be read and written by its owner only, whatever the old one allowed. */
export const replacePrivateText: Files['replaceText'] = (path, text) => replace(path, text, 0o600);

/** `appendText` of files that are opened in this way. */
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
            // A half-written record would spoil the next one.
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

/** Text files on the disk of this machine. */
export const nodeFiles: Files = {
  readText,
  replaceText,
  appendText: appendWith((path) => open(path, 'a')),
  makeDirectory,
};
