import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { FileContent } from '../../../src/domain/directory.js';
import type { Result } from '../../../src/domain/errors.js';
import { right } from '../../support/either.js';
import { execFileSync } from '../../support/programs.js';
import { codeOf } from './support.js';
import { bytesOf, CONFIG, inWorld, openFilesBelow, snapshotOf, type World } from './world.js';

const webOf = (world: World) => snapshotOf(join(world.root, 'web'));

/** A world with a generator `web`. */
const inWeb = (run: (world: World, files: World['directories']['files']) => Promise<void>): Promise<void> =>
  inWorld(async (world) => {
    await world.put(`web/${CONFIG}`, 'config');
    await run(world, world.directories.files);
  });

const textOf = async (content: Result<FileContent>): Promise<string> =>
  (await bytesOf(right(content).chunks)).toString('latin1');

const etagOf = async (content: Result<FileContent>): Promise<string> => {
  await textOf(content);
  return right(content).etag;
};

/** What every operation answers for a path. */
const verdicts = async (world: World, path: string): Promise<readonly string[]> => {
  const { files } = world.directories;
  const upload = await world.upload('new');
  const answers = [
    await files.read('web', path),
    await files.create('web', path, upload),
    await files.replace('web', path, upload, null),
    await files.remove('web', path, null),
    await files.makeDirectory('web', path),
    await files.move('web', path, 'elsewhere'),
    await files.move('web', 'a', path),
    await files.copy('web', path, 'elsewhere'),
    await files.copy('web', 'a', path),
  ];
  await world.uploads.discard(upload);
  return answers.map(codeOf);
};

describe('paths', () => {
  test.each([
    '',
    '.',
    '..',
    '/',
    '//',
    '/etc/passwd',
    'a/',
    'a//b',
    './a',
    'a/.',
    'a/..',
    '../web/a',
    'a/../../outside/secret',
    'a/../a',
    '..\\outside',
    'a\\b',
    'a\0',
    'a\0/../../outside/secret',
    'a\nb',
    '\ud800',
    'x'.repeat(256),
    'ä'.repeat(128),
    `${'d/'.repeat(32)}x`,
    `${'x'.repeat(250)}/`.repeat(4) + 'x'.repeat(30),
  ])('%j is refused by every operation', (path) =>
    inWeb(async (world) => {
      await world.put('web/a', 'a');
      const before = await snapshotOf(join(world.root, '..'));
      expect(new Set(await verdicts(world, path))).toEqual(new Set(['invalid']));
      expect(await snapshotOf(join(world.root, '..'))).toEqual(before);
    }),
  );

  test.each([
    '.hidden',
    '...',
    '..a',
    'a b',
    ' ',
    'ä',
    '~',
    '-rf',
    '*',
    '%2e%2e',
    `${'d/'.repeat(31)}x`,
    'x'.repeat(255),
  ])('%j is the path of a file', (path) =>
    inWeb(async (world, files) => {
      right(await files.create('web', path, await world.upload('text')));
      expect(await textOf(await files.read('web', path))).toBe('text');
      right(await files.remove('web', path, null));
    }),
  );

  test('names of temporary files belong to Spate', () =>
    inWeb(async (world) => {
      await world.put('web/a', 'a');
      const name = '.spate-0123456789abcdef.tmp';
      for (const path of [name, `${name}/x`, `x/${name}`])
        expect(new Set(await verdicts(world, path))).toEqual(new Set(['forbidden']));
    }));

  test('nothing works in a directory without a config, or in none', () =>
    inWorld(async (world) => {
      await world.put('web/a', 'a');
      expect(new Set(await verdicts(world, 'a'))).toEqual(new Set(['not_found']));
      await rm(join(world.root, 'web'), { recursive: true });
      expect(new Set(await verdicts(world, 'a'))).toEqual(new Set(['not_found']));
    }));
});

describe('reading', () => {
  test.each([
    ['a text', 'hällo\n', true],
    ['nothing', '', true],
    ['bytes', Buffer.from([0xff, 0xfe, 0x41]), false],
    ['text with a NUL', 'a\0b', false],
    ['a text that is cut within a character at the end of what is looked at', `${'x'.repeat(65_535)}ä`, true],
    ['a large file', randomBytes(1_000_000), false],
  ])('gives %s whole, and says whether it is text', (_name, content, isText) =>
    inWeb(async (world, files) => {
      const bytes = Buffer.from(content as string);
      await writeFile(join(world.root, 'web', 'f'), bytes);
      const read = right(await files.read('web', 'f'));
      expect([read.size_bytes, read.isText]).toEqual([bytes.length, isText]);
      expect(read.etag).toMatch(/^"[\w-]{27}"$/);
      expect((await bytesOf(read.chunks)).equals(bytes)).toBe(true);
      expect(await openFilesBelow(world.root)).toBe(0);
    }),
  );

  test('a directory, a pipe, a part that is a file, and nothing are not found', () =>
    inWeb(async (world, files) => {
      await mkdir(join(world.root, 'web', 'd'));
      execFileSync('mkfifo', [join(world.root, 'web', 'pipe')]);
      for (const path of ['d', 'pipe', `${CONFIG}/x`, 'none', 'none/x'])
        expect([path, codeOf(await files.read('web', path))]).toEqual([path, 'not_found']);
    }));

  test('links are followed inside the directory and nowhere else', () =>
    inWeb(async (world, files) => {
      await world.put('web/d/real', 'real');
      await world.put('other/x', 'OTHER');
      for (const [target, path] of [
        ['d/real', 'inside'],
        ['d', 'dir'],
        ['../../outside/secret', 'out'],
        ['../../outside', 'outdir'],
        ['../other/x', 'other'],
        ['/etc/passwd', 'passwd'],
        ['..', 'up'],
        ['circle', 'circle'],
        ['nowhere', 'nowhere'],
      ] as const)
        await world.link(target, `web/${path}`);
      expect(await textOf(await files.read('web', 'inside'))).toBe('real');
      expect(await textOf(await files.read('web', 'dir/real'))).toBe('real');
      for (const path of ['out', 'outdir/secret', 'other', 'passwd', 'up/other/x', 'up'])
        expect([path, codeOf(await files.read('web', path))]).toEqual([path, 'forbidden']);
      for (const path of ['circle', 'nowhere', 'up/web/d'])
        expect([path, codeOf(await files.read('web', path))]).toEqual([path, 'not_found']);
    }));

  test('a file that shrinks is an error, one that grows ends at its old size', () =>
    inWeb(async (world, files) => {
      const path = join(world.root, 'web', 'f');
      await writeFile(path, 'x'.repeat(2_000_000));
      const shrinking = right(await files.read('web', 'f'));
      await truncate(path, 1_000_000);
      await expect(bytesOf(shrinking.chunks)).rejects.toThrow('shrank');
      const growing = right(await files.read('web', 'f'));
      await truncate(path, 3_000_000);
      expect((await bytesOf(growing.chunks)).length).toBe(1_000_000);
      expect(await openFilesBelow(world.root)).toBe(0);
    }));

  test('a client that disconnects, at once or later, closes the file', () =>
    inWeb(async (world, files) => {
      await writeFile(join(world.root, 'web', 'f'), randomBytes(2_000_000));
      for (const isStarted of [false, true]) {
        const { chunks } = right(await files.read('web', 'f'));
        const stream = chunks as import('node:stream').Readable;
        if (isStarted) await new Promise((resolve) => stream.once('readable', resolve));
        expect(await openFilesBelow(world.root)).toBe(1);
        const closed = new Promise((resolve) => stream.once('close', resolve));
        stream.destroy();
        await closed;
        expect(await openFilesBelow(world.root)).toBe(0);
      }
    }));

  test('content that was opened stays what it was while the file is replaced', () =>
    inWeb(async (world, files) => {
      await world.put('web/f', 'old');
      const read = await files.read('web', 'f');
      right(await files.replace('web', 'f', await world.upload('new'), null));
      expect(await textOf(read)).toBe('old');
    }));
});

describe('creating', () => {
  test('makes the directories above and gives the entity tag that reading gives', () =>
    inWeb(async (world, files) => {
      const etag = right(await files.create('web', 'a/b/c.txt', await world.upload('text')));
      expect(await etagOf(await files.read('web', 'a/b/c.txt'))).toBe(etag);
      expect(await webOf(world)).toEqual({ a: '/', 'a/b': '/', 'a/b/c.txt': 'text', [CONFIG]: 'config' });
      expect((await stat(join(world.root, 'web/a/b/c.txt'))).mode & 0o777).toBe(0o666 & ~process.umask());
    }));

  test('replaces nothing: files, directories, links to anywhere', () =>
    inWeb(async (world, files) => {
      await mkdir(join(world.root, 'web/d'));
      await world.link('nowhere', 'web/dangling');
      await world.link('../../outside/secret', 'web/out');
      const before = await snapshotOf(join(world.root, '..'));
      for (const path of [CONFIG, 'd', 'dangling', 'out']) {
        const upload = await world.upload('new');
        expect([path, codeOf(await files.create('web', path, upload))]).toEqual([path, 'already_exists']);
        await world.uploads.discard(upload);
      }
      expect(await snapshotOf(join(world.root, '..'))).toEqual(before);
    }));

  test('never goes through a link or a file', () =>
    inWeb(async (world, files) => {
      await world.put('web/d/x', 'x');
      await world.link('d', 'web/inside');
      await world.link('../../outside', 'web/out');
      await world.link('nowhere', 'web/dangling');
      const before = await snapshotOf(join(world.root, '..'));
      for (const [path, code] of [
        ['inside/new', 'forbidden'],
        ['inside/deep/new', 'forbidden'],
        ['out/new', 'forbidden'],
        ['dangling/new', 'forbidden'],
        [`${CONFIG}/new`, 'wrong_state'],
      ] as const) {
        const upload = await world.upload('new');
        expect([path, codeOf(await files.create('web', path, upload))]).toEqual([path, code]);
        expect([path, codeOf(await files.makeDirectory('web', path))]).toEqual([path, code]);
        expect([path, codeOf(await files.copy('web', CONFIG, path))]).toEqual([path, code]);
        expect([path, codeOf(await files.move('web', 'd', path))]).toEqual([path, code]);
        await world.uploads.discard(upload);
      }
      expect(await snapshotOf(join(world.root, '..'))).toEqual(before);
    }));
});

describe('replacing', () => {
  test('changes content and entity tag, keeps permissions', () =>
    inWeb(async (world, files) => {
      await world.put('web/run.sh', 'old');
      await chmod(join(world.root, 'web/run.sh'), 0o751);
      const before = await etagOf(await files.read('web', 'run.sh'));
      const after = right(await files.replace('web', 'run.sh', await world.upload('new'), null));
      expect(after).not.toBe(before);
      expect(await etagOf(await files.read('web', 'run.sh'))).toBe(after);
      expect((await stat(join(world.root, 'web/run.sh'))).mode & 0o777).toBe(0o751);
    }));

  test('gives each content its own tag, however fast they come, and equal contents the same', () =>
    inWeb(async (world, files) => {
      await world.put('web/f', 'text 0');
      await world.put('web/g', 'text 7');
      const tags: string[] = [];
      for (let i = 0; i < 200; i++) {
        tags.push(right(await files.replace('web', 'f', await world.upload(`text ${i % 10}`), null)));
        expect(await etagOf(await files.read('web', 'f'))).toBe(tags[i]);
      }
      expect(new Set(tags).size).toBe(10);
      expect(await etagOf(await files.read('web', 'g'))).toBe(tags[7]);
    }));

  test('with If-Match replaces only the named version', () =>
    inWeb(async (world, files) => {
      await world.put('web/f', 'one');
      const first = await etagOf(await files.read('web', 'f'));
      const second = right(await files.replace('web', 'f', await world.upload('two'), `"x", ${first}`));
      const late = await world.upload('late');
      for (const tag of [first, '"x"', `W/${second}`, ''])
        expect(codeOf(await files.replace('web', 'f', late, tag))).toBe('precondition_failed');
      expect(codeOf(await files.remove('web', 'f', first))).toBe('precondition_failed');
      expect(await textOf(await files.read('web', 'f'))).toBe('two');
      right(await files.replace('web', 'f', late, '*'));
      const third = await etagOf(await files.read('web', 'f'));
      right(await files.remove('web', 'f', third));
      expect(Object.keys(await webOf(world))).toEqual([CONFIG]);
    }));

  test('a change from outside changes the tag', () =>
    inWeb(async (world, files) => {
      await world.put('web/f', 'one');
      const tag = await etagOf(await files.read('web', 'f'));
      await writeFile(join(world.root, 'web/f'), 'two');
      await utimes(join(world.root, 'web/f'), 1, 1);
      expect(codeOf(await files.replace('web', 'f', await world.upload('x'), tag))).toBe(
        'precondition_failed',
      );
    }));

  test('needs a regular file that is there', () =>
    inWeb(async (world, files) => {
      await world.put('web/d/x', 'x');
      await world.link('d/x', 'web/inside');
      await world.link('../../outside/secret', 'web/out');
      await world.link('../../outside', 'web/outdir');
      execFileSync('mkfifo', [join(world.root, 'web', 'pipe')]);
      const before = await snapshotOf(join(world.root, '..'));
      for (const [path, code] of [
        ['none', 'not_found'],
        ['none/x', 'not_found'],
        ['d', 'wrong_state'],
        ['pipe', 'wrong_state'],
        ['d/x/y', 'wrong_state'],
        ['inside', 'forbidden'],
        ['out', 'forbidden'],
        ['outdir/secret', 'forbidden'],
      ] as const) {
        const upload = await world.upload('new');
        expect([path, codeOf(await files.replace('web', path, upload, null))]).toEqual([path, code]);
        await world.uploads.discard(upload);
      }
      expect(await snapshotOf(join(world.root, '..'))).toEqual(before);
    }));

  test.each(existsSync('/dev/shm') ? [['/dev/shm']] : [])(
    'content on another file system (%s) is copied, not linked',
    (elsewhere) =>
      inWeb(async (world, files) => {
        const file = join(elsewhere, `.spate-${randomBytes(8).toString('hex')}.tmp`);
        await writeFile(file, 'far');
        await world.put('web/f', 'near');
        right(await files.replace('web', 'f', { file, size_bytes: 3 }, null));
        await rm(file, { force: true });
        expect(await webOf(world)).toEqual({ f: 'far', [CONFIG]: 'config' });
      }),
  );
});

describe('removing', () => {
  test('takes files, links as links, and directories with everything in them', () =>
    inWeb(async (world, files) => {
      await world.put('web/d/e/x', 'x');
      await world.put('web/f', 'f');
      await world.link('../../outside', 'web/out');
      await world.link('../../../outside', 'web/d/out');
      await world.link('.', 'web/d/e/self');
      execFileSync('mkfifo', [join(world.root, 'web/d/pipe')]);
      await mkdir(join(world.root, 'web/void'));
      for (const path of ['f', 'out', 'd', 'void']) right(await files.remove('web', path, null));
      expect(await webOf(world)).toEqual({ [CONFIG]: 'config' });
      expect(await snapshotOf(world.outside)).toEqual({ [CONFIG]: 'TOP SECRET', secret: 'TOP SECRET' });
      expect(codeOf(await files.remove('web', 'f', null))).toBe('not_found');
    }));

  test('never goes through a link', () =>
    inWeb(async (world, files) => {
      await world.put('web/d/x', 'x');
      await world.link('d', 'web/inside');
      await world.link('../../outside', 'web/out');
      expect(codeOf(await files.remove('web', 'inside/x', null))).toBe('forbidden');
      expect(codeOf(await files.remove('web', 'out/secret', null))).toBe('forbidden');
      expect(existsSync(join(world.outside, 'secret'))).toBe(true);
    }));

  test('the config can be removed; then there is no generator', () =>
    inWeb(async (_world, files) => {
      right(await files.remove('web', CONFIG, null));
      expect(codeOf(await files.remove('web', CONFIG, null))).toBe('not_found');
    }));

  test('is refused beyond the limits of a walk', () =>
    inWeb(async (world, files) => {
      await world.put(`web/d/${'d/'.repeat(70)}x`, '');
      expect(codeOf(await files.remove('web', 'd', null))).toBe('too_large');
      expect(codeOf(await files.move('web', 'd', 'e'))).toBe('too_large');
      expect(codeOf(await files.copy('web', 'd', 'e'))).toBe('too_large');
      expect(codeOf(await world.directories.remove('web'))).toBe('too_large');
      expect(existsSync(join(world.root, 'web/d'))).toBe(true);
    }));
});

describe('moving', () => {
  test('renames, moves into directories, and stays where it is', () =>
    inWeb(async (world, files) => {
      await world.put('web/a', 'a');
      await world.put('web/d/x', 'x');
      await world.put('web/e/y', 'y');
      await world.link('../../outside', 'web/out');
      right(await files.move('web', 'a', 'b'));
      right(await files.move('web', 'b', 'd'));
      right(await files.move('web', 'd', 'e'));
      right(await files.move('web', 'out', 'link'));
      right(await files.move('web', 'e/y', 'e/y'));
      right(await files.move('web', 'e/y', 'e'));
      expect(await webOf(world)).toEqual({
        [CONFIG]: 'config',
        e: '/',
        'e/d': '/',
        'e/d/b': 'a',
        'e/d/x': 'x',
        'e/y': 'y',
        link: '-> ../../outside',
      });
    }));

  test.each([
    ['none', 'x', 'not_found'],
    ['none', 'none', 'not_found'],
    ['a', 'none/x', 'not_found'],
    ['a', 'b', 'already_exists'],
    ['a', 'a/x', 'wrong_state'],
    ['a', 'b/x', 'wrong_state'],
    ['d', 'd/e', 'wrong_state'],
    ['d', 'd/e/f/g', 'wrong_state'],
    ['a', 'd', 'already_exists'],
    ['a', 'dangling', 'already_exists'],
    ['a', 'out', 'already_exists'],
    ['a', 'out/x', 'forbidden'],
    ['inside/a', 'x', 'forbidden'],
  ])('%s to %s is %s and changes nothing', (source, destination, code) =>
    inWeb(async (world, files) => {
      for (const path of ['a', 'b', 'd/a', 'd/e/f']) await world.put(`web/${path}`, path);
      await world.link('../../outside', 'web/out');
      await world.link('d', 'web/inside');
      await world.link('nowhere', 'web/dangling');
      const before = await snapshotOf(join(world.root, '..'));
      expect(codeOf(await files.move('web', source, destination))).toBe(code);
      expect(await snapshotOf(join(world.root, '..'))).toEqual(before);
    }),
  );

  test('nothing gets deeper than a path may be', () =>
    inWeb(async (world, files) => {
      await world.put(`web/a/${'d/'.repeat(15)}x`, 'x');
      await world.put(`web/b/${'d/'.repeat(15)}x`, 'x');
      expect(codeOf(await files.move('web', 'a', `b/${'d/'.repeat(15)}a`))).toBe('too_large');
      expect(codeOf(await files.copy('web', 'a', `b/${'d/'.repeat(15)}a`))).toBe('too_large');
      right(await files.move('web', 'a', `b/${'d/'.repeat(14)}a`));
      right(await files.remove('web', 'b', null));
    }));
});

describe('copying', () => {
  test('copies files with their permissions and whole trees, links to files as their content', () =>
    inWeb(async (world, files) => {
      await world.put('web/d/e/x', 'x');
      await world.put('web/d/.spate-0123456789abcdef.tmp', 'left over');
      await chmod(join(world.root, 'web/d/e/x'), 0o640);
      await world.link('e/x', 'web/d/link');
      await mkdir(join(world.root, 'web/d/void'));
      right(await files.copy('web', 'd', 'copy'));
      right(await files.copy('web', 'd/link', 'single'));
      expect(await webOf(world)).toMatchObject({
        copy: '/',
        'copy/e': '/',
        'copy/e/x': 'x',
        'copy/link': 'x',
        'copy/void': '/',
        single: 'x',
      });
      expect(existsSync(join(world.root, 'web/copy/.spate-0123456789abcdef.tmp'))).toBe(false);
      expect((await stat(join(world.root, 'web/copy/e/x'))).mode & 0o777).toBe(0o640);
      expect(await openFilesBelow(world.root)).toBe(0);
    }));

  test.each([
    ['none', 'x', 'not_found'],
    ['a', 'a', 'already_exists'],
    ['a', 'd', 'already_exists'],
    ['a', 'dangling', 'already_exists'],
    ['a', 'none/x', 'not_found'],
    ['d', 'd/copy', 'wrong_state'],
    ['out', 'x', 'forbidden'],
    ['outfile', 'x', 'forbidden'],
    ['inside', 'x', 'forbidden'],
    ['dangling', 'x', 'forbidden'],
    ['circle', 'x', 'forbidden'],
    ['bad', 'x', 'forbidden'],
    ['pipes', 'x', 'forbidden'],
    ['a', 'out/x', 'forbidden'],
    ['out/secret', 'x', 'forbidden'],
  ])('%s to %s is %s and leaves nothing behind', (source, destination, code) =>
    inWeb(async (world, files) => {
      for (const path of ['a', 'd/x', 'bad/a', 'bad/sub/b', 'pipes/a']) await world.put(`web/${path}`, path);
      execFileSync('mkfifo', [join(world.root, 'web/pipes/pipe')]);
      await world.link('../../outside', 'web/out');
      await world.link('../../outside/secret', 'web/outfile');
      await world.link('../../../outside/secret', 'web/bad/outfile');
      await world.link('d', 'web/inside');
      await world.link('circle', 'web/circle');
      await world.link('nowhere', 'web/dangling');
      const before = await snapshotOf(join(world.root, '..'));
      expect(codeOf(await files.copy('web', source, destination))).toBe(code);
      expect(await snapshotOf(join(world.root, '..'))).toEqual(before);
    }),
  );

  test('has a limit of entries and bytes, and leaves nothing behind beyond it', () =>
    inWeb(async (world, files) => {
      const folder = join(world.root, 'web/many');
      await mkdir(folder);
      await Promise.all(Array.from({ length: 10_001 }, (_, i) => mkdir(join(folder, String(i)))));
      expect(codeOf(await files.copy('web', 'many', 'copy'))).toBe('too_large');
      const sparse = join(world.root, 'web/sparse');
      await writeFile(sparse, '');
      await truncate(sparse, 1_073_741_825);
      expect(codeOf(await files.copy('web', 'sparse', 'copy'))).toBe('too_large');
      expect((await readdir(join(world.root, 'web'))).sort()).toEqual([CONFIG, 'many', 'sparse']);
    }));
});

describe('whole directories', () => {
  test('go with everything in them, links are not followed', () =>
    inWeb(async (world) => {
      await world.put('web/d/x', 'x');
      await world.put('other/x', 'x');
      await world.link('../../outside', 'web/out');
      await world.link('../other', 'web/other');
      right(await world.directories.remove('web'));
      expect(await snapshotOf(world.root)).toEqual({ other: '/', 'other/x': 'x' });
      expect(await snapshotOf(world.outside)).toEqual({ [CONFIG]: 'TOP SECRET', secret: 'TOP SECRET' });
    }));

  test.each([
    ['alias', 'forbidden'],
    ['out', 'forbidden'],
    ['up', 'forbidden'],
    ['none', 'not_found'],
    ['bare', 'not_found'],
    ['..', 'invalid'],
    ['.', 'invalid'],
    ['', 'invalid'],
  ])('%s is %s', (name, code) =>
    inWeb(async (world) => {
      await world.put('bare/x', 'x');
      await world.link('web', 'alias');
      await world.link('../outside', 'out');
      await world.link('..', 'up');
      const before = await snapshotOf(join(world.root, '..'));
      expect(codeOf(await world.directories.remove(name))).toBe(code);
      expect(await snapshotOf(join(world.root, '..'))).toEqual(before);
    }),
  );

  test('know the directory of a path, as written and after links', () =>
    inWeb(async (world) => {
      await world.link('web', 'alias');
      const { holdersOf } = world.directories;
      expect(await holdersOf(join(world.root, 'web', CONFIG))).toEqual(['web']);
      expect(await holdersOf(join(world.root, 'alias', CONFIG))).toEqual(['alias', 'web']);
      expect(await holdersOf(join(world.root, 'gone', 'x'))).toEqual(['gone']);
      expect(await holdersOf(join(world.outside, 'secret'))).toEqual([]);
      expect(await holdersOf(world.root)).toEqual([]);
    }));

  test('distinguish the config and its folders from other files', () =>
    inWeb(async (world, files) => {
      await rm(join(world.root, 'web', CONFIG));
      await world.put('web/real/deep/c.yml', 'config');
      await world.link('real/deep/c.yml', `web/${CONFIG}`);
      const role = async (path: string) => right(await files.roleOf('web', path));
      expect(await role(CONFIG)).toBe('config');
      expect(await role('real/deep/c.yml')).toBe('config');
      expect([await role('real'), await role('real/deep')]).toEqual(['holds_config', 'holds_config']);
      expect([await role('rea'), await role('real/deep/c')]).toEqual(['other', 'other']);
    }));
});
