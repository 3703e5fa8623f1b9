import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { withFileLock } from '../../../src/adapters/files/lock.js';
import { failure } from '../../../src/domain/errors.js';
import { right } from '../../support/either.js';
import { spawn } from '../../support/programs.js';
import { codeOf, inFolder } from '../directories/support.js';

/** Number of a process that has ended. */
const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.on('close', resolve));
  return child.pid ?? 0;
};

/** What the lock file says while this process holds it. */
const ownLock = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(right(await withFileLock(path, async () => E.right(await readFile(path, 'utf8'))))) as Record<
    string,
    unknown
  >;

describe('a lock in a file', () => {
  test('lets one in at a time, in this process too, and leaves nothing', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'lock');
      let inside = 0;
      let most = 0;
      let done = 0;
      await Promise.all(
        Array.from({ length: 10 }, () =>
          withFileLock(path, async () => {
            most = Math.max(most, ++inside);
            await readdir(folder);
            inside--;
            return E.right(done++);
          }),
        ),
      );
      expect([most, done]).toEqual([1, 10]);
      expect(await readdir(folder)).toEqual([]);
    }));

  test('returns the result, and is released after an error or an exception', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'lock');
      expect(right(await withFileLock(path, async () => E.right('x')))).toBe('x');
      expect(codeOf(await withFileLock(path, async () => E.left(failure('not_found', 'x'))))).toBe(
        'not_found',
      );
      expect(codeOf(await withFileLock(path, () => Promise.reject(new Error('thrown'))))).toBe('unwritable');
      expect(await readdir(folder)).toEqual([]);
    }));

  test('of a process that has ended is removed, by many at once too', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'lock');
      const own = await ownLock(path);
      for (const stale of [
        { ...own, pid: await deadPid(), token: 'ended' },
        // The number is in use again, by a process that began at another time.
        { ...own, started: '1', token: 'again' },
      ]) {
        await writeFile(path, JSON.stringify(stale));
        // One that died while it removed the lock is in the way, too.
        await writeFile(`${path}.break`, JSON.stringify({ ...stale, token: 'breaker' }));
        let inside = 0;
        let most = 0;
        const all = Array.from({ length: 8 }, () =>
          withFileLock(path, async () => {
            most = Math.max(most, ++inside);
            await readdir(folder);
            inside--;
            return E.right(undefined);
          }),
        );
        for (const result of await Promise.all(all)) expect(E.isRight(result)).toBe(true);
        expect(most).toBe(1);
        expect(await readdir(folder)).toEqual([]);
      }
    }));

  test.each<[string, (own: Record<string, unknown>) => string, RegExp]>([
    [
      'of a process that lives',
      (own) => JSON.stringify({ ...own, token: 'x' }),
      /process \d+ on .* holds .*lock/,
    ],
    ['of another machine', (own) => JSON.stringify({ ...own, host: 'elsewhere' }), /on elsewhere holds/],
    ['of unknown format', () => 'what?', /another process holds the lock .*Try again, or remove the file/],
  ])('%s is kept, and the error names it after the wait', async (_, text, message) => {
    await inFolder(async (folder) => {
      const path = join(folder, 'lock');
      const content = text(await ownLock(path));
      await writeFile(path, content);
      const result = await withFileLock(path, async () => E.right(undefined), 100);
      expect(codeOf(result)).toBe('unavailable');
      expect(E.isLeft(result) && result.left.message).toMatch(message);
      expect(await readFile(path, 'utf8')).toBe(content);
    });
  });

  test('removes what a process left that ended while it removed a stale lock', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'lock');
      const dead = { ...(await ownLock(path)), pid: await deadPid(), started: '1' };
      await writeFile(`${path}.break`, JSON.stringify(dead));
      expect(right(await withFileLock(path, async () => E.right('done')))).toBe('done');
      expect(await readdir(folder)).toEqual([]);
    }));

  test('that cannot be made is an error', () =>
    inFolder(async (folder) => {
      expect(codeOf(await withFileLock(join(folder, 'no', 'lock'), async () => E.right(1)))).toBe(
        'unwritable',
      );
    }));
});
