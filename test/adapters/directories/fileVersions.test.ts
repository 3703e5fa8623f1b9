import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as LIMITS from '../../../src/adapters/directories/fileVersions.js';
import type { FileVersions } from '../../../src/ports/files.js';
import { right } from '../../support/either.js';
import { type LoggedLine, memoryLog } from '../../support/logs.js';
import { codeOf, inFolder } from './support.js';

const { fileVersions } = LIMITS;

/** A slow disk of a test machine must not let the store go on alone. */
const PATIENCE_MS = 60_000;

const ADA = { user: 'ada', what: 'replaced' } as const;
const BOB = { user: 'bob', what: 'deleted' } as const;

interface World {
  readonly folder: string;
  readonly versions: FileVersions;
  /** A store as after a restart. */
  readonly again: () => FileVersions;
  readonly warnings: readonly LoggedLine[];
  readonly put: (path: string, text: string | Buffer) => Promise<void>;
  /** Replaces a text as the service does. */
  readonly change: (path: string, text: string) => Promise<void>;
  readonly texts: (path: string | null) => Promise<readonly string[]>;
}

const inWorld = (run: (world: World) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const { log, lines } = memoryLog();
    const open = () =>
      fileVersions({
        state: join(folder, 'state'),
        generators_dir: join(folder, 'generators'),
        log,
        max_wait_ms: PATIENCE_MS,
      });
    const versions = open();
    await mkdir(join(folder, 'generators', 'web', 'deep'), { recursive: true });
    const put = (path: string, text: string | Buffer) =>
      writeFile(join(folder, 'generators', 'web', path), text);
    await run({
      folder,
      versions,
      again: open,
      warnings: lines,
      put,
      change: async (path, text) => {
        await versions.keep('web', path, ADA);
        await put(path, text);
      },
      texts: async (path) => {
        const listed = right(await versions.list('web', path));
        return Promise.all(
          listed.map(async ({ version }) => right(await versions.read('web', version)).text),
        );
      },
    });
  });

/** Files of the store, without those that name paths. */
const stored = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(join(folder, 'state', 'file-versions'), { recursive: true });
  return names.filter((name) => name.includes('/') && !name.endsWith('.path'));
};

describe('former texts', () => {
  test('are listed newest first with who and when, and read as they were', () =>
    inWorld(async ({ versions, put, change, texts, again }) => {
      await put('a', 'one\n');
      await change('a', 'zwei ü\n');
      await change('a', 'three');
      await versions.keep('web', 'a', BOB);
      expect(await texts('a')).toEqual(['three', 'zwei ü\n', 'one\n']);
      const listed = right(await again().list('web', null));
      expect(listed.map(({ path, user, what, size_bytes }) => [path, user, what, size_bytes])).toEqual([
        ['a', 'bob', 'deleted', 5],
        ['a', 'ada', 'replaced', 8],
        ['a', 'ada', 'replaced', 4],
      ]);
      expect(Date.now() - Date.parse(listed[0]?.at ?? '')).toBeLessThan(60_000);
      expect(right(await versions.list('web', 'b'))).toEqual([]);
      expect(right(await versions.list('other', null))).toEqual([]);
    }));

  test('are for the owner alone, outside of the generator directory', () =>
    inWorld(async ({ folder, change, put }) => {
      await put('a', 'one');
      await change('a', 'two');
      const [name = ''] = await stored(folder);
      const at = join(folder, 'state', 'file-versions', name);
      expect((await lstat(at)).mode & 0o777).toBe(0o600);
      expect((await lstat(join(at, '..'))).mode & 0o777).toBe(0o700);
      expect(await readdir(join(folder, 'generators', 'web'))).toEqual(['a', 'deep']);
    }));

  test('of a change that failed are taken back', () =>
    inWorld(async ({ versions, put, texts, folder }) => {
      await put('a', 'one');
      const undo = await versions.keep('web', 'a', ADA);
      await undo();
      expect(await texts(null)).toEqual([]);
      expect(await stored(folder)).toEqual([]);
    }));

  test('of a folder that is deleted stay, of each file below', () =>
    inWorld(async ({ versions, put }) => {
      await put('deep/a', 'a');
      await put('deep/b', 'b');
      await put('deep/binary', Buffer.from([0, 255]));
      await versions.keep('web', 'deep', BOB);
      const listed = right(await versions.list('web', null));
      expect(listed.map(({ path }) => path).sort()).toEqual(['deep/a', 'deep/b']);
    }));

  test('of a large folder that is deleted are bounded', () =>
    inWorld(async ({ versions, put }) => {
      for (let n = 0; n < LIMITS.MAX_DELETED_FILES + 5; n += 1) await put(`deep/${n}`, `${n}`);
      await versions.keep('web', 'deep', BOB);
      expect(right(await versions.list('web', null))).toHaveLength(LIMITS.MAX_DELETED_FILES);
    }));

  test('follow a file and a folder to another name', () =>
    inWorld(async ({ versions, put, change, texts, folder }) => {
      await put('deep/a', 'one');
      await change('deep/a', 'two');
      await (await versions.follow('web', 'deep/a', 'deep/b'))();
      expect(await texts('deep/b')).toEqual(['one']);
      expect(await texts('deep/a')).toEqual([]);
      await (await versions.follow('web', 'deep', 'shallow'))();
      expect(await texts('shallow/b')).toEqual(['one']);
      // As `mv` does: what is moved to a folder goes into it.
      await mkdir(join(folder, 'generators', 'web', 'there'));
      await (await versions.follow('web', 'shallow', 'there'))();
      expect(await texts('there/shallow/b')).toEqual(['one']);
      expect(await texts(null)).toEqual(['one']);
    }));

  test('leave with their directory', () =>
    inWorld(async ({ versions, put, change, folder }) => {
      await put('a', 'one');
      await change('a', 'two');
      await versions.forget('web');
      await versions.forget('web');
      expect(right(await versions.list('web', null))).toEqual([]);
      expect(await readdir(join(folder, 'state', 'file-versions'))).toEqual([]);
    }));
});

describe('limits', () => {
  test('of a file: the oldest versions leave first', () =>
    inWorld(async ({ put, change, texts }) => {
      await put('a', '0');
      await put('other', 'other');
      await change('other', 'changed');
      for (let n = 1; n <= LIMITS.MAX_VERSIONS + 3; n += 1) await change('a', `${n}`);
      const left = await texts('a');
      expect([left.length, left[0], left.at(-1)]).toEqual([LIMITS.MAX_VERSIONS, '52', '3']);
      expect(await texts('other')).toEqual(['other']);
    }));

  test('in bytes of a file and of a directory', () =>
    inWorld(async ({ put, change, texts }) => {
      const large = (n: number): string => `${n}`.padEnd(LIMITS.MAX_VERSION_BYTES, 'x');
      await put('a', large(0));
      for (let n = 1; n <= 6; n += 1) await change('a', large(n));
      expect((await texts('a')).map((text) => text[0])).toEqual(['5', '4', '3', '2']);
      for (const path of ['b', 'c', 'd', 'e']) {
        await put(path, large(0));
        for (let n = 1; n <= 4; n += 1) await change(path, large(n));
      }
      expect(await texts('a')).toEqual([]);
      expect(await texts('b')).toHaveLength(4);
      expect(await texts(null)).toHaveLength(LIMITS.MAX_DIRECTORY_BYTES / LIMITS.MAX_VERSION_BYTES);
    }));

  test('texts that are too large, and what is no text, have no versions', () =>
    inWorld(async ({ put, change, texts, warnings }) => {
      await put('large', 'x'.repeat(LIMITS.MAX_VERSION_BYTES + 1));
      await change('large', 'x');
      await put('binary', Buffer.from([0xff, 0]));
      await change('binary', 'x');
      expect(await texts(null)).toEqual([]);
      expect(warnings).toEqual([]);
    }));
});

describe('a state folder that is broken', () => {
  test('refuses no change: a warning with a code says that no version is kept', () =>
    inWorld(async ({ folder, versions, put, change, warnings }) => {
      await writeFile(join(folder, 'state'), 'no folder');
      await put('a', 'one');
      await change('a', 'two');
      expect(warnings.map(({ level }) => level)).toEqual(['warning']);
      expect(warnings[0]?.context).toEqual({
        code: 'unwritable',
        reason: expect.stringContaining('ENOTDIR'),
      });
      expect(right(await versions.list('web', 'a'))).toEqual([]);
      expect(await readFile(join(folder, 'generators', 'web', 'a'), 'utf8')).toBe('two');
    }));

  test('a crash between the version and the change leaves a version once, and no half file', () =>
    inWorld(async ({ folder, versions, again, put, texts }) => {
      await put('a', 'one');
      await versions.keep('web', 'a', ADA);
      const [name = ''] = await stored(folder);
      const home = join(folder, 'state', 'file-versions', name, '..');
      await writeFile(join(home, '.spate-0123456789abcdef.tmp'), 'half');
      await writeFile(join(home, `000000000000001-${'0'.repeat(32)}-9`), 'damaged');
      expect(await texts('a')).toEqual(['one']);
      expect(right(await again().list('web', null)).map(({ path }) => path)).toEqual(['a']);
      await again().keep('web', 'a', BOB);
      expect(right(await versions.list('web', 'a')).map(({ what }) => what)).toEqual(['deleted']);
      expect((await readdir(home)).filter((one) => one.endsWith('.tmp'))).toEqual([]);
    }));
});

describe('links and names', () => {
  test('a link is not followed: neither a file, nor a folder above it, nor the generator directory', () =>
    inWorld(async ({ folder, versions, put, warnings }) => {
      await writeFile(join(folder, 'secret'), 'secret');
      await mkdir(join(folder, 'outside'));
      await writeFile(join(folder, 'outside', 'a'), 'secret');
      await symlink(join(folder, 'secret'), join(folder, 'generators', 'web', 'link'));
      await symlink(join(folder, 'outside'), join(folder, 'generators', 'web', 'folder'));
      await symlink(join(folder, 'outside'), join(folder, 'generators', 'else'));
      await put('deep/a', 'a');
      await symlink(join(folder, 'secret'), join(folder, 'generators', 'web', 'deep', 'link'));
      for (const path of ['link', 'folder', 'folder/a', 'deep']) await versions.keep('web', path, BOB);
      await versions.keep('else', 'a', BOB);
      expect(right(await versions.list('web', null)).map(({ path }) => path)).toEqual(['deep/a']);
      expect(right(await versions.list('else', null))).toEqual([]);
      expect(warnings).toEqual([]);
    }));

  test('a version that someone made a link is not read through it', () =>
    inWorld(async ({ folder, versions, put, change }) => {
      await put('a', 'one');
      await change('a', 'two');
      const [name = ''] = await stored(folder);
      const at = join(folder, 'state', 'file-versions', name);
      await writeFile(join(folder, 'secret'), `${JSON.stringify(ADA)}\nsee`);
      await rm(at);
      await symlink(join(folder, 'secret'), at);
      expect(right(await versions.list('web', 'a'))).toEqual([]);
      const version = String(Number(name.split('/')[1]?.split('-')[0]));
      expect(codeOf(await versions.read('web', version))).toBe('unreadable');
    }));

  test.each(['../web', '..', 'web/deep', '.', ''])('%j is no generator directory', (name) =>
    inWorld(async ({ folder, versions, put }) => {
      await put('deep/a', 'a');
      await writeFile(join(folder, 'a'), 'a');
      for (const path of ['a', 'deep/a', 'web/deep/a']) await versions.keep(name, path, BOB);
      expect(right(await versions.list(name, null))).toEqual([]);
    }),
  );

  test.each(['x'.repeat(255), 'a b', '%2e%2e', '-rf', 'ä\'"*', '...', 'a.path'])(
    '%j is the name of a file with versions',
    (name) =>
      inWorld(async ({ put, change, texts }) => {
        await put(name, 'one');
        await change(name, 'two');
        expect(await texts(name)).toEqual(['one']);
        expect(await texts(null)).toEqual(['one']);
      }),
  );

  test.each(['../a', '/etc/hostname', 'deep/../a', 'a\0'])('%j is the path of no version', (path) =>
    inWorld(async ({ versions, put }) => {
      await put('a', 'one');
      await versions.keep('web', path, BOB);
      expect(right(await versions.list('web', null))).toEqual([]);
    }),
  );
});
