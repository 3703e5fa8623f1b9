import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { type ConfigsOptions, configsLogic } from '../../../actors/stores/configs.js';
import { fileVersions } from '../../../src/adapters/directories/fileVersions.js';
import { generatorDirectories } from '../../../src/adapters/directories/generatorDirectories.js';
import { fileUploads } from '../../../src/adapters/directories/uploads.js';
import type { Upload } from '../../../src/domain/directory.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import type { ConfigRequests, LibraryRequests } from '../../../src/messages/configs.js';

import { codeOf, inFolder } from '../../adapters/directories/support.js';
import { chunksOf } from '../../adapters/directories/world.js';
import { right } from '../../support/either.js';
import { memoryLog } from '../../support/logs.js';

type Requests = ConfigRequests & LibraryRequests;

interface Store {
  readonly root: string;
  readonly ask: <K extends keyof Requests>(
    type: K,
    payload: Requests[K]['payload'],
  ) => Promise<Result<Requests[K]['answer']>>;
  readonly upload: (text: string) => Promise<Upload>;
}

/** A codec for which every text is a config but one that says no, in its second line. */
const CODEC: ConfigsOptions['codec'] = {
  readBack: (text, file) =>
    text.startsWith('no')
      ? E.left(
          failure('invalid', 'Bad.', {
            file,
            issues: [
              { path: ['event'], type: 'missing', message: 'is required', line: 2 },
              { path: [], type: 'x', message: 'is odd' },
            ],
          }),
        )
      : E.right({ text }),
  create: (config) => E.right(JSON.stringify(config)),
  update: (_text, config) => E.right(JSON.stringify(config)),
  replace: (_text, config) => E.right(JSON.stringify(config)),
};

const ITEM = {
  name: 'web-tiny',
  summary: 'A site.',
  category: 'web',
  event_bytes: 120,
  templates: 1,
  parameters: [],
  anomalies: [],
  detections: [],
};
const TEXTS = [{ path: 'generator.yml', size_bytes: 6, text: 'config' }];

/** A library with one generator; its copies know where they go. */
const LIBRARY: ConfigsOptions['library'] = {
  list: async () => E.right({ items: [ITEM], rejected: [] }),
  read: async (name) => (name === ITEM.name ? E.right(ITEM) : E.left(failure('not_found', name))),
  texts: async () => E.right(TEXTS),
  copy: async (name, { folder, config_filename }) =>
    name === ITEM.name
      ? E.right([
          { path: config_filename, bytes: Buffer.from('config') },
          { path: 'deep/where.txt', bytes: Buffer.from(folder) },
        ])
      : E.left(failure('not_found', name)),
};

/** A store of a folder with the generators `web` and `other`. */
const inStore = (
  options: Partial<Pick<ConfigsOptions, 'users' | 'registered'>>,
  run: (store: Store) => Promise<void>,
): Promise<void> =>
  inFolder(async (root) => {
    for (const name of ['web', 'other']) {
      await mkdir(join(root, name));
      await writeFile(join(root, name, 'generator.yml'), 'config');
    }
    const actor = createActor(
      configsLogic({
        directories: generatorDirectories(root, 'generator.yml'),
        codec: CODEC,
        users: async () => E.right([]),
        registered: async () => E.right([]),
        readUpload: async ({ file }) => E.right(await readFile(file, 'utf8')),
        readWhole: async ({ file }, path) => E.right([{ path, bytes: await readFile(file) }]),
        usageOf: async () => E.left(failure('not_found', 'none')),
        library: LIBRARY,
        versions: async () =>
          fileVersions({
            state: join(root, '.state'),
            generators_dir: root,
            log: memoryLog().log,
            max_wait_ms: 60_000,
          }),
        destinations: () => Promise.reject(new Error('no destination is asked for')),
        worlds: () => Promise.reject(new Error('no world is asked for')),
        targetOf: (name) => ({
          name,
          folder: join(root, name),
          shown: name,
          config_filename: 'generator.yml',
        }),
        ...options,
      }),
    );
    actor.start();
    await run({
      root,
      ask: (type, payload) =>
        new Promise((resolve) =>
          actor.send({ type, payload, reply: resolve } as Parameters<typeof actor.send>[0]),
        ),
      upload: async (text) => right(await fileUploads(root).receive(chunksOf(text), 1_000)),
    });
    actor.stop();
  });

const textOf = (root: string, path: string): Promise<string> => readFile(join(root, path), 'utf8');

describe('a directory that is used', () => {
  const users = (root: () => string) => async () =>
    E.right([
      { id: 'b', path: join(root(), 'alias', 'generator.yml') },
      { id: 'a', path: join(root(), 'web', 'second.yml') },
      { id: 'a', path: join(root(), 'web', 'generator.yml') },
      { id: 'far', path: '/elsewhere/web/generator.yml' },
    ]);

  test('keeps its config, through links and other names of the file too, until it is forced', async () => {
    let root = '';
    await inStore({ users: users(() => root) }, async (store) => {
      root = store.root;
      await symlink('web', join(root, 'alias'));
      const refused = await store.ask('configs.delete', { name: 'web', force: false });
      expect(codeOf(refused)).toBe('wrong_state');
      expect(E.isLeft(refused) && refused.left.message).toContain("'a', 'b'");
      const path = 'generator.yml';
      const file = { name: 'web', path, force: false, if_match: null, user: 'ada' };
      expect(codeOf(await store.ask('configs.delete_file', file))).toBe('wrong_state');
      const move = { name: 'web', source: path, destination: 'x.yml', force: false };
      expect(codeOf(await store.ask('configs.move_file', move))).toBe('wrong_state');
      expect(codeOf(await store.ask('configs.move_file', { ...move, destination: path }))).toBe('ok');
      expect(await textOf(root, 'web/generator.yml')).toBe('config');
      expect(codeOf(await store.ask('configs.delete', { name: 'other', force: false }))).toBe('ok');
      expect(codeOf(await store.ask('configs.delete', { name: 'alias', force: true }))).toBe('forbidden');
      expect(codeOf(await store.ask('configs.delete', { name: 'web', force: true }))).toBe('ok');
    });
  });

  test('may lose any other file', async () => {
    let root = '';
    await inStore({ users: users(() => root) }, async (store) => {
      root = store.root;
      await writeFile(join(root, 'web', 'a'), 'a');
      const move = { name: 'web', source: 'a', destination: 'b', force: false };
      expect(codeOf(await store.ask('configs.move_file', move))).toBe('ok');
      const file = { name: 'web', path: 'b', force: false, if_match: null, user: 'ada' };
      expect(codeOf(await store.ask('configs.delete_file', file))).toBe('ok');
    });
  });

  test('a missing directory is not found, even if a generator names it', async () => {
    let root = '';
    const use = async () => E.right([{ id: 'a', path: join(root, 'gone', 'generator.yml') }]);
    await inStore({ users: use }, async (store) => {
      root = store.root;
      expect(codeOf(await store.ask('configs.delete', { name: 'gone', force: false }))).toBe('not_found');
    });
  });

  test('while its users are unknown, it stays unless forced', () =>
    inStore({ users: async () => E.left(failure('unreadable', 'No list.')) }, async ({ ask }) => {
      expect(codeOf(await ask('configs.delete', { name: 'web', force: false }))).toBe('unreadable');
      expect(codeOf(await ask('configs.delete', { name: 'web', force: true }))).toBe('ok');
    }));
});

describe('a config that is sent as a file', () => {
  test('is refused as an update is, with the lines of the text, and changes nothing', () =>
    inStore({}, async ({ root, ask, upload }) => {
      const sent = await upload('no');
      const request = { name: 'web', path: 'generator.yml', upload: sent, if_match: null, user: 'ada' };
      const answer = await ask('configs.replace_file', request);
      expect(E.isLeft(answer) && answer.left.issues?.map(({ message }) => message)).toEqual([
        'line 2, column 1: is required',
        'is odd',
      ]);
      expect(await textOf(root, 'web/generator.yml')).toBe('config');
      expect(await textOf(root, sent.file.slice(root.length + 1))).toBe('no');
    }));

  test('is taken when it is right; other files are not looked at', () =>
    inStore({}, async ({ root, ask, upload }) => {
      const name = 'web';
      await writeFile(join(root, 'web', 'a'), 'a');
      for (const [path, text] of [
        ['generator.yml', 'yes'],
        ['a', 'no'],
      ] as const) {
        const answer = await ask('configs.replace_file', {
          name,
          path,
          upload: await upload(text),
          if_match: null,
          user: 'ada',
        });
        expect(codeOf(answer)).toBe('ok');
        expect(await textOf(root, `web/${path}`)).toBe(text);
      }
    }));
});

describe('what a change replaces or deletes', () => {
  test('stays as a version, of a config that is sent as JSON too, and follows a move', () =>
    inStore({}, async ({ root, ask, upload }) => {
      const name = 'web';
      await writeFile(join(root, 'web', 'a'), 'first');
      const put = { name, path: 'a', upload: await upload('second'), if_match: null, user: 'ada' };
      right(await ask('configs.replace_file', put));
      right(await ask('configs.move_file', { name, source: 'a', destination: 'b', force: false }));
      right(await ask('configs.delete_file', { name, path: 'b', force: false, if_match: null, user: 'bob' }));
      right(await ask('configs.update', { name, config: {}, if_match: null, user: 'eve' }));
      const listed = right(await ask('configs.versions', { name, path: null }));
      expect(listed.map(({ path, user, what }) => [path, user, what])).toEqual([
        ['generator.yml', 'eve', 'replaced'],
        ['b', 'bob', 'deleted'],
        ['b', 'ada', 'replaced'],
      ]);
      const texts = await Promise.all(
        listed.map(async ({ version }) => right(await ask('configs.read_version', { name, version })).text),
      );
      expect(texts).toEqual(['config', 'second', 'first']);
      expect(codeOf(await ask('configs.versions', { name: 'gone', path: null }))).toBe('not_found');
      expect(codeOf(await ask('configs.read_version', { name, version: '1' }))).toBe('not_found');
    }));

  test('leaves no version when the change is refused, and none when the directory is deleted', () =>
    inStore({}, async ({ root, ask, upload }) => {
      const name = 'web';
      await writeFile(join(root, 'web', 'a'), 'first');
      const put = { name, path: 'a', user: 'ada' };
      const stale = await ask('configs.replace_file', {
        ...put,
        upload: await upload('x'),
        if_match: '"old"',
      });
      expect(codeOf(stale)).toBe('precondition_failed');
      expect(right(await ask('configs.versions', { name, path: 'a' }))).toEqual([]);
      right(await ask('configs.replace_file', { ...put, upload: await upload('x'), if_match: null }));
      expect(right(await ask('configs.versions', { name, path: 'a' }))).toHaveLength(1);
      right(await ask('configs.delete', { name, force: false }));
      right(await ask('configs.create', { name, config: {} }));
      expect(right(await ask('configs.versions', { name, path: null }))).toEqual([]);
    }));
});

test('the list says which generators of the instance have their config in a directory', () => {
  let root = '';
  const registered = async () =>
    E.right([
      { id: 'a', path: join(root, 'web', 'generator.yml') },
      { id: 'b', path: join(root, 'web', 'gone.yml') },
    ]);
  return inStore({ registered }, async (store) => {
    root = store.root;
    const list = right(await store.ask('configs.list', { extended: true }));
    expect(list).toMatchObject([
      { name: 'other', generator_ids: [] },
      { name: 'web', generator_ids: ['a', 'b'] },
    ]);
    expect(right(await store.ask('configs.path', { name: 'web' }))).toBe('web/generator.yml');
  });
});

describe('the library', () => {
  test('is listed and read', () =>
    inStore({}, async ({ ask }) => {
      expect(right(await ask('library.list', null))).toEqual([ITEM]);
      expect(right(await ask('library.read', { name: 'web-tiny' }))).toEqual({ ...ITEM, files: TEXTS });
      expect(codeOf(await ask('library.read', { name: 'nope' }))).toBe('not_found');
    }));

  test('gives a copy, once', () =>
    inStore({}, async ({ ask, root }) => {
      const order = { library: 'web-tiny', name: 'my-web' };
      const made = await Promise.all([ask('library.copy', order), ask('library.copy', order)]);
      expect(made.map(codeOf)).toEqual(['ok', 'already_exists']);
      expect(made[0]).toEqual(E.right({ name: 'my-web', path: 'my-web/generator.yml' }));
      expect(await textOf(root, 'my-web/deep/where.txt')).toBe(join(root, 'my-web'));
      expect(right(await ask('configs.list', { extended: false }))).toContainEqual({ name: 'my-web' });
    }));

  test('gives no copy of what it does not have, and none over a generator', () =>
    inStore({}, async ({ ask, root }) => {
      expect(codeOf(await ask('library.copy', { library: 'nope', name: 'x' }))).toBe('not_found');
      expect(codeOf(await ask('library.copy', { library: 'web-tiny', name: 'web' }))).toBe('already_exists');
      expect(codeOf(await ask('library.copy', { library: 'web-tiny', name: '../x' }))).toBe('invalid');
      expect(await textOf(root, 'web/generator.yml')).toBe('config');
    }));
});
