import { mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { generatorDirectories } from '../../../src/adapters/directories/generatorDirectories.js';
import { libraryFolders, movedPath } from '../../../src/adapters/directories/libraryFolders.js';
import { right } from '../../support/either.js';
import { TINY, writeFiles } from '../../support/library.js';
import { codeOf, inFolder } from './support.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const inLibrary = (run: (root: string) => Promise<void>): Promise<void> =>
  inFolder(async (root) => {
    await writeFiles(root, TINY);
    await run(root);
  });

describe('folders of the library', () => {
  test('hold both files; links to folders and files do not count', () =>
    inLibrary(async (root) => {
      await symlink(join(root, 'web-tiny'), join(root, 'web-link'));
      await mkdir(join(root, 'web-linked'));
      await symlink(join(root, 'web-tiny/library.yml'), join(root, 'web-linked/library.yml'));
      await symlink(join(root, 'web-tiny/generator.yml'), join(root, 'web-linked/generator.yml'));
      await mkdir(join(root, 'web-alone'));
      await writeFile(join(root, 'web-alone/library.yml'), '');
      expect(right(await libraryFolders(root).names())).toEqual(['dns-queries', 'my-copy', 'web-tiny']);
      expect(right(await libraryFolders(join(root, 'nowhere')).names())).toEqual([]);
    }));

  test('give all files but hidden ones, links, and what runs made', () =>
    inLibrary(async (root) => {
      await symlink('/etc/hostname', join(root, 'web-tiny/samples/host.txt'));
      await mkdir(join(root, 'web-tiny/samples/out'));
      await writeFile(join(root, 'web-tiny/samples/out/kept.bin'), new Uint8Array([0, 255]));
      const files = right(await libraryFolders(root).files('web-tiny'));
      expect(files.map(({ path }) => path)).toEqual([
        'README.md',
        'generator.yml',
        'library.yml',
        'page.jinja',
        'samples/out/kept.bin',
        'samples/pages.json',
        'scan.jinja',
        'tests/normal.yml',
      ]);
      expect([...(files[4]?.bytes ?? [])]).toEqual([0, 255]);
    }));

  test('above the limits are refused before they are read', () =>
    inLibrary(async (root) => {
      await writeFile(join(root, 'web-tiny/huge'), '');
      await truncate(join(root, 'web-tiny/huge'), 40_000_000);
      expect(codeOf(await libraryFolders(root).files('web-tiny'))).toBe('too_large');
    }));
});

test('a relative path stays while it leads somewhere, else it leads to the old place', () =>
  inLibrary(async (root) => {
    const was = join(root, 'web-tiny');
    const schema = '../generator.schema.json';
    expect(movedPath(was, join(root, 'my-web'), schema)).toBe(schema);
    expect(movedPath(was, join(root, 'elsewhere/my-web'), schema)).toBe('../../generator.schema.json');
    expect(movedPath(was, join(root, 'my-web'), '../dns-queries/library.yml#x')).toBe(
      '../dns-queries/library.yml#x',
    );
    expect(movedPath(was, join(root, 'my-web'), '../nothing.md')).toBeNull();
  }));

describe('a new generator directory', () => {
  const files = [
    { path: 'generator.yml', bytes: bytes('a: 1\n') },
    { path: 'deep/er/b.bin', bytes: new Uint8Array([0, 1, 255]) },
  ];

  test('has all its files, and is listed', () =>
    inFolder(async (root) => {
      const directories = generatorDirectories(join(root, 'new'), 'generator.yml');
      expect(right(await directories.create('web', files))).toBeNull();
      expect(right(await directories.list())).toEqual(['web']);
      expect([...(await readFile(join(root, 'new/web/deep/er/b.bin')))]).toEqual([0, 1, 255]);
      expect(await readdir(join(root, 'new'))).toEqual(['web']);
    }));

  test.each([
    ['a directory', (path: string) => mkdir(path)],
    ['a file', (path: string) => writeFile(path, 'mine')],
    ['a link that leads nowhere', (path: string) => symlink('/nowhere', path)],
  ])('never takes the place of %s', (_, make) =>
    inFolder(async (root) => {
      await make(join(root, 'web'));
      const made = await generatorDirectories(root, 'generator.yml').create('web', files);
      expect(codeOf(made)).toBe('already_exists');
      expect(await readdir(root)).toEqual(['web']);
    }),
  );

  test('of two at once, one is made', () =>
    inFolder(async (root) => {
      const { create } = generatorDirectories(root, 'generator.yml');
      const made = await Promise.all([create('web', files), create('web', files)]);
      expect(made.map(codeOf).sort()).toEqual(['already_exists', 'ok']);
      expect((await readdir(join(root, 'web'))).sort()).toEqual(['deep', 'generator.yml']);
    }));

  test('that cannot be whole is not there', () =>
    inFolder(async (root) => {
      const twice = [...files, { path: 'generator.yml', bytes: bytes('again') }];
      const made = await generatorDirectories(root, 'generator.yml').create('web', twice);
      expect(E.isLeft(made)).toBe(true);
      expect(await readdir(root)).toEqual([]);
    }));

  test.each(['../web', 'a/b', '.web', ''])('is not named %j', (name) =>
    inFolder(async (root) => {
      const made = await generatorDirectories(join(root, 'in'), 'generator.yml').create(name, files);
      expect(codeOf(made)).toBe('invalid');
      expect(await readdir(root)).toEqual([]);
    }),
  );
});
