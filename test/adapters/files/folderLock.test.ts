import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lockStateFolder, SERVICE_LOCK } from '../../../src/adapters/files/folderLock.js';
import { tightenState } from '../../../src/adapters/files/privateFiles.js';
import { spawn } from '../../support/programs.js';

let root = '';
let folder = '';
let warnings: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'spate-lock-'));
  folder = join(root, 'state');
  warnings = [];
});

afterEach(() => rm(root, { recursive: true, force: true }));

const take = (name = SERVICE_LOCK) => lockStateFolder(folder, name, (reason) => warnings.push(reason));

const taken = async (name = SERVICE_LOCK) => {
  const lock = await take(name);
  if (E.isLeft(lock)) throw new Error(lock.left.message);
  return lock.right;
};

/** Listens as a service does, and is killed. */
const leaveDeadSocket = async (name: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('ready'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
};

const leaveDeadLock = async (): Promise<void> => {
  await leaveDeadSocket('lock.sock');
  // A process id that lives: that of another program by now.
  await writeFile(join(folder, 'lock'), JSON.stringify({ pid: process.pid, host: 'a-former-container' }));
};

describe('the lock of a state folder', () => {
  test('refuses a second service and names the process of the first', async () => {
    const first = await taken();
    expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(await take()).toEqual(
      E.left(
        expect.objectContaining({
          code: 'unavailable',
          message: `process ${process.pid} uses the state folder ${folder}: stop it, or choose another folder`,
        }),
      ),
    );
    await first.release();
    expect(await readdir(folder)).toEqual([]);
    const next = await taken();
    await next.release();
    expect(warnings).toEqual([]);
  });

  test('is free after a kill, whatever process id and host name it was left with', async () => {
    await leaveDeadLock();
    expect(await readdir(folder)).toEqual(['lock', 'lock.sock']);
    const lock = await taken();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('has one owner when many processes find a dead one at the same time', async () => {
    await leaveDeadLock();
    // The race shows in some rounds only; an owner that ends without a release leaves the next dead one.
    for (let round = 0; round < 20; round++) {
      const locks = await Promise.all(Array.from({ length: 20 }, () => take()));
      const owners = locks.flatMap((lock) => (E.isRight(lock) ? [lock.right] : []));
      expect(owners).toHaveLength(1);
      await owners[0]?.release();
      await leaveDeadSocket(`lock.${1 + (round % 3)}.sock`);
    }
    expect(warnings).toEqual([]);
  });

  test('holds in a folder whose path is too long for a socket', async () => {
    folder = join(root, 'a'.repeat(120), 'state');
    const first = await taken();
    expect(E.isLeft(await take())).toBe(true);
    await first.release();
    expect(await readdir(folder)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('lets single runs of different generators share a folder, without a service', async () => {
    const [a, b] = [await taken('lock-a1'), await taken('lock-b2')];
    expect(E.isLeft(await take('lock-a1'))).toBe(true);
    expect(E.isLeft(await take())).toBe(true);
    await a.release();
    await b.release();
    const service = await taken();
    expect(E.isLeft(await take('lock-a1'))).toBe(true);
    await service.release();
  });

  test('leaves the folder to its owner alone', async () => {
    const lock = await taken();
    await mkdir(join(folder, 'globals'));
    await chmod(folder, 0o755);
    await tightenState(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await lock.release();
  });

  test('is missing where no socket can be made, which is said', async () => {
    await writeFile(folder, 'a file');
    const lock = await taken();
    await lock.release();
    expect(warnings).toHaveLength(1);
  });
});
