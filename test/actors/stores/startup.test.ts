import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { type StartupOptions, startupLogic } from '../../../actors/stores/startup.js';
import { DEFAULT_GENERATION } from '../../../src/config/settings/generationFields.js';
import { loadStartup } from '../../../src/config/startup/startup.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import type { StartupEntry } from '../../../src/domain/generator.js';

import { type Disk, memoryFiles } from '../../support/memoryFiles.js';

const FILE = '/etc/spate/startup.yml';
const GENERATION = { ...DEFAULT_GENERATION, timezone: 'Europe/Berlin' };

const TEXT = `# All of them.

- {id: a, path: a/generator.yml, scenarios: [shop]} # first
# The second.
- id: b
  path: /elsewhere/b.yml
  autostart: false
`;

/** The store of a startup file with this text. */
const make = (text: string | null, more: Partial<StartupOptions> = {}, disk: Disk = new Map()) => {
  if (text !== null) disk.set(FILE, text);
  const files = memoryFiles(disk);
  const noted: string[][] = [];
  const logic = startupLogic({
    files,
    file: FILE,
    context: { generation: GENERATION, generators_dir: '/g' },
    checkPath: async () => E.right(null),
    checkParams: async () => E.right(null),
    onEntries: ({ entries }) => void noted.push(entries.map(({ id }) => id)),
    running: () => new Map(),
    ...more,
  });
  const actor = createActor(logic).start();
  const send = (type: string, payload: unknown): Promise<Result<never>> =>
    new Promise((resolve) => actor.send({ type, payload, reply: resolve } as never));
  const ok = async (type: string, payload: unknown = null): Promise<unknown> => {
    const answer = await send(type, payload);
    if (E.isLeft(answer)) throw new Error(`${type}: ${answer.left.message}`);
    return answer.right;
  };
  const ids = async () => ((await ok('startup.entries')) as readonly StartupEntry[]).map(({ id }) => id);
  return {
    send,
    ok,
    ids,
    files,
    noted,
    text: () => disk.get(FILE),
    edit: (next: string) => disk.set(FILE, next),
  };
};

const body = (id: string) => ({ path: `${id}/generator.yml` });

describe('entries', () => {
  test('are read with every default and their path as people know it', async () => {
    const { ok, ids } = make(TEXT);
    expect(await ids()).toEqual(['a', 'b']);
    const { entry } = (await ok('startup.read', { id: 'a' })) as { entry: StartupEntry };
    expect(entry).toEqual({
      ...GENERATION,
      id: 'a',
      path: 'a/generator.yml',
      live_mode: true,
      skip_past: true,
      from: null,
      params: {},
      seed: null,
      autostart: true,
      scenarios: ['shop'],
      partitions: 1,
      runs_on: {},
    });
    expect(await ok('startup.read', { id: 'b' })).toMatchObject({ entry: { path: '/elsewhere/b.yml' } });
  });

  test('are appended, replaced and taken out, and nothing else changes', async () => {
    const { ok, text } = make(TEXT);
    expect(await ok('startup.create', { id: 'c', entry: body('c') })).toBe(null);
    expect(text()).toBe(`${TEXT}- id: c\n  path: c/generator.yml\n`);
    await ok('startup.replace', { id: 'c', entry: { ...body('c'), seed: 's' }, if_match: null });
    expect(text()).toBe(`${TEXT}- id: c\n  path: c/generator.yml\n  seed: s\n`);
    await ok('startup.delete', { id: 'c', if_match: null });
    expect(text()).toBe(TEXT);
    expect(await ok('startup.bulk_delete', { ids: ['b', 'nobody', 'a', 'b'] })).toEqual(['a', 'b']);
    expect(text()).toBe('# All of them.\n\n[]\n');
  });

  test.each([
    ['startup.read', { id: 'nobody' }],
    ['startup.replace', { id: 'nobody', entry: body('x'), if_match: null }],
    ['startup.delete', { id: 'nobody', if_match: null }],
    ['scenarios.join', { name: 's', generator_id: 'nobody' }],
    ['scenarios.leave', { name: 'shop', generator_id: 'b' }],
    ['scenarios.leave', { name: 'nowhere', generator_id: 'a' }],
    ['scenarios.read', { name: 'nowhere' }],
    ['scenarios.delete', { name: 'nowhere' }],
    ['startup.rename', { id: 'nobody', to: 'x' }],
    ['startup.rename_scenario', { name: 'nowhere', to: 'x' }],
  ])('%s of a missing entry is not found and changes nothing', async (type, payload) => {
    const { send, text, files } = make(TEXT);
    expect(await send(type, payload)).toMatchObject({ left: { code: 'not_found' } });
    expect(text()).toBe(TEXT);
    expect(files.writes()).toBe(0);
  });

  test('that are there already are not made again', async () => {
    const { send, files } = make(TEXT);
    expect(await send('startup.create', { id: 'a', entry: body('a') })).toMatchObject({
      left: { code: 'already_exists' },
    });
    expect(await send('scenarios.join', { name: 'shop', generator_id: 'a' })).toMatchObject({
      left: { code: 'already_exists' },
    });
    expect(files.writes()).toBe(0);
  });

  test('a generator with partitions joins no scenario', async () => {
    const { send, text } = make('- {id: a, path: a/generator.yml, partitions: 2}\n');
    expect(await send('scenarios.join', { name: 'shop', generator_id: 'a' })).toMatchObject({
      left: {
        code: 'wrong_state',
        message:
          '`partitions` of "a" must be 1 in a scenario: members of a scenario share globals on one thread',
      },
    });
    expect(text()).not.toContain('shop');
  });

  test('with the id of another address, or with a path outside, are refused at their place', async () => {
    const { send, files } = make(TEXT);
    for (const [entry, path] of [
      [{ ...body('c'), id: 'd' }, ['id']],
      [{ path: '../c.yml' }, ['path']],
    ] as const) {
      expect(await send('startup.create', { id: 'c', entry })).toMatchObject({
        left: { code: 'invalid', issues: [{ path }] },
      });
    }
    expect(files.writes()).toBe(0);
  });

  test('a new path that a link leads outside is refused; one that stays is not looked at', async () => {
    const outside = failure('forbidden', 'leads outside');
    const { send, ok } = make(TEXT, { checkPath: async () => E.left(outside) });
    expect(await send('startup.create', { id: 'c', entry: body('c') })).toEqual(E.left(outside));
    const kept = { path: '/elsewhere/b.yml', seed: 's' };
    expect(await ok('startup.replace', { id: 'b', entry: kept, if_match: null })).toMatchObject({});
  });

  test('with a parameter that nothing reads are refused, new or replaced', async () => {
    const unknown = failure('invalid', "unknown parameter 'anomly'");
    const { send, ok, files } = make(TEXT, {
      checkParams: async ({ params }) => ('anomly' in params ? E.left(unknown) : E.right(null)),
    });
    const params = { anomly: 'scan' };
    expect(await send('startup.create', { id: 'c', entry: { ...body('c'), params } })).toEqual(
      E.left(unknown),
    );
    const replacing = { id: 'a', entry: { ...body('a'), params }, if_match: null };
    expect(await send('startup.replace', replacing)).toEqual(E.left(unknown));
    expect(files.writes()).toBe(0);
    expect(await ok('startup.create', { id: 'c', entry: body('c') })).toBeNull();
  });

  test('have the same entity tag on every node of a cluster, whatever its folders and defaults', async () => {
    const text = `${TEXT}- {id: c, path: c.yml, timezone: Asia/Tokyo, template_limits: {recursion_depth: 9}}\n`;
    const other = {
      ...GENERATION,
      timezone: 'UTC',
      template_limits: { ...GENERATION.template_limits, loop_steps: 7 },
    };
    const nodes = [make(text), make(text, { context: { generation: other, generators_dir: '/srv/other' } })];
    const tagsOf = async (id: string): Promise<readonly unknown[]> =>
      Promise.all(nodes.map(async ({ ok }) => ((await ok('startup.read', { id })) as { etag: string }).etag));
    for (const id of ['a', 'b', 'c']) expect(new Set(await tagsOf(id)).size).toBe(1);
    expect(new Set([...(await tagsOf('a')), ...(await tagsOf('c'))]).size).toBe(2);
  });

  test('are changed only in the version that the client has seen', async () => {
    const { send, ok, text } = make(TEXT);
    const { etag } = (await ok('startup.read', { id: 'a' })) as { etag: string };
    const { etag: other } = (await ok('startup.read', { id: 'b' })) as { etag: string };
    expect(other).not.toBe(etag);
    const entry = { ...body('a'), seed: 's' };
    for (const [type, payload] of [
      ['startup.replace', { id: 'a', entry, if_match: other }],
      ['startup.delete', { id: 'a', if_match: other }],
    ] as const) {
      expect(await send(type, payload)).toMatchObject({ left: { code: 'precondition_failed' } });
    }
    expect(text()).toBe(TEXT);
    const replaced = (await ok('startup.replace', { id: 'a', entry, if_match: etag })) as { etag: string };
    expect(await ok('startup.read', { id: 'a' })).toMatchObject({
      etag: replaced.etag,
      entry: { seed: 's' },
    });
    await ok('startup.delete', { id: 'a', if_match: replaced.etag });
  });
});

describe('the file', () => {
  test('is read before each change, so edits by hand stay', async () => {
    const { ok, edit, text } = make(TEXT);
    await ok('startup.create', { id: 'c', entry: body('c') });
    edit(`${text() ?? ''}# by hand\n- {id: hand, path: hand.yml}\n`);
    await ok('startup.delete', { id: 'a', if_match: null });
    expect(text()).toContain('# by hand\n- {id: hand, path: hand.yml}\n');
  });

  test.each([
    ['- [', '1:3'],
    ['a: 1', 'list of generators'],
  ])('that is no list is never changed, and the answer names the place: %j', async (broken, place) => {
    const { send, text, files } = make(broken);
    for (const [type, payload] of [
      ['startup.create', { id: 'z', entry: body('z') }],
      ['startup.replace', { id: 'a', entry: body('a'), if_match: null }],
      ['startup.delete', { id: 'a', if_match: null }],
      ['startup.bulk_delete', { ids: ['a'] }],
      ['scenarios.delete', { name: 'shop' }],
      ['scenarios.join', { name: 's', generator_id: 'a' }],
      ['scenarios.leave', { name: 'shop', generator_id: 'a' }],
    ] as const) {
      expect(await send(type, payload)).toMatchObject({
        left: { code: 'unreadable', message: expect.stringContaining(place) },
      });
    }
    expect(text()).toBe(broken);
    expect(files.writes()).toBe(0);
  });

  test('an invalid entry is left out of the list; read by its id it says what is wrong, where and what to do', async () => {
    const { send, ids } = make(`${TEXT}- {id: c, path: c, sed: 1}\n`);
    expect(await ids()).toEqual(['a', 'b']);
    expect(await send('startup.invalid', null)).toMatchObject({
      right: [{ id: 'c', position: 3, autostart: true, reason: expect.stringContaining('startup.yml:8:20') }],
    });
    expect(await send('startup.read', { id: 'c' })).toMatchObject({
      left: {
        code: 'invalid',
        message: expect.stringMatching(
          /^the entry "c" of the startup file is invalid: .*startup\.yml:8:20 .*unknown key 'sed'.* Replace it with PUT/,
        ),
      },
    });
  });

  const BAD = `# Why.
- id: c # third
  path: /elsewhere/c.yml # stays
  batch.size: 5
  sed: 1
`;

  test('an invalid entry is repaired by its id, and comments stay', async () => {
    const { ok, text, ids } = make(`${TEXT}${BAD}- {id: d, path: d, bogus: [1]} # later\n`);
    const repaired = { path: '/elsewhere/c.yml', seed: 's' };
    const { etag } = (await ok('startup.replace', { id: 'c', entry: repaired, if_match: null })) as {
      etag: string;
    };
    expect(text()).toBe(
      `${TEXT}# Why.\n- id: c # third\n  path: /elsewhere/c.yml # stays\n  seed: s\n- {id: d, path: d, bogus: [1]} # later\n`,
    );
    expect(await ids()).toEqual(['a', 'b', 'c']);
    expect(await ok('startup.read', { id: 'c' })).toMatchObject({ etag, entry: { seed: 's' } });
  });

  test('an invalid entry with a bad extension key is repaired by a body without that key', async () => {
    const { ok, text } = make('- {id: c, path: c/generator.yml, partitions: none}\n');
    await ok('startup.replace', { id: 'c', entry: body('c'), if_match: null });
    expect(text()).toBe('- {id: c, path: c/generator.yml}\n');
  });

  test('a body that is invalid does not repair', async () => {
    const { send, files } = make(TEXT + BAD);
    for (const entry of [{ ...body('c'), sed: 2 }, { path: '/elsewhere/other.yml' }]) {
      expect(await send('startup.replace', { id: 'c', entry, if_match: null })).toMatchObject({
        left: { code: 'invalid' },
      });
    }
    expect(await send('startup.replace', { id: 'c', entry: body('c'), if_match: '"old"' })).toMatchObject({
      left: { code: 'precondition_failed' },
    });
    expect(files.writes()).toBe(0);
  });

  test('an invalid entry is deleted by its id, alone and among others', async () => {
    const { ok, text } = make(TEXT + BAD);
    await ok('startup.delete', { id: 'c', if_match: null });
    expect(text()).toBe(TEXT);
    const { ok: okToo, text: textToo } = make(TEXT + BAD);
    expect(await okToo('startup.bulk_delete', { ids: ['c', 'b'] })).toEqual(['b', 'c']);
    expect(textToo()).toBe('# All of them.\n\n- {id: a, path: a/generator.yml, scenarios: [shop]} # first\n');
  });

  test('other entries change while an invalid one stays as written', async () => {
    const { ok, text, noted } = make(TEXT + BAD);
    await ok('startup.create', { id: 'z', entry: body('z') });
    await ok('startup.replace', { id: 'z', entry: { ...body('z'), seed: 's' }, if_match: null });
    await ok('scenarios.join', { name: 'night', generator_id: 'z' });
    await ok('scenarios.leave', { name: 'night', generator_id: 'z' });
    await ok('startup.delete', { id: 'b', if_match: null });
    expect(text()).toContain(BAD);
    expect(noted.at(-1)).toEqual(['a', 'z']);
    await ok('startup.delete', { id: 'z', if_match: null });
    await ok('scenarios.delete', { name: 'shop' });
    expect(text()).toBe(`# All of them.\n\n- {id: a, path: a/generator.yml} # first\n${BAD}`);
  });

  test('what an invalid entry makes unsafe is refused', async () => {
    const broken = `${TEXT}- {id: a, path: again}\n- {id: c, path: c, sed: 1, scenarios: [shop]}\n`;
    const { send, files } = make(broken);
    for (const [type, payload, code, words] of [
      ['startup.create', { id: 'c', entry: body('c') }, 'already_exists', ''],
      ['startup.replace', { id: 'a', entry: body('a'), if_match: null }, 'invalid', 'several entries'],
      ['startup.delete', { id: 'a', if_match: null }, 'invalid', 'several entries'],
      ['startup.bulk_delete', { ids: ['b', 'a'] }, 'invalid', 'several entries'],
      ['scenarios.delete', { name: 'shop' }, 'invalid', "unknown key 'sed'"],
      ['scenarios.join', { name: 's', generator_id: 'c' }, 'invalid', "unknown key 'sed'"],
      ['scenarios.leave', { name: 'shop', generator_id: 'c' }, 'invalid', "unknown key 'sed'"],
    ] as const) {
      expect([type, await send(type, payload)]).toMatchObject([
        type,
        { left: { code, message: expect.stringContaining(words) } },
      ]);
    }
    expect(files.writes()).toBe(0);
  });

  test('that is missing or cannot be written is the trouble of the service, not of the request', async () => {
    expect(await make(null).send('startup.entries', null)).toMatchObject({ left: { code: 'unreadable' } });
    expect(await make(null).send('startup.create', { id: 'a', entry: body('a') })).toMatchObject({
      left: { code: 'unreadable' },
    });
    const { send, files, text, noted } = make(TEXT);
    files.failWrites('the disk is full');
    expect(await send('startup.create', { id: 'c', entry: body('c') })).toMatchObject({
      left: { code: 'unwritable' },
    });
    expect(text()).toBe(TEXT);
    expect(noted).toEqual([]);
  });

  test('its entries are reported with every read and every change', async () => {
    const { ok, noted } = make(TEXT);
    await ok('startup.entries');
    await ok('startup.create', { id: 'c', entry: body('c') });
    await ok('startup.delete', { id: 'a', if_match: null });
    expect(noted).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  test('is read while a change is being written, and shows the change when that is answered', async () => {
    const slow = { release: () => {} };
    const disk: Disk = new Map([[FILE, TEXT]]);
    const files = memoryFiles(disk);
    const released = new Promise<void>((resolve) => {
      slow.release = resolve;
    });
    const { ok, ids } = make(null, {
      files: {
        readText: files.readText,
        replaceText: async (path, text) => {
          await released;
          return files.replaceText(path, text);
        },
      },
    });
    expect(await ids()).toEqual(['a', 'b']);
    const creating = ok('startup.create', { id: 'c', entry: body('c') });
    expect(await ids()).toEqual(['a', 'b']);
    slow.release();
    await creating;
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  test('has other defaults after a reload, and is changed as before', async () => {
    const context = { generation: GENERATION as typeof DEFAULT_GENERATION, generators_dir: '/g' };
    const { ok, send } = make(TEXT, { context });
    await ok('startup.create', { id: 'c', entry: body('c') });
    expect(await ok('startup.read', { id: 'c' })).toMatchObject({ entry: { timezone: 'Europe/Berlin' } });
    context.generation = { ...GENERATION, timezone: 'Asia/Tokyo' };
    expect(await ok('startup.read', { id: 'c' })).toMatchObject({ entry: { timezone: 'Asia/Tokyo' } });
    expect(await send('startup.create', { id: 'd', entry: body('d') })).toEqual(E.right(null));
    expect(await ok('startup.read', { id: 'a' })).toMatchObject({ entry: { timezone: 'Asia/Tokyo' } });
  });

  test('a hundred changes at the same time lose none', async () => {
    const { ok, ids } = make(TEXT);
    const names = Array.from({ length: 50 }, (_, n) => `n${n}`);
    await Promise.all([
      ...names.map((id) => ok('startup.create', { id, entry: body(id) })),
      ...names.map((name) => ok('scenarios.join', { name, generator_id: 'b' })),
    ]);
    expect((await ids()).length).toBe(52);
    expect(await ok('startup.read', { id: 'b' })).toMatchObject({ entry: { scenarios: names } });
  });

  test('is the old or the new one whole when the process dies while it is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), async (isReplaced) => {
        const disk: Disk = new Map([[FILE, TEXT]]);
        const dying = memoryFiles(disk, 1, { share: 0.5, isReplaced });
        const { send } = make(null, { files: dying }, disk);
        void send('startup.create', { id: 'c', entry: body('c') });
        while (!dying.hasCrashed()) await new Promise((resolve) => setImmediate(resolve));
        const left = loadStartup(disk.get(FILE) ?? '', FILE, GENERATION, '/g');
        expect(E.isRight(left) && left.right.entries.map(({ id }) => id)).toEqual(
          isReplaced ? ['a', 'b', 'c'] : ['a', 'b'],
        );
      }),
    );
  });
});

describe('scenarios', () => {
  test('are made by the first member, in the order of the file, and end with the last', async () => {
    const { ok, text } = make(TEXT);
    expect(await ok('scenarios.list')).toEqual(['shop']);
    await ok('scenarios.join', { name: 'night', generator_id: 'b' });
    await ok('scenarios.join', { name: 'night', generator_id: 'a' });
    expect(await ok('scenarios.list')).toEqual(['night', 'shop']);
    expect(await ok('scenarios.read', { name: 'night' })).toEqual({
      name: 'night',
      generator_ids: ['a', 'b'],
    });
    expect(await ok('startup.read', { id: 'a' })).toMatchObject({ entry: { scenarios: ['shop', 'night'] } });
    await ok('scenarios.leave', { name: 'night', generator_id: 'b' });
    await ok('scenarios.leave', { name: 'night', generator_id: 'a' });
    expect(await ok('scenarios.list')).toEqual(['shop']);
    for (const comment of TEXT.match(/#.*/g) ?? []) expect(text()).toContain(comment);
  });

  test('deleting one takes its name out of every entry', async () => {
    const { ok, text } = make(TEXT);
    await ok('scenarios.join', { name: 'shop', generator_id: 'b' });
    await ok('scenarios.join', { name: 'night', generator_id: 'a' });
    await ok('scenarios.delete', { name: 'shop' });
    expect(await ok('scenarios.list')).toEqual(['night']);
    expect(text()).not.toContain('shop');
  });

  test('that only running generators are in exist, and end with them', async () => {
    const running = new Map([['a', ['old', 'shop']]]);
    const { ok, send } = make(TEXT, { running: () => running });
    expect(await ok('scenarios.list')).toEqual(['old', 'shop']);
    expect(await ok('scenarios.read', { name: 'old' })).toEqual({ name: 'old', generator_ids: ['a'] });
    expect(await ok('scenarios.read', { name: 'shop' })).toEqual({ name: 'shop', generator_ids: ['a'] });
    expect(await send('scenarios.delete', { name: 'old' })).toMatchObject({ left: { code: 'not_found' } });
    running.clear();
    expect(await ok('scenarios.list')).toEqual(['shop']);
  });

  test('of an empty file are none', async () => {
    const { ok } = make('# nothing yet\n');
    expect(await ok('scenarios.list')).toEqual([]);
    expect(await ok('startup.entries')).toEqual([]);
  });
});

describe('renames', () => {
  const LIST = `# All of them.

- {id: a, path: a/generator.yml, scenarios: [shop]} # first
# The second.
- id: b # of the shop
  path: /elsewhere/b.yml
  scenarios:
    - old
    - shop # the second
  seed: 7
- id: c
  path: c/generator.yml
  sed: 1
`;

  test('change the id of an entry, and nothing else', async () => {
    const { ok, text, ids } = make(LIST);
    await ok('startup.rename', { id: 'b', to: 'new' });
    expect(text()).toBe(LIST.replace('- id: b #', '- id: new #'));
    await ok('startup.rename', { id: 'a', to: 'first' });
    expect(text()).toBe(LIST.replace('- id: b #', '- id: new #').replace('id: a,', 'id: first,'));
    expect(await ids()).toEqual(['first', 'new']);
    await ok('startup.rename', { id: 'new', to: 'b' });
    await ok('startup.rename', { id: 'first', to: 'a' });
    expect(text()).toBe(LIST);
  });

  test('change the name of a scenario in all its entries, and nothing else', async () => {
    const { ok, text } = make(LIST);
    await ok('startup.rename_scenario', { name: 'shop', to: 'store' });
    expect(text()).toBe(LIST.replace('[shop]', '[store]').replace('- shop #', '- store #'));
    await ok('startup.rename_scenario', { name: 'store', to: 'shop' });
    expect(text()).toBe(LIST);
  });

  test.each([
    ['startup.rename', { id: 'a', to: 'b' }, 'already_exists'],
    ['startup.rename', { id: 'a', to: 'c' }, 'already_exists'],
    ['startup.rename', { id: 'c', to: 'd' }, 'invalid'],
    ['startup.rename_scenario', { name: 'old', to: 'shop' }, 'already_exists'],
  ])('%s with %j is refused and changes nothing', async (type, payload, code) => {
    const { send, text, files } = make(LIST);
    expect(await send(type, payload)).toMatchObject({ left: { code } });
    expect(text()).toBe(LIST);
    expect(files.writes()).toBe(0);
  });

  test('refuse a scenario while a member runs, also one that starts while the list is written', async () => {
    const running = new Map([['a', ['shop']]]);
    const { send, text, files } = make(LIST, { running: () => running });
    const rename = () => send('startup.rename_scenario', { name: 'shop', to: 'store' });
    expect(await rename()).toMatchObject({
      left: {
        code: 'wrong_state',
        message: expect.stringContaining('generator "a" runs in scenario "shop"'),
      },
    });
    expect(files.writes()).toBe(0);
    let looks = 0;
    const late = make(LIST, { running: () => (looks++ === 0 ? new Map() : running) });
    expect(await late.send('startup.rename_scenario', { name: 'shop', to: 'store' })).toMatchObject({
      left: { code: 'wrong_state' },
    });
    expect(late.text()).toBe(LIST);
    running.clear();
    expect(await rename()).toEqual(E.right(null));
    expect(text()).toContain('[store]');
  });
});
