import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as tar from 'tar-stream';
import { workingCopies } from '../../../src/adapters/directories/workingCopies.js';
import { left, right } from '../../support/either.js';

const roots: string[] = [];

const node = (files: Readonly<Record<string, string>> = {}) => {
  const root = mkdtempSync(join(tmpdir(), 'spate-copies-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    root,
    copies: workingCopies(root),
    text: (path: string) => readFileSync(join(root, path), 'utf8'),
  };
};

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

const packedOf = async ({ copies }: ReturnType<typeof node>, name = 'web') => {
  const packed = right(await copies.pack(name));
  if (packed === null) throw new Error('there is no such directory');
  return packed;
};

describe('working copies of generator directories', () => {
  test('another node gets the same files with the same digest', async () => {
    const a = node({ 'web/generator.yml': 'input: []', 'web/samples/users.csv': 'ann\n' });
    const b = node();
    const { content, digest } = await packedOf(a);
    expect([...right(await b.copies.apply('web', content))].sort()).toEqual([
      'generator.yml',
      'samples/users.csv',
    ]);
    expect(b.text('web/samples/users.csv')).toBe('ann\n');
    expect((await packedOf(b)).digest).toBe(digest);
    expect(right(await b.copies.apply('web', content))).toEqual([]);
  });

  test('a new version changes, adds and removes files, and tells which', async () => {
    const a = node({ 'web/generator.yml': 'two', 'web/new/deep.txt': 'x' });
    const b = node({ 'web/generator.yml': 'one', 'web/old/deep.txt': 'y', 'web/new': 'a file before' });
    const { content, digest } = await packedOf(a);
    const changed = right(await b.copies.apply('web', content));
    expect([...changed].sort()).toEqual(['generator.yml', 'new', 'new/deep.txt', 'old/deep.txt']);
    expect(() => b.text('web/old/deep.txt')).toThrow('ENOENT');
    expect((await packedOf(b)).digest).toBe(digest);
  });

  test('what outputs wrote into out/ is not shared and stays', async () => {
    const a = node({ 'web/generator.yml': 'one', 'web/out/access.log': 'of a' });
    const b = node({ 'web/out/access.log': 'of b' });
    right(await b.copies.apply('web', (await packedOf(a)).content));
    expect(b.text('web/out/access.log')).toBe('of b');
    right(await b.copies.remove('web'));
    expect(b.text('web/out/access.log')).toBe('of b');
    expect(() => b.text('web/generator.yml')).toThrow('ENOENT');
  });

  test('a removed directory is gone, and none is no failure', async () => {
    const a = node({ 'web/samples/deep/users.csv': 'ann' });
    right(await a.copies.remove('web'));
    expect(right(await a.copies.pack('web'))).toBeNull();
    expect(right(await a.copies.remove('web'))).toBeNull();
  });

  test.each([['../outside'], ['/etc/outside'], ['a/../../outside'], ['out/access.log']])(
    'refuses an archive with the file %j, and changes nothing',
    async (name) => {
      const archive = tar.pack();
      archive.entry({ name: 'generator.yml' }, 'bad');
      archive.entry({ name }, 'bad');
      archive.finalize();
      const parts: Buffer[] = [];
      for await (const part of archive) parts.push(part as Buffer);
      const b = node({ 'web/generator.yml': 'good' });
      expect(left(await b.copies.apply('web', gzipSync(Buffer.concat(parts)))).code).toBe('unreadable');
      expect(b.text('web/generator.yml')).toBe('good');
    },
  );

  test('refuses bytes that are no archive', async () => {
    expect(left(await node().copies.apply('web', Buffer.from('nothing'))).code).toBe('unreadable');
  });
});
