import { randomBytes } from 'node:crypto';
import { link, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { isJsonObject } from '../../domain/json.js';
import { isSameProcess, processStart } from '../processes/processLife.js';
import { systemClock } from '../systemClock.js';
import { temporaryName } from './files.js';
import { errnoOf, ioError } from './ioError.js';
import { PRIVATE_FILE } from './privateFiles.js';

/** How long one waits for another process; what is done under a lock takes a part of a second. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 20;
/** A lock that a killed process left is removed under a lock of its own, and so on; deeper is not looked. */
const MAX_DEPTH = 3;

/** The process that holds a lock. */
interface Owner {
  /** Differs for every lock that was ever taken. */
  readonly token: string;
  readonly pid: number;
  /** When the process began, so that a later one with its number is not taken for it; empty where unknown. */
  readonly started: string;
  /** Machine and, in containers, the space that its number is of. */
  readonly host: string;
}

const hostName = async (): Promise<string> =>
  `${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`.trim();

const isAlive = async ({ host, pid, started }: Owner): Promise<boolean> =>
  // A process of another machine or container cannot be looked at.
  host !== (await hostName()) || isSameProcess(pid, started === '' ? null : started);

/** Who holds the lock; `null`: nobody. A lock that somebody else made has an owner of whom nothing is known. */
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

/** Takes the lock if nobody holds it: a link appears with its content or not at all. */
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

/**
 * Removes the lock of a dead process. Only under a lock of its own, and only after another look: since the
 * owner is dead nobody else removes its lock, so that it is never a live one that goes.
 */
const breakStale = async (path: string, stale: Owner, wait_ms: number, depth: number): Promise<void> => {
  await locked(
    `${path}.break`,
    async () => {
      if ((await ownerOf(path))?.token === stale.token) await rm(path, { force: true });
    },
    wait_ms,
    depth + 1,
  );
};

/** Runs under the lock. Right `null`: it was done; otherwise who held the lock all the time. */
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
    await use();
  } finally {
    await rm(path, { force: true });
  }
  return null;
};

/**
 * Runs something that no two processes of this machine may do at once. The lock is the file `path`; that of a
 * process which was killed is removed. Left `unavailable`: another one held it all the time (ten seconds); `unwritable`:
 * the lock cannot be made.
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
        failure('unavailable', `${who} holds ${path}: try again, or remove it when no such process runs`),
      );
    }
  } catch (thrown) {
    if (result.value === null) return E.left(ioError('unwritable', 'make the lock', path, thrown));
  }
  return result.value ?? E.left(failure('bug', `nothing was done under the lock ${path}`));
};
