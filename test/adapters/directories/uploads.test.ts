import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { fileUploads } from '../../../src/adapters/directories/uploads.js';
import { right } from '../../support/either.js';
import { codeOf, inFolder } from './support.js';
import { chunksOf } from './world.js';

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('on');
  throw new Error('gone');
}

/** Chunks that wait for each other's leave, and whether their reader went away. */
const controlled = () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('first');
    await released;
    yield Buffer.from('second');
  };
  return { chunks: source(), release };
};

describe('content that comes in', () => {
  test('is stored whole, chunk after chunk, in a hidden file', () =>
    inFolder(async (root) => {
      const uploads = fileUploads(root);
      const upload = right(await uploads.receive(chunksOf('a', '', 'bc'), 3));
      expect(upload.size_bytes).toBe(3);
      expect(await readFile(upload.file, 'utf8')).toBe('abc');
      expect(await readdir(root)).toEqual([expect.stringMatching(/^\.spate-[0-9a-f]{16}\.tmp$/)]);
      await uploads.discard(upload);
      await uploads.discard(upload);
      expect(await readdir(root)).toEqual([]);
    }));

  test.each([
    ['more than the limit', chunksOf('abc', 'd'), 'too_large'],
    ['more than the limit at once', chunksOf('abcd'), 'too_large'],
    ['a client that goes away', failing(), 'unavailable'],
  ])('of %s leaves nothing behind', (_name, chunks, code) =>
    inFolder(async (root) => {
      expect(codeOf(await fileUploads(root).receive(chunks, 3))).toBe(code);
      expect(await readdir(root)).toEqual([]);
    }),
  );

  test('makes the generators directory, unless a file is in its place', () =>
    inFolder(async (root) => {
      expect(codeOf(await fileUploads(join(root, 'none')).receive(chunksOf('a'), 3))).toBe('ok');
      expect(await readdir(join(root, 'none'))).toHaveLength(1);
      await writeFile(join(root, 'file'), '');
      const answer = await fileUploads(join(root, 'file')).receive(chunksOf('a'), 3);
      expect(codeOf(answer)).toBe('unwritable');
      expect(E.isLeft(answer) && answer.left.message).not.toContain('.tmp');
    }));

  test('comes in from at most 256 clients at a time', () =>
    inFolder(async (root) => {
      const uploads = fileUploads(root);
      const all = Array.from({ length: 256 }, controlled);
      const stored = all.map(({ chunks }) => uploads.receive(chunks, 100));
      expect(codeOf(await uploads.receive(chunksOf('late'), 100))).toBe('too_many_requests');
      for (const { release } of all) release();
      expect((await Promise.all(stored)).map(codeOf)).toEqual(Array.from({ length: 256 }, () => 'ok'));
      expect(codeOf(await uploads.receive(chunksOf('next'), 100))).toBe('ok');
    }));

  test('clears away what a kill left an hour ago, links as links, and nothing else', () =>
    inFolder(async (root) => {
      const [old, fresh, folder] = ['0', '1', '2'].map((digit) => `.spate-${digit.repeat(16)}.tmp`);
      await writeFile(join(root, String(old)), 'x');
      await writeFile(join(root, String(fresh)), 'x');
      await writeFile(join(root, '.spate-old.tmp'), 'x');
      await mkdir(join(root, String(folder), 'sub'), { recursive: true });
      await mkdir(join(root, 'kept'));
      await writeFile(join(root, 'kept', 'x'), 'x');
      await symlink('../../kept', join(root, String(folder), 'sub', 'link'));
      for (const name of [old, folder, '.spate-old.tmp', 'kept'])
        await utimes(join(root, String(name)), 1, 1);
      const uploads = fileUploads(root);
      await uploads.discard(right(await uploads.receive(chunksOf('a'), 3)));
      expect((await readdir(root)).sort()).toEqual([fresh, '.spate-old.tmp', 'kept'].sort());
      expect(await readdir(join(root, 'kept'))).toEqual(['x']);
    }));
});
