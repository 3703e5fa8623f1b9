import { randomBytes } from 'node:crypto';
import { link, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { isJsonObject } from '../../domain/json.js';
import { isSameProcess, processStart } from '../processes/proc.js';
import { systemClock } from '../systemClock.js';
import { temporaryName } from './files.js';
import { errnoOf, ioError } from './ioError.js';
import { PRIVATE_FILE } from './privateFiles.js';

/** Work under a lock takes milliseconds, and half a second where the key of a keyring is made: several processes may wait in a row. */
const WAIT_MS = 30_000;
const LOOK_EVERY_MS = 20;
/** Removing a stale lock takes a lock of its own, which may be stale too. */
const MAX_DEPTH = 3;

interface Owner {
  /** Unique per lock taken. */
  readonly token: string;
  readonly pid: number;
  /** Start time, because process ids are reused; empty if unknown. */
  readonly started: string;
  /** With the process namespace. */
  readonly host: string;
}

const hostName = async (): Promise<string> =>
  `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`.trim();

const isAlive = async ({ host, pid, started }: Owner): Promise<boolean> =>
  // Processes of another machine or container cannot be checked: assume they live.
  host !== (await hostName()) || isSameProcess(pid, started === '' ? null : started);

/** Returns null when the path is not locked. A lock file of unknown format has an unknown owner. */
const ownerOf = async (path: string): Promise<Owner | null> => {
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  });
  if (text === null) return null;
  const value = E.toUnion(
    E.tryCatch(
      () => JSON.parse(text) as unknown,
      () => null,
    ),
  );
  const { token, pid, started, host } = isJsonObject(value) ? value : {};
  return typeof token === 'string' &&
    typeof pid === 'number' &&
    typeof started === 'string' &&
    typeof host === 'string'
    ? { token, pid, started, host }
    : { token: '', pid: 0, started: '', host: 'unknown' };
};

/** Takes a free lock: the link appears with its content or not at all. */
const tryTake = async (path: string, owner: Owner): Promise<boolean> => {
  const temporary = join(dirname(path), temporaryName());
  try {
    await writeFile(temporary, JSON.stringify(owner), { flag: 'wx', mode: PRIVATE_FILE });
    await link(temporary, path);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false;
    throw thrown;
  } finally {
    await rm(temporary, { force: true });
  }
};

const breakerOf = (path: string): string => `${path}.break`;

/** Takes a lock of its own and checks again, so it never removes a live lock. */
const breakStale = async (path: string, stale: Owner, wait_ms: number, depth: number): Promise<void> => {
  await locked(
    breakerOf(path),
    async () => {
      if ((await ownerOf(path))?.token === stale.token) await rm(path, { force: true });
    },
    wait_ms,
    depth + 1,
  );
};

/** A process that is killed while it removes a stale lock leaves its own. */
const removeStaleBreaker = async (path: string, wait_ms: number): Promise<void> => {
  const owner = await ownerOf(breakerOf(path));
  if (owner !== null && !(await isAlive(owner))) await breakStale(breakerOf(path), owner, wait_ms, 1);
};

/** Returns null when done, else the process that held the lock all the time. */
const locked = async (
  path: string,
  use: () => Promise<void>,
  wait_ms: number,
  depth: number,
): Promise<Owner | null> => {
  const me: Owner = {
    token: randomBytes(16).toString('hex'),
    pid: process.pid,
    started: (await processStart(process.pid)) ?? '',
    host: await hostName(),
  };
  const deadline = systemClock.monotonicMs() + wait_ms;
  const never = new AbortController().signal;
  while (!(await tryTake(path, me))) {
    const owner = await ownerOf(path);
    if (owner === null) continue;
    if (systemClock.monotonicMs() > deadline) return owner;
    if (depth < MAX_DEPTH && !(await isAlive(owner))) {
      await breakStale(path, owner, wait_ms, depth);
      continue;
    }
    await systemClock.sleepMs(LOOK_EVERY_MS, never);
  }
  try {
    if (depth === 0) await removeStaleBreaker(path, wait_ms);
    await use();
  } finally {
    await rm(path, { force: true });
  }
  return null;
};

/**
 * Runs `use` exclusively among processes; `path` is the lock file. Returns the error `unavailable` if another process
 * holds it all the time, and `unwritable` if it cannot be created.
 */
export const withFileLock = async <A>(
  path: string,
  use: () => Promise<Result<A>>,
  wait_ms: number = WAIT_MS,
): Promise<Result<A>> => {
  const result: { value: Result<A> | null } = { value: null };
  try {
    const holder = await locked(
      path,
      async () => {
        result.value = await use();
      },
      wait_ms,
      0,
    );
    if (holder !== null) {
      const who = holder.pid === 0 ? 'another process' : `process ${holder.pid} on ${holder.host}`;
      return E.left(
        failure(
          'unavailable',
          `${who} holds the lock ${path}. Try again, or remove the file if no such process runs.`,
        ),
      );
    }
  } catch (thrown) {
    if (result.value === null) return E.left(ioError('unwritable', 'create the lock', path, thrown));
  }
  return result.value ?? E.left(failure('bug', `nothing was done under the lock ${path}`));
};
