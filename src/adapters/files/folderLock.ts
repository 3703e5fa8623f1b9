import { randomBytes } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
import { replacePrivateText } from './files.js';
import { errnoOf } from './ioError.js';
import { makePrivateFolder } from './privateFiles.js';

/**
 * A folder that one process uses at a time. The lock is a listening Unix socket: the kernel closes it however the process
 * ends, so a process id that is used again or a container with another host name cannot keep it. A file beside it names
 * the process for people. Machines that share the folder over a network do not see each other's locks.
 */
export interface FolderLock {
  /** False where no lock could be made. */
  readonly isHeld: boolean;
  readonly release: () => Promise<void>;
}

/** Name of the lock of a service, which excludes every other lock of its folder. */
export const SERVICE_LOCK = 'lock';
const SOCKET = /^(lock[0-9a-f-]*)\.sock$/;

/** Longer paths do not fit into the address of a Unix socket on every system. */
const MAX_ADDRESS_BYTES = 100;
const MAX_TRIES = 20;

/** Resolves to what went wrong. */
const listenOn = (path: string): Promise<E.Either<unknown, Server>> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (thrown) => resolve(E.left(thrown)));
    server.listen(path, () => {
      server.unref();
      resolve(E.right(server));
    });
  });

/** Whether a process listens; throws when that cannot be found out. */
const isHeld = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path);
    const end = (settle: () => void): void => {
      socket.destroy();
      settle();
    };
    socket.once('connect', () => end(() => resolve(true)));
    socket.once('error', (thrown) => {
      const code = errnoOf(thrown);
      if (code === 'ECONNREFUSED' || code === 'ENOENT') return end(() => resolve(false));
      // Its queue of connections is full.
      if (code === 'EAGAIN') return end(() => resolve(true));
      return end(() => reject(thrown));
    });
  });

/** A folder by a path that is short enough for sockets, until `close`. */
const shortPath = async (folder: string): Promise<{ path: string; close: () => Promise<void> }> => {
  if (Buffer.byteLength(folder) + 64 <= MAX_ADDRESS_BYTES) return { path: folder, close: async () => {} };
  const handle = await open(folder, 'r');
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
};

const refusal = async (folder: string, name: string): Promise<Result<never>> => {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '');
  const owner = parsedJson(text);
  const { pid, host } = isJsonObject(owner) ? owner : {};
  const where = typeof host === 'string' && host !== hostname() ? ` on ${host}` : '';
  const who = typeof pid === 'number' ? `process ${pid}${where}` : 'another process';
  return E.left(
    failure('unavailable', `${who} uses the state folder ${folder}: stop it, or choose another folder`),
  );
};

/** Takes the socket; a dead one is moved away first. Returns null while another process listens on it. Throws. */
const take = async (folder: string, name: string): Promise<Server | null> => {
  const path = join(folder, `${name}.sock`);
  for (let tries = 1; ; tries++) {
    const bound = await listenOn(path);
    if (E.isRight(bound)) return bound.right;
    if (errnoOf(bound.left) !== 'EADDRINUSE' || tries === MAX_TRIES) throw bound.left;
    if (await isHeld(path)) return null;
    const dead = join(folder, `.${randomBytes(4).toString('hex')}.sock`);
    const isMoved = await rename(path, dead).then(
      () => true,
      () => false,
    );
    if (!isMoved) continue;
    // Another process may have taken it in the meantime.
    const isTaken = await isHeld(dead);
    if (isTaken) await link(dead, path).catch(() => undefined);
    await rm(dead, { force: true });
    if (isTaken) return null;
  }
};

const heldBesides = async (folder: string, name: string): Promise<string | null> => {
  const names = (await readdir(folder)).flatMap((file) => SOCKET.exec(file)?.[1] ?? []);
  const others = name === SERVICE_LOCK ? names : names.filter((one) => one === SERVICE_LOCK);
  for (const other of others)
    if (other !== name && (await isHeld(join(folder, `${other}.sock`)))) return other;
  return null;
};

/**
 * Takes the lock `name` of a folder, which is created. Returns `unavailable` when another process has it, or a service has
 * the folder. Where sockets cannot be made, it warns and holds nothing.
 */
export const lockStateFolder = async (
  folder: string,
  name: string,
  warn: (reason: string) => void,
): Promise<Result<FolderLock>> => {
  let close = async (): Promise<void> => {};
  try {
    await makePrivateFolder(folder);
    const short = await shortPath(folder);
    close = short.close;
    const other = await heldBesides(short.path, name);
    const server = other === null ? await take(short.path, name) : null;
    if (server === null) {
      await close();
      return refusal(folder, other ?? name);
    }
    const file = join(folder, name);
    const text = `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`;
    const written = await replacePrivateText(file, text);
    if (E.isLeft(written)) warn(written.left.message);
    return E.right({
      isHeld: true,
      release: async () => {
        await rm(file, { force: true }).catch(() => undefined);
        // Removes the socket.
        await new Promise<void>((resolve) => void server.close(() => resolve()));
        await close();
      },
    });
  } catch (thrown) {
    await close();
    warn(reasonOf(thrown));
    return E.right({ isHeld: false, release: async () => {} });
  }
};
