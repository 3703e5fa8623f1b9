import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles, replacePrivateText } from '../../../src/adapters/files/files.js';
import { ioError } from '../../../src/adapters/files/ioError.js';
import { right } from '../../support/either.js';
import { execFileSync } from '../../support/programs.js';
import { codeOf, inFolder } from '../directories/support.js';

const LIMIT = 1000;

describe('reading', () => {
  test('returns the text without byte order mark', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'a'), '\uFEFFä\n');
      expect(right(await nodeFiles.readText(join(folder, 'a'), LIMIT))).toBe('ä\n');
    }));

  test('takes a file of just the limit and refuses one byte more', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'x'.repeat(LIMIT));
      await writeFile(join(folder, 'b'), 'x'.repeat(LIMIT + 1));
      expect(right(await nodeFiles.readText(join(folder, 'a'), LIMIT))).toHaveLength(LIMIT);
      expect(codeOf(await nodeFiles.readText(join(folder, 'b'), LIMIT))).toBe('too_large');
    }));

  test('refuses files of the kernel: a read of one may never end', async () => {
    const read = await nodeFiles.readText('/proc/self/status', 100_000);
    expect(read).toMatchObject({
      left: { code: 'unreadable', message: expect.stringContaining('it belongs to the kernel (proc)') },
    });
  });

  test('large files are read whole', () =>
    inFolder(async (folder) => {
      const text = 'ä'.repeat(2_000_000);
      await writeFile(join(folder, 'a'), text);
      expect(right(await nodeFiles.readText(join(folder, 'a'), 5_000_000))).toBe(text);
    }));

  test('says in one sentence why something cannot be read', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'latin1'), Buffer.from([0xe4]));
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      await symlink('circle', join(folder, 'circle'));
      const read = async (name: string) => {
        const result = await nodeFiles.readText(join(folder, name), LIMIT);
        return E.isLeft(result) ? `${result.left.code}: ${result.left.message.replace(folder, '')}` : 'ok';
      };
      expect(await read('nothing')).toBe('not_found: cannot read /nothing: it does not exist');
      expect(await read('latin1/x')).toBe(
        'not_found: cannot read /latin1/x: a part of the path is not a directory',
      );
      expect(await read('latin1')).toBe(
        'invalid: cannot read /latin1: it is not UTF-8 at byte 0; save it as UTF-8',
      );
      expect(await read('.')).toMatch(/^unreadable: .*: it is a directory$/);
      expect(await read('pipe')).toBe(
        'unreadable: cannot read /pipe: it is a named pipe, not a regular file',
      );
      expect(await read('circle')).toMatch(/^unreadable: .* links form a cycle$/);
      expect(await read('a\0b')).toMatch(/^unreadable: /);
    }));
});

describe('replacing', () => {
  test('writes a new file and nothing beside it', () =>
    inFolder(async (folder) => {
      right(await nodeFiles.replaceText(join(folder, 'a'), 'ä'));
      expect(await readFile(join(folder, 'a'), 'utf8')).toBe('ä');
      expect(await readdir(folder)).toEqual(['a']);
    }));

  test('keeps the owner, where it may', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a');
      await writeFile(path, 'old');
      const me = process.getuid?.() ?? 0;
      // Only root can give files away.
      const owner = me === 0 ? 12_345 : me;
      await chown(path, owner, (await stat(path)).gid);
      right(await nodeFiles.replaceText(path, 'new'));
      right(await replacePrivateText(path, 'newer'));
      expect([(await stat(path)).uid, await readFile(path, 'utf8')]).toEqual([owner, 'newer']);
    }));

  test.each([null, 0o600, 0o644, 0o666])('can be made private, regardless of the old mode (%o)', (mode) =>
    inFolder(async (folder) => {
      const path = join(folder, 'a');
      if (mode !== null) {
        await writeFile(path, 'old');
        await chmod(path, mode);
      }
      right(await replacePrivateText(path, 'new'));
      expect([(await stat(path)).mode & 0o777, await readFile(path, 'utf8')]).toEqual([0o600, 'new']);
    }),
  );

  test.each([0o600, 0o640, 0o664, 0o444])('keeps the mode %o', (mode) =>
    inFolder(async (folder) => {
      const path = join(folder, 'a');
      await writeFile(path, 'old');
      await chmod(path, mode);
      right(await nodeFiles.replaceText(path, 'new'));
      expect((await stat(path)).mode & 0o777).toBe(mode);
      expect(await readFile(path, 'utf8')).toBe('new');
    }),
  );

  test('makes a new inode, so that a reader of the old file keeps the old text', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a');
      await writeFile(path, 'old');
      const before = (await stat(path)).ino;
      right(await nodeFiles.replaceText(path, 'new'));
      expect((await stat(path)).ino).not.toBe(before);
    }));

  test('replaces what a chain of links leads to and keeps the links', () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'real'));
      await writeFile(join(folder, 'real', 'a'), 'old');
      await symlink('real/a', join(folder, 'link'));
      await symlink(join(folder, 'link'), join(folder, 'link2'));
      right(await nodeFiles.replaceText(join(folder, 'link2'), 'new'));
      expect(await readFile(join(folder, 'real', 'a'), 'utf8')).toBe('new');
      expect(await readlink(join(folder, 'link'))).toBe('real/a');
      expect(await readdir(folder)).toEqual(['link', 'link2', 'real']);
    }));

  test('a link that leads nowhere gets its target', () =>
    inFolder(async (folder) => {
      await symlink('a', join(folder, 'link'));
      right(await nodeFiles.replaceText(join(folder, 'link'), 'new'));
      expect(await readFile(join(folder, 'a'), 'utf8')).toBe('new');
      expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
    }));

  test('what fails is an error and leaves the old text and no temporary file', () =>
    inFolder(async (folder) => {
      await symlink('circle', join(folder, 'circle'));
      await mkdir(join(folder, 'sub', 'inner'), { recursive: true });
      expect(codeOf(await nodeFiles.replaceText(join(folder, 'circle'), 'x'))).toBe('unwritable');
      expect(codeOf(await nodeFiles.replaceText(join(folder, 'none', 'a'), 'x'))).toBe('unwritable');
      expect(codeOf(await nodeFiles.replaceText(join(folder, 'sub'), 'x'))).toBe('unwritable');
      expect(codeOf(await nodeFiles.replaceText(join(folder, 'a\0'), 'x'))).toBe('unwritable');
      expect(await readdir(folder)).toEqual(['circle', 'sub']);
    }));

  test('many at once leave one whole text', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a');
      const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(50_000));
      const results = await Promise.all(texts.map((text) => nodeFiles.replaceText(path, text)));
      expect(results.map(codeOf)).toEqual(texts.map(() => 'ok'));
      expect(texts).toContain(await readFile(path, 'utf8'));
      expect(await readdir(folder)).toEqual(['a']);
    }));

  test('removes what a killed write left long ago, and nothing else', () =>
    inFolder(async (folder) => {
      const old = join(folder, '.spate-0123456789abcdef.tmp');
      const live = join(folder, '.spate-fedcba9876543210.tmp');
      const other = join(folder, '.spate-notes.tmp');
      for (const path of [old, live, other]) await writeFile(path, 'x');
      for (const path of [old, other]) await utimes(path, 1, 1);
      right(await nodeFiles.replaceText(join(folder, 'a'), 'x'));
      expect(await readdir(folder)).toEqual(['.spate-fedcba9876543210.tmp', '.spate-notes.tmp', 'a']);
    }));
});

describe('an error message', () => {
  test.each([
    [{ code: 'EACCES', message: 'EACCES: permission denied, open' }, 'permission denied'],
    [{ code: 'ENOSPC', message: '' }, 'the disk is full'],
    [{ code: 'EIO', message: "EIO: i/o error, read '/x'" }, 'i/o error'],
    [new Error('odd'), 'odd'],
    ['text', 'text'],
  ])('%j', (thrown, words) => {
    expect(ioError('unreadable', 'read', '/x', thrown)).toEqual({
      code: 'unreadable',
      message: `cannot read /x: ${words}`,
      file: '/x',
    });
  });
});

describe('appending', () => {
  test('creates the file and adds to its end', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a');
      right(await nodeFiles.appendText(path, 'one\n'));
      right(await nodeFiles.appendText(path, 'zwä\n'));
      expect(await readFile(path, 'utf8')).toBe('one\nzwä\n');
    }));

  test('to a folder that does not exist is an error', () =>
    inFolder(async (folder) => {
      expect(codeOf(await nodeFiles.appendText(join(folder, 'none', 'a'), 'x'))).toBe('unwritable');
    }));
});

describe('making directories', () => {
  test('makes parents, and is fine with what exists', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a', 'b');
      expect(codeOf(await nodeFiles.makeDirectory(path))).toBe('ok');
      expect(codeOf(await nodeFiles.makeDirectory(path))).toBe('ok');
      expect((await stat(path)).isDirectory()).toBe(true);
    }));

  test('over a file is an error', () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'a'), '');
      expect(codeOf(await nodeFiles.makeDirectory(join(folder, 'a')))).toBe('unwritable');
      expect(codeOf(await nodeFiles.makeDirectory(join(folder, 'a', 'b')))).toBe('unwritable');
    }));
});
