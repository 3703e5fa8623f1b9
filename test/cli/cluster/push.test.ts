import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { unpacked } from '../../../src/adapters/directories/workingCopies.js';
import { planPush } from '../../../src/cli/commands/cluster/pushPlan.js';
import { readPushSource } from '../../../src/cli/commands/cluster/pushSource.js';
import { applyPush, listLine } from '../../../src/cli/commands/cluster/runPush.js';
import { LIST_KEY } from '../../../src/cluster/keys.js';
import { packList, unpackList } from '../../../src/daemon/cluster/startupFile.js';
import { bytes } from '../../support/cluster/link.js';
import { left, right } from '../../support/either.js';
import { hasClusterNats, NEEDS_CLUSTER_NATS } from '../../support/servers/natsServer.js';
import { fakeIo, folderWith, spate } from '../support.js';
import { type ClusterRig, clusterFolder, clusterRig, listOf, SCRIPT } from './rig.js';

const describeNats = hasClusterNats ? describe : describe.skip;

describeNats(`spate cluster push ${NEEDS_CLUSTER_NATS}`, () => {
  let rig: ClusterRig;
  beforeAll(async () => {
    rig = await clusterRig();
  });
  afterAll(() => rig.remove());
  afterEach(async () => {
    for (const { name, revision } of right(await rig.link.configs.list()))
      right(await rig.link.configs.remove(name, revision));
    right(await rig.link.startup.remove(LIST_KEY, null));
  });

  const push = (cwd: string, options = '') => rig.run(`push generators startup.yml ${options}`, cwd);

  const stored = async () => {
    const list = right(await rig.link.startup.read(LIST_KEY));
    const infos = right(await rig.link.configs.list());
    return {
      list: list === null ? null : right(unpackList(list.value)),
      names: infos.map(({ name }) => name).sort(),
    };
  };

  const filesOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const read = right(await rig.link.configs.read(name));
    const files = right(await unpacked(name, read?.content ?? new Uint8Array()));
    return Object.fromEntries([...files].map(([path, content]) => [path, content.toString()]));
  };

  test('copies every directory and the startup list, comments included, but not what outputs wrote', async () => {
    const cwd = await clusterFolder(rig, ['shop', 'web'], {
      'startup.yml': `# Both.\n${listOf('shop', 'web')}`,
      'generators/shop/out/events.log': 'x\n',
      'generators/shared/words.csv': 'a,b\n',
    });
    const { code, out, err } = await push(cwd);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^\+ shared \(1 file, 4 bytes\)\n\+ shop \(2 files, \d+ bytes\)\n\+ web \(2 files, \d+ bytes\)\n\+ startup list \(2 entries\)\nPushed to cluster "lab"\.\n$/,
    );
    expect(await stored()).toEqual({
      list: `# Both.\n${listOf('shop', 'web')}`,
      names: ['shared', 'shop', 'web'],
    });
    expect(Object.keys(await filesOf('shop'))).toEqual(['generator.yml', 'produce.js']);
    expect(await filesOf('shared')).toEqual({ 'words.csv': 'a,b\n' });
  });

  test('a second push changes nothing', async () => {
    const cwd = await clusterFolder(rig, ['shop', 'web']);
    await push(cwd);
    const before = right(await rig.link.configs.list());
    expect(await push(cwd)).toEqual({
      code: 0,
      out: 'Nothing to push: the cluster has the same 2 directories and startup list (2 entries).\n',
      err: '',
    });
    expect(right(await rig.link.configs.list())).toEqual(before);
  });

  test('writes what differs, with the names of the files', async () => {
    const cwd = await clusterFolder(rig, ['shop', 'web', 'old']);
    await push(cwd);
    const before = new Map(right(await rig.link.configs.list()).map((info) => [info.name, info.revision]));
    await writeFile(join(cwd, 'generators/shop/produce.js'), SCRIPT.replace("'x'", "'y'"));
    await mkdir(join(cwd, 'generators/new'));
    await writeFile(join(cwd, 'generators/new/a.csv'), 'a\n');
    await writeFile(
      join(cwd, 'startup.yml'),
      `- id: shop\n  path: shop/generator.yml\n  autostart: false\n- id: more\n  path: shop/generator.yml\n`,
    );
    const { code, out } = await push(cwd);
    expect(code).toBe(0);
    expect(out).toBe(
      '+ new (1 file, 2 bytes)\n~ shop (produce.js)\n~ startup list (+1 entry, -2, 1 changed)\nPushed to cluster "lab".\n',
    );
    expect((await filesOf('shop'))['produce.js']).toContain("'y'");
    const after = right(await rig.link.configs.list());
    expect(after.find(({ name }) => name === 'web')?.revision).toBe(before.get('web'));
  });

  test('--dry-run prints the same and writes nothing', async () => {
    const cwd = await clusterFolder(rig, ['shop']);
    const dry = await push(cwd, '--dry-run');
    expect(dry.code).toBe(0);
    expect(dry.out).toMatch(
      /^\+ shop \(2 files, \d+ bytes\)\n\+ startup list \(1 entry\)\nDry run: nothing was pushed\.\n$/,
    );
    expect(await stored()).toEqual({ list: null, names: [] });
  });

  test('a directory that only the cluster has stays without --delete', async () => {
    await push(await clusterFolder(rig, ['shop', 'old']));
    const cwd = await clusterFolder(rig, ['shop']);
    const kept = await push(cwd);
    expect(kept).toMatchObject({ code: 0 });
    expect(kept.out).toContain('  old stays: only the cluster has it. Use --delete to remove it.\n');
    expect((await stored()).names).toEqual(['old', 'shop']);
    const removed = await push(cwd, '--delete');
    expect(removed).toMatchObject({ code: 0, out: '- old\nPushed to cluster "lab".\n' });
    expect((await stored()).names).toEqual(['shop']);
  });

  test('an entry may name a directory that only the cluster has, unless --delete removes it', async () => {
    await push(await clusterFolder(rig, ['shop']));
    const cwd = await clusterFolder(rig, [], { 'startup.yml': listOf('shop') });
    expect(await push(cwd, '--delete')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^spate: startup\.yml:2:9: \[0\]\.path: there is no directory 'shop' in /),
    });
    expect(await push(cwd)).toMatchObject({ code: 0 });
    expect(await stored()).toEqual({ list: listOf('shop'), names: ['shop'] });
  });

  test.each([
    [
      'an unknown field',
      '- id: shop\n  path: shop/generator.yml\n  speed: 3\n',
      "startup.yml:3:3: [0].speed: unknown key 'speed'",
    ],
    ['no list', 'id: shop\n', 'startup.yml:1:1: must be a list of generators'],
    ['no YAML', '- id: [\n', 'startup.yml:1:7: '],
    [
      'two entries of one id',
      listOf('shop', 'shop'),
      "startup.yml:3:7: [1].id: 'shop' is already the id of entry 1",
    ],
    [
      'an unknown directory',
      listOf('shop', 'shoe'),
      "startup.yml:4:9: [1].path: there is no directory 'shoe' in ",
    ],
    [
      'a missing config',
      '- id: shop\n  path: shop/main.yml\n',
      "startup.yml:2:9: [0].path: directory 'shop' has no file 'main.yml' to copy",
    ],
    [
      'a config among the outputs',
      '- id: shop\n  path: shop/out/generator.yml\n',
      "[0].path: directory 'shop' has no file 'out/generator.yml' to copy",
    ],
    [
      'a config outside',
      '- id: shop\n  path: /etc/generator.yml\n',
      'startup.yml:2:9: [0].path: is in no directory of the generators directory',
    ],
    [
      'a config in no directory',
      '- id: shop\n  path: notes.txt\n',
      'startup.yml:2:9: [0].path: is in no directory of the generators directory',
    ],
  ])('a startup list with %s pushes nothing', async (_what, text, message) => {
    const cwd = await clusterFolder(rig, ['shop'], {
      'startup.yml': text,
      'generators/shop/out/generator.yml': 'x',
    });
    const { code, out, err } = await push(cwd);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(await stored()).toEqual({ list: null, names: [] });
  });

  test('every wrong entry is reported with its place', async () => {
    const cwd = await clusterFolder(rig, ['shop'], {
      'startup.yml': '- id: a\n  path: 3\n- id: b\n- id: shop\n  path: shop/generator.yml\n',
    });
    const { code, err } = await push(cwd);
    expect(code).toBe(1);
    expect(err).toContain('startup.yml:2:9: [0].path: ');
    expect(err).toContain('startup.yml:3:3: [1].path: ');
  });

  describe('what changes during the push is not replaced', () => {
    const planOf = async (cwd: string, deletes = false) => {
      const source = await readPushSource(cwd, 'generators', 'startup.yml');
      return right(await planPush(rig.link, right(source), deletes));
    };
    const apply = async (plan: Awaited<ReturnType<typeof planOf>>) => {
      const lines: string[] = [];
      return { done: await applyPush(rig.link, plan, (line) => lines.push(line)), lines };
    };

    test('a directory: the push stops before the list', async () => {
      const cwd = await clusterFolder(rig, ['shop', 'web']);
      const plan = await planOf(cwd);
      right(await rig.link.configs.write('web', bytes('other'), 'd', 0));
      const { done, lines } = await apply(plan);
      expect(left(done)).toMatchObject({
        code: 'precondition_failed',
        message:
          'directory "web" changed in the cluster during the push and was not replaced. Run the command again to see the difference.',
      });
      expect(lines).toEqual([expect.stringMatching(/^\+ shop /)]);
      expect((await stored()).list).toBeNull();
      expect(right(await rig.link.configs.read('web'))?.info.digest).toBe('d');
    });

    test('the startup list', async () => {
      const cwd = await clusterFolder(rig, ['shop']);
      await push(cwd);
      await writeFile(join(cwd, 'startup.yml'), '[]\n');
      const plan = await planOf(cwd);
      right(await rig.link.startup.write(LIST_KEY, packList('# mine\n[]\n'), null));
      expect(left((await apply(plan)).done).message).toContain('the startup list changed in the cluster');
      expect((await stored()).list).toBe('# mine\n[]\n');
    });

    test('a directory to remove', async () => {
      const cwd = await clusterFolder(rig, ['shop', 'old']);
      await push(cwd);
      await rm(join(cwd, 'generators/old'), { recursive: true });
      await writeFile(join(cwd, 'startup.yml'), listOf('shop'));
      const plan = await planOf(cwd, true);
      const old = right(await rig.link.configs.read('old'))?.info.revision ?? 0;
      right(await rig.link.configs.write('old', bytes('other'), 'd', old));
      expect(left((await apply(plan)).done).message).toContain('directory "old" changed in the cluster');
      expect((await stored()).names).toEqual(['old', 'shop']);
    });
  });

  test('a damaged directory and a damaged list are replaced', async () => {
    right(await rig.link.configs.write('shop', bytes('no archive'), 'd', 0));
    right(await rig.link.startup.write(LIST_KEY, bytes('no list'), null));
    const cwd = await clusterFolder(rig, ['shop']);
    const { code, out } = await push(cwd);
    expect({ code, out }).toEqual({
      code: 0,
      out: '~ shop (generator.yml, produce.js)\n~ startup list (+1 entry)\nPushed to cluster "lab".\n',
    });
    expect(await stored()).toEqual({ list: listOf('shop'), names: ['shop'] });
  });

  test('needs a cluster file, and two arguments', async () => {
    const cwd = await clusterFolder(rig, ['shop'], {
      'wrong.yml': 'nats: {servers: []}\n',
    });
    expect(await spate('cluster push generators startup.yml', fakeIo({ cwd }))).toMatchObject({
      code: 2,
      err: expect.stringContaining('give --cluster FILE or set SPATE_CLUSTER'),
    });
    expect(await rig.run('push generators', cwd)).toMatchObject({ code: 2 });
    expect(await rig.run('push generators startup.yml --cluster wrong.yml', cwd)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/wrong\.yml:1:8: nats\.servers: /),
    });
    expect(await rig.run('push generators startup.yml --cluster missing.yml', cwd)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/missing\.yml: it does not exist/),
    });
    expect(await rig.run('push nowhere startup.yml', cwd)).toMatchObject({ code: 1 });
    expect(await rig.run('push generators nothing.yml', cwd)).toMatchObject({ code: 1 });
  });

  test('an empty folder with an empty list empties the list', async () => {
    const cwd = await folderWith({
      'cluster.yml': rig.clusterFile(),
      'generators/.keep': '',
      'startup.yml': '[]\n',
    });
    expect(await push(cwd)).toMatchObject({
      code: 0,
      out: '+ startup list (0 entries)\nPushed to cluster "lab".\n',
    });
  });
});

describe('the line of the startup list', () => {
  const base = { text: '', replaces: 3, entries: 5, added: 0, removed: 0, changed: 0 };
  test.each([
    [{ added: 2, removed: 1, changed: 1 }, '~ startup list (+2 entries, -1, 1 changed)'],
    [{ removed: 2 }, '~ startup list (-2 entries)'],
    [{ removed: 1, changed: 3 }, '~ startup list (-1 entry, 3 changed)'],
    [{}, '~ startup list (same entries, other text)'],
    [{ replaces: 0, entries: 1_000 }, '+ startup list (1,000 entries)'],
  ])('%j', (more, line) => {
    expect(listLine({ ...base, ...more })).toBe(line);
  });
});
