import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const PER_SECOND = 500;
const SECONDS = 3;
const ALL = Array.from({ length: SECONDS * PER_SECOND }, (_, i) => i + 1);

/** Events are their number in the stream. */
const GENERATORS = {
  'count/generator.yml': `
input: [linspace: {start: now, end: +${SECONDS}s, count: ${ALL.length}}]
event: {replay: {path: lines.txt}}
output: [file: {path: ../../out.log}]
`,
  'count/lines.txt': ALL.map((n) => `${n}\n`).join(''),
  'mode/generator.yml': `
input: [timer: {seconds: 0.1, count: 1}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../mode.log}]
`,
  'mode/produce.mjs': 'export const produce = ({ globals }) => globals.get("mode");\n',
};

const COUNT = 'path: count/generator.yml, skip_past: false, checkpoint: true, autostart: false';

let instance: Instance;
afterEach(async () => {
  await instance.remove();
});

const begin = async (startup: string): Promise<void> => {
  instance = await makeInstance({ startup, generators: GENERATORS });
  await instance.start();
};

const linesOf = async (name: string): Promise<readonly string[]> => {
  const text = await readFile(join(instance.folder, name), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean);
};

const reached = (count: number): Promise<true> =>
  eventually(async () => ((await linesOf('out.log')).length >= count ? true : null), `${count} events`);

const post = (path: string) => instance.api('POST', path);

const done = async (path: string): Promise<void> =>
  expect([path, await post(path)]).toMatchObject([path, { status: 200 }]);

const phaseIs = (id: string, phase: string): Promise<true> =>
  eventually(async () => {
    const { body } = await instance.api('GET', `/generators/${id}/status`);
    return (body as { phase: string }).phase === phase ? true : null;
  }, `${id} is ${phase}`);

const ids = async (): Promise<readonly string[]> => {
  const { body } = await instance.api('GET', '/generators/');
  return (body as readonly { id: string }[]).map(({ id }) => id);
};

const checkpoints = (): Promise<readonly string[]> => readdir(join(instance.folder, 'state', 'checkpoints'));

const leaveLetter = async (id: string): Promise<void> => {
  const folder = join(instance.folder, 'state', 'dead-letters', id, '1-file');
  await mkdir(folder, { recursive: true });
  const letter = { at: '2026-11-20T19:00:01+00:00', code: 'rejected', reason: 'too wide', event: 'e' };
  await writeFile(join(folder, '00000001.jsonl'), `${JSON.stringify(letter)}\n`);
};

describe('a generator that is renamed', () => {
  test('resumes under its new id without a gap or a repeat, has its dead letters, and stays over a restart', async () => {
    await begin(
      `# All.\n- {id: other, path: mode/generator.yml, autostart: false}\n- {id: old, ${COUNT}} # mine\n`,
    );
    await leaveLetter('old');
    await done('/generators/old/start');
    await reached(PER_SECOND);
    expect(await post('/generators/old/rename?to=new')).toMatchObject({
      status: 409,
      body: { code: 'wrong_state', detail: 'generator "old" runs: stop it first' },
    });
    await done('/generators/old/stop');
    const before = await linesOf('out.log');
    await done('/generators/old/rename?to=new');
    expect(await ids()).toEqual(['other', 'new']);
    expect(await instance.file('startup.yml')).toBe(
      `# All.\n- {id: other, path: mode/generator.yml, autostart: false}\n- {id: new, ${COUNT}} # mine\n`,
    );
    expect(await checkpoints()).toEqual(['new.json']);
    expect((await instance.api('GET', '/generators/new/dead-letters')).body).toMatchObject([{ letters: 1 }]);
    expect((await instance.api('GET', '/generators/old/dead-letters')).status).toBe(404);
    expect((await instance.api('GET', '/generators/new')).body).toMatchObject({
      path: 'count/generator.yml',
    });
    await instance.kill('SIGTERM');
    await instance.start();
    await done('/generators/new/start');
    await phaseIs('new', 'finished');
    const all = (await linesOf('out.log')).map(Number);
    expect(before.length).toBeLessThan(ALL.length);
    expect(all).toEqual(ALL);
  });

  test('has all its partitions, and a reload leaves it alone', async () => {
    await begin(`- {id: old, ${COUNT}, partitions: 2}\n`);
    await done('/generators/old/start');
    await reached(PER_SECOND / 2);
    await done('/generators/old/stop');
    await done('/generators/old/rename?to=new');
    expect(await ids()).toEqual(['new']);
    expect(await checkpoints()).toEqual(['new~0.json', 'new~1.json']);
    await done('/generators/new/start');
    instance.program().child.kill('SIGHUP');
    await instance.program().saw(/reloaded: generators 1 untouched/);
    await phaseIs('new', 'finished');
    const all = (await linesOf('out.log')).map(Number);
    expect(all.toSorted((a, b) => a - b)).toEqual(ALL);
  });

  test('stays as it was when its entry is invalid by now, and when the new id is no free one', async () => {
    await begin(`- {id: old, ${COUNT}}\n- {id: taken, path: mode/generator.yml, autostart: false}\n`);
    await done('/generators/old/start');
    await reached(1);
    await done('/generators/old/stop');
    const first = await linesOf('out.log');
    for (const [path, status, code] of [
      ['nobody/rename?to=new', 404, 'not_found'],
      ['old~0/rename?to=new', 404, 'not_found'],
      ['old/rename?to=taken', 409, 'already_exists'],
      ['old/rename?to=old', 409, 'already_exists'],
    ] as const)
      expect([path, await post(`/generators/${path}`)]).toMatchObject([path, { status, body: { code } }]);
    for (const path of ['old/rename', 'old/rename?to=a~1', 'old/rename?to=a&to=b'])
      expect([path, (await post(`/generators/${path}`)).status]).toEqual([path, 422]);
    const file = join(instance.folder, 'startup.yml');
    const startup = await readFile(file, 'utf8');
    await writeFile(file, startup.replace('{id: old,', '{id: old, sed: 1,'));
    expect(await post('/generators/old/rename?to=new')).toMatchObject({
      status: 422,
      body: { detail: [{ msg: expect.stringContaining('sed') }] },
    });
    expect(await checkpoints()).toEqual(['old.json']);
    expect(await ids()).toEqual(['old', 'taken']);
    await writeFile(file, startup);
    await done('/generators/old/start');
    await phaseIs('old', 'finished');
    const all = (await linesOf('out.log')).map(Number);
    expect(first.length).toBeLessThan(all.length);
    expect(all).toEqual(ALL);
  });
});

describe('a scenario that is renamed', () => {
  const STARTUP = `- id: a
  path: mode/generator.yml
  scenarios:
    - shop # the home
    - night
- {id: b, path: mode/generator.yml, autostart: false, scenarios: [shop]}
`;
  const modeIs = (mode: string): Promise<true> =>
    eventually(async () => ((await linesOf('mode.log')).at(-1) === mode ? true : null), `mode ${mode}`);

  test('has its members and globals under the new name, also after a restart, and only once no member runs', async () => {
    await begin(STARTUP);
    const globals = { mode: 'sale', deep: [1, null] };
    expect((await instance.api('PATCH', '/scenarios/shop/globals', globals)).status).toBe(200);
    await modeIs('sale');
    expect(await post('/scenarios/shop/rename?to=store')).toMatchObject({
      status: 409,
      body: { code: 'wrong_state' },
    });
    await done('/generators/a/stop');
    for (const [path, status] of [
      ['shop/rename?to=night', 409],
      ['shop/rename?to=shop', 409],
      ['nobody/rename?to=store', 404],
      ['shop/rename', 422],
    ] as const)
      expect([path, (await post(`/scenarios/${path}`)).status]).toEqual([path, status]);
    expect(await instance.file('startup.yml')).toBe(STARTUP);
    await done('/scenarios/shop/rename?to=store');
    expect(await instance.file('startup.yml')).toBe(STARTUP.replaceAll('shop', 'store'));
    expect((await instance.api('GET', '/scenarios/')).body).toEqual(['night', 'store']);
    expect((await instance.api('GET', '/scenarios/store/globals')).body).toEqual(globals);
    expect((await instance.api('GET', '/scenarios/shop/globals')).status).toBe(404);
    await done('/generators/a/start');
    await instance.api('PATCH', '/scenarios/store/globals', { mode: 'usual' });
    await modeIs('usual');
    await instance.kill('SIGKILL');
    await instance.start();
    expect((await instance.api('GET', '/scenarios/store/globals')).body).toEqual({
      ...globals,
      mode: 'usual',
    });
    const files = await readdir(join(instance.folder, 'state', 'globals'));
    expect(files.filter((name) => name.startsWith('shop'))).toEqual([]);
  });
});
