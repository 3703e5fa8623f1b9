import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
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
/** A dead socket stays where it is, and the next owner takes the next number. */
const SOCKET = /^(lock[0-9a-f-]*)(?:\.(\d+))?\.sock$/;

/** Longer paths do not fit into the address of a Unix socket on every system. */
const MAX_ADDRESS_BYTES = 100;
const MAX_TRIES = 20;
const RETRY_MS = 50;

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

interface Socket {
  readonly name: string;
  readonly number: number;
  readonly path: string;
}

const socketOf = (folder: string, name: string, number: number): Socket => ({
  ...{ name, number, path: join(folder, number === 0 ? `${name}.sock` : `${name}.${number}.sock`) },
});

const socketsIn = async (folder: string): Promise<readonly Socket[]> =>
  (await readdir(folder)).flatMap((file) => {
    const [, name, number = '0'] = SOCKET.exec(file) ?? [];
    return name === undefined ? [] : [socketOf(folder, name, Number(number))];
  });

const firstHeld = async (sockets: readonly Socket[]): Promise<Socket | null> => {
  for (const socket of sockets) if (await isHeld(socket.path)) return socket;
  return null;
};

/**
 * Takes the socket after the last dead one. Of processes that try at once, one gets the number. As others may have seen
 * other numbers, the new owner looks again and gives way to whoever listens: of two, at least the later one sees the
 * other. Returns null while another process listens. Throws.
 */
const take = async (folder: string, name: string): Promise<Server | null> => {
  const known = async (): Promise<readonly Socket[]> =>
    (await socketsIn(folder)).filter((socket) => socket.name === name);
  for (let tries = 1; ; tries++) {
    const before = await known();
    if ((await firstHeld(before)) !== null) return null;
    const mine = socketOf(folder, name, 1 + Math.max(-1, ...before.map(({ number }) => number)));
    const bound = await listenOn(mine.path);
    if (E.isLeft(bound)) {
      if (errnoOf(bound.left) !== 'EADDRINUSE' || tries === MAX_TRIES) throw bound.left;
      continue;
    }
    const others = (await known()).filter(({ number }) => number !== mine.number);
    if ((await firstHeld(others)) === null) {
      for (const { number, path } of others) if (number < mine.number) await rm(path, { force: true });
      return bound.right;
    }
    await new Promise<void>((resolve) => void bound.right.close(() => resolve()));
    if (tries === MAX_TRIES) return null;
    await setTimeout(RETRY_MS * Math.random());
  }
};

const heldBesides = async (folder: string, name: string): Promise<string | null> => {
  const others = (await socketsIn(folder)).filter(
    (socket) => socket.name !== name && (name === SERVICE_LOCK || socket.name === SERVICE_LOCK),
  );
  return (await firstHeld(others))?.name ?? null;
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
    // Not synced: a crash of the machine ends the lock that it describes.
    await rm(file, { force: true });
    await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((thrown) => warn(reasonOf(thrown)));
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
