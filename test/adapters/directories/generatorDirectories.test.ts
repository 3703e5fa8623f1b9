import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { generatorDirectories } from '../../../src/adapters/directories/generatorDirectories.js';
import { openInside } from '../../../src/adapters/files/folder.js';
import { errnoOf } from '../../../src/adapters/files/ioError.js';
import { right } from '../../support/either.js';
import { execFileSync } from '../../support/programs.js';
import { codeOf } from './support.js';
import { bytesOf, CONFIG, inWorld, openFilesBelow, type World } from './world.js';

const PIPE = 'pipe';

/** Entries of a ZIP archive by its central directory (APPNOTE 4.3.12): name to content. */
const unzip = (zip: Buffer): Readonly<Record<string, string>> => {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries: [string, string][] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(start, start + size);
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString('utf8');
    entries.push([name, (method === 8 ? inflateRawSync(data) : data).toString('utf8')]);
    at += 46 + nameLength + extra + comment;
  }
  return Object.fromEntries(entries);
};

const exported = async ({ directories }: World, name: string, exclude: readonly string[] = []) =>
  unzip(await bytesOf(right(await directories.archive(name, exclude))));

/** What every operation answers for a name. */
const verdicts = async ({ directories }: World, name: string): Promise<readonly string[]> =>
  [
    await directories.readConfig(name),
    await directories.info(name),
    await directories.tree(name),
    await directories.archive(name, []),
    await directories.writeConfig(name, 'new', 'update'),
    await directories.writeConfig(name, 'new', 'create'),
  ].map(codeOf);

describe('names', () => {
  test.each([
    '',
    '.',
    '..',
    '...',
    '.git',
    '/',
    'a/b',
    '../outside',
    '..\\outside',
    'a\0',
    '/etc',
    'web/..',
    'web/',
    'x'.repeat(256),
    'ä'.repeat(128),
    'a\nb',
    '\ud800',
  ])('%j is refused by everything', (name) =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, 'x');
      expect(await verdicts(world, name)).toEqual(Array(6).fill('invalid'));
      expect(await readFile(join(world.outside, CONFIG), 'utf8')).toBe('TOP SECRET');
    }),
  );

  test.each([
    'a\u2215..\u2215b',
    '\uff0e\uff0e',
    '%2e%2e',
    '%2e%2e%2foutside',
    '~',
    '$HOME',
    '*',
    'CON',
    ' ',
    'a b',
    'x'.repeat(255),
    '-rf',
  ])('%j is a plain name', (name) =>
    inWorld(async (world) => {
      expect(codeOf(await world.directories.readConfig(name))).toBe('not_found');
      right(await world.directories.writeConfig(name, 'text', 'create'));
      expect(await readFile(join(world.root, name, CONFIG), 'utf8')).toBe('text');
      expect(right(await world.directories.list())).toEqual([name]);
    }),
  );

  test('a directory that does not exist is not found', () =>
    inWorld(async (world) => {
      expect((await verdicts(world, 'none')).slice(0, 5)).toEqual(Array(5).fill('not_found'));
    }));

  test('a file in place of a directory is not found, and cannot be created', () =>
    inWorld(async (world) => {
      await world.put('file', 'x');
      expect(await verdicts(world, 'file')).toEqual([...Array(5).fill('not_found'), 'already_exists']);
    }));
});

describe('links', () => {
  test.each([
    ['a folder outside', '../outside'],
    ['the generators directory itself', '.'],
    ['its parent', '..'],
    ['the root', '/'],
    ['a folder inside another generator', 'web/sub'],
  ])('a directory that is a link to %s is forbidden', (_, target) =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, 'x');
      await world.put(`web/sub/${CONFIG}`, 'x');
      await world.put(CONFIG, 'x');
      await world.link(target, 'link');
      expect(await verdicts(world, 'link')).toEqual(Array(6).fill('forbidden'));
      expect(right(await world.directories.list())).toEqual(['web']);
      expect(await readFile(join(world.outside, CONFIG), 'utf8')).toBe('TOP SECRET');
    }),
  );

  test('a link to another generator is that generator', () =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, 'text');
      await world.link('web', 'alias');
      expect(right(await world.directories.readConfig('alias'))).toBe('text');
    }));

  test('the generators directory itself may be a link', () =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, 'text');
      await symlink(world.root, join(world.outside, 'link'));
      const directories = generatorDirectories(join(world.outside, 'link'), CONFIG);
      expect(right(await directories.list())).toEqual(['web']);
      expect(right(await directories.readConfig('web'))).toBe('text');
    }));

  test.each(['nowhere', 'circle'])('a link to %s is not found and cannot be created', (target) =>
    inWorld(async (world) => {
      await world.link(target, 'circle');
      expect(await verdicts(world, 'circle')).toEqual([...Array(5).fill('not_found'), 'already_exists']);
      expect(existsSync(join(world.root, 'nowhere'))).toBe(false);
    }),
  );

  test('a config that is a link out of its directory is forbidden, and not written through', () =>
    inWorld(async (world) => {
      await world.put(`other/${CONFIG}`, 'theirs');
      for (const target of ['../../outside/secret', `../other/${CONFIG}`]) {
        await mkdir(join(world.root, 'web'));
        await world.link(target, `web/${CONFIG}`);
        expect(await verdicts(world, 'web')).toEqual([...Array(5).fill('forbidden'), 'already_exists']);
        await rm(join(world.root, 'web'), { recursive: true });
      }
      expect(await readFile(join(world.outside, 'secret'), 'utf8')).toBe('TOP SECRET');
      expect(await readFile(join(world.root, 'other', CONFIG), 'utf8')).toBe('theirs');
    }));

  test('a config that is a link inside its directory is followed, for writing too', () =>
    inWorld(async (world) => {
      await world.put('web/real.yml', 'old');
      await world.link('real.yml', `web/${CONFIG}`);
      right(await world.directories.writeConfig('web', 'new', 'update'));
      expect(await readFile(join(world.root, 'web', 'real.yml'), 'utf8')).toBe('new');
      expect(right(await world.directories.readConfig('web'))).toBe('new');
    }));

  test('nothing is created through a config link that leads nowhere', () =>
    inWorld(async (world) => {
      await mkdir(join(world.root, 'web'));
      await world.link('../../outside/new', `web/${CONFIG}`);
      expect(codeOf(await world.directories.writeConfig('web', 'x', 'create'))).toBe('already_exists');
      expect(existsSync(join(world.outside, 'new'))).toBe(false);
    }));
});

describe('list', () => {
  test('has the directories with a config of the configured name, sorted', () =>
    inWorld(async (world) => {
      for (const name of ['b', 'a', 'Z', 'ä']) await world.put(`${name}/${CONFIG}`, '');
      await world.put('other/config.yml', '');
      await world.put('.hidden/generator.yml', '');
      await world.put('file', '');
      await mkdir(join(world.root, 'odd', CONFIG), { recursive: true });
      expect(right(await world.directories.list())).toEqual(['Z', 'a', 'b', 'ä']);
      const others = generatorDirectories(world.root, 'config.yml');
      expect(right(await others.list())).toEqual(['other']);
      expect(codeOf(await others.readConfig('a'))).toBe('not_found');
    }));

  test('of a missing generators directory is empty', () =>
    inWorld(async ({ root }) => {
      expect(right(await generatorDirectories(join(root, 'none'), CONFIG).list())).toEqual([]);
    }));
});

describe('configs', () => {
  test('are created with their directory, and with the generators directory', () =>
    inWorld(async ({ root }) => {
      const directories = generatorDirectories(join(root, 'deep', 'er'), CONFIG);
      right(await directories.writeConfig('web', 'text', 'create'));
      expect(right(await directories.readConfig('web'))).toBe('text');
      expect(directories.configPath('web')).toBe(join(root, 'deep', 'er', 'web', CONFIG));
    }));

  test('are created in a directory that has none yet', () =>
    inWorld(async (world) => {
      await world.put('web/sample.log', 'x');
      right(await world.directories.writeConfig('web', 'text', 'create'));
      expect(right(await world.directories.readConfig('web'))).toBe('text');
    }));

  test('are not created twice, nothing changes', () =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, 'old');
      expect(codeOf(await world.directories.writeConfig('web', 'new', 'create'))).toBe('already_exists');
      expect(right(await world.directories.readConfig('web'))).toBe('old');
    }));

  test('are not updated where there is none', () =>
    inWorld(async (world) => {
      await world.put('web/x', '');
      expect(codeOf(await world.directories.writeConfig('web', 'new', 'update'))).toBe('not_found');
      expect(codeOf(await world.directories.writeConfig('none', 'new', 'update'))).toBe('not_found');
      expect(existsSync(join(world.root, 'none'))).toBe(false);
    }));
});

describe('info and tree', () => {
  const build = async (world: World): Promise<void> => {
    await world.put(`web/${CONFIG}`, '12345');
    await world.put('web/b/deep/x', '123');
    await world.put('web/a.log', '1');
    await world.put('web/.spate-0123456789abcdef.tmp', 'left over');
    await world.link('../../outside', 'web/out');
    await world.link('..', 'web/b/up');
    await world.link('circle', 'web/circle');
    execFileSync('mkfifo', [join(world.root, 'web', PIPE)]);
  };

  test('the tree is sorted, links and pipes are leaves, temporary files are left out', () =>
    inWorld(async (world) => {
      await build(world);
      const leaf = (name: string) => ({ name, is_dir: false, children: [] });
      expect(right(await world.directories.tree('web'))).toEqual([
        leaf('a.log'),
        {
          name: 'b',
          is_dir: true,
          children: [{ name: 'deep', is_dir: true, children: [leaf('x')] }, leaf('up')],
        },
        leaf('circle'),
        leaf(CONFIG),
        leaf('out'),
        leaf(PIPE),
      ]);
    }));

  test('the size is that of the files, the time the newest of directory and files', () =>
    inWorld(async (world) => {
      await build(world);
      const at = (path: string, seconds: number) => utimes(join(world.root, 'web', path), seconds, seconds);
      for (const path of [CONFIG, 'a.log', 'b/deep', 'b', '.']) await at(path, 1000);
      await at('b/deep/x', 2000.5);
      expect(right(await world.directories.info('web'))).toEqual({
        name: 'web',
        size_in_bytes: 9,
        last_modified: 2000.5,
      });
      await at('.', 3000);
      expect(right(await world.directories.info('web')).last_modified).toBe(3000);
    }));

  test('too many levels are an error and no full stack', () =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, '');
      await world.put(`web/${'d/'.repeat(70)}x`, '');
      for (const answer of [
        await world.directories.tree('web'),
        await world.directories.archive('web', []),
      ]) {
        expect(codeOf(answer)).toBe('too_large');
      }
    }));

  test('a directory that is being deleted gives an answer or a clean error', () =>
    inWorld(async (world) => {
      for (let round = 0; round < 10; round++) {
        await world.put(`web/${CONFIG}`, 'x');
        await Promise.all(Array.from({ length: 20 }, (_, i) => world.put(`web/d${i}/x`, 'x')));
        const [, ...answers] = await Promise.all([
          rm(join(world.root, 'web'), { recursive: true, force: true, maxRetries: 3 }),
          world.directories.tree('web'),
          world.directories.info('web'),
          world.directories.readConfig('web'),
          world.directories.list(),
        ]);
        for (const answer of answers) expect(['ok', 'not_found']).toContain(codeOf(answer));
      }
    }));
});

describe('export', () => {
  test('has every file by its path in the directory, empty directories too', () =>
    inWorld(async (world) => {
      const large = 'line\n'.repeat(200_000);
      await world.put(`web/${CONFIG}`, 'config');
      await world.put('web/samples/ä ö.log', large);
      await world.put('web/empty.log', '');
      await world.put('web/.hidden', 'h');
      await world.put('web/.spate-0123456789abcdef.tmp', 'left over');
      await mkdir(join(world.root, 'web', 'void'));
      expect(await exported(world, 'web')).toEqual({
        '.hidden': 'h',
        'empty.log': '',
        [CONFIG]: 'config',
        'samples/': '',
        'samples/ä ö.log': large,
        'void/': '',
      });
    }));

  test('leaves out top-level entries by their exact names, with all below', () =>
    inWorld(async (world) => {
      for (const path of [CONFIG, 'a/x', 'b/a', 'a.log']) await world.put(`web/${path}`, path);
      const exclude = ['a', 'none', 'b/a', '*', '..', ''];
      expect(Object.keys(await exported(world, 'web', exclude))).toEqual(['a.log', 'b/', 'b/a', CONFIG]);
      expect(await exported(world, 'web', ['a', 'b', 'a.log', CONFIG])).toEqual({});
    }));

  test('has the content of links that stay inside, and no other links, pipes or sockets', () =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, 'config');
      await world.put('web/private/key', 'excluded');
      await world.put('other/x', 'OTHER');
      await world.link(CONFIG, 'web/inside');
      await world.link(join(world.root, 'web', CONFIG), 'web/absolute');
      await world.link('private/key', 'web/sneaky');
      await world.link('../../outside/secret', 'web/secret');
      await world.link('../../outside', 'web/outside');
      await world.link('../other/x', 'web/other');
      await world.link('/etc/passwd', 'web/passwd');
      await world.link('..', 'web/up');
      await world.link('.', 'web/self');
      await world.link('circle', 'web/circle');
      await world.link('nowhere', 'web/nowhere');
      await world.link('secret', 'web/second');
      execFileSync('mkfifo', [join(world.root, 'web', PIPE)]);
      const server = createServer().listen(join(world.root, 'web', 'socket'));
      await new Promise((resolve) => server.once('listening', resolve));
      const files = await exported(world, 'web', ['private']);
      await new Promise((resolve) => server.close(resolve));
      expect(files).toEqual({ absolute: 'config', [CONFIG]: 'config', inside: 'config' });
    }));

  test('paths in the archive never climb or hold a backslash', () =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, '');
      await world.put('web/..\\..\\evil', 'x');
      const names = Object.keys(await exported(world, 'web'));
      expect(names).toEqual(['.._.._evil', CONFIG]);
    }));

  test('a file that grows while it is read does not spoil the archive', () =>
    inWorld(async (world) => {
      await world.put(`web/${CONFIG}`, 'x'.repeat(3_000_000));
      const stream = right(await world.directories.archive('web', []));
      await appendFile(join(world.root, 'web', CONFIG), 'y'.repeat(1_000_000));
      const content = unzip(await bytesOf(stream))[CONFIG] ?? '';
      expect(content.slice(0, 3_000_000)).toBe('x'.repeat(3_000_000));
    }));

  test('files that vanish or become links after the walk are left out', () =>
    inWorld(async (world) => {
      // Does not compress: the export waits there for a reader.
      await world.put(`web/${CONFIG}`, randomBytes(6_000_000).toString('base64'));
      await world.put('web/x/gone', 'x');
      await world.put('web/y/file', 'y');
      await world.put('web/z', 'z');
      const stream = right(await world.directories.archive('web', []));
      await rm(join(world.root, 'web', 'x', 'gone'));
      await rename(join(world.root, 'web', 'y'), join(world.root, 'web', 'old'));
      await world.link('../../outside', 'web/y');
      await writeFile(join(world.outside, 'file'), 'TOP SECRET');
      await rm(join(world.root, 'web', 'z'));
      await world.link('../../outside/secret', 'web/z');
      const files = unzip(await bytesOf(stream));
      expect(JSON.stringify(files)).not.toContain('TOP SECRET');
      expect(Object.keys(files)).toContain(CONFIG);
    }));

  test('a client that disconnects ends the reading', () =>
    inWorld(async (world) => {
      for (let i = 0; i < 5; i++) await world.put(`web/f${i}`, randomBytes(2_000_000).toString('base64'));
      await world.put(`web/${CONFIG}`, '');
      const stream = right(await world.directories.archive('web', []));
      await new Promise((resolve) => stream.once('readable', resolve));
      expect(await openFilesBelow(world.root)).toBe(1);
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      await closed;
      // A whole second export gives the first one all the time it needs to close its file.
      expect(Object.keys(await exported(world, 'web'))).toHaveLength(6);
      expect(await openFilesBelow(world.root)).toBe(0);
    }));
});

describe('opening by real path', () => {
  test('gives a file only where it stands below the folder without any link', () =>
    inWorld(async (world) => {
      await world.put('web/a', 'a');
      await world.link('../../outside', 'web/out');
      await world.link('a', 'web/link');
      const folder = join(world.root, 'web');
      const tryOpen = async (path: string): Promise<string> => {
        try {
          const file = await openInside(folder, path);
          await file?.close();
          return file === null ? 'null' : 'open';
        } catch (thrown) {
          return errnoOf(thrown);
        }
      };
      expect(await tryOpen(join(folder, 'a'))).toBe('open');
      expect(await tryOpen(join(folder, 'link'))).toBe('ELOOP');
      expect(await tryOpen(join(folder, 'out', 'secret'))).toBe('null');
      expect(await tryOpen(join(world.outside, 'secret'))).toBe('null');
      expect(await tryOpen(`${folder}x`)).toBe('null');
      expect(await tryOpen(folder)).toBe('null');
      expect(await tryOpen(join(folder, 'none'))).toBe('ENOENT');
    }));

  test('answers are Eithers, never rejections, for names of any characters', () =>
    inWorld(async (world) => {
      for (const name of ['\ufffd', 'a\u0301', '💥', 'x'.repeat(255)]) {
        expect(E.isLeft(await world.directories.readConfig(name))).toBe(true);
      }
    }));
});
