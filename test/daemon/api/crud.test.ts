import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_GENERATION } from '../../../src/config/settings/generationFields.js';
import { loadStartup } from '../../../src/config/startup/startup.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const LINES = Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`).join('');
const ENDLESS =
  'export const produce = ({ globals, params }) => params.n === 0 ? null : `mode ${globals.get("mode", "unset")}`;';

/** One event every 10 ms, for a day. */
const steady = (event: object, file: string) => ({
  input: [{ linspace: { start: 'now', end: '+1d', count: 8_640_000 } }],
  event,
  output: [{ file: { path: `../../out/${file}`, flush_interval: 0 } }],
});

const HAND = `# Kept by hand.

# The first one.
- id: first   # never started by itself
  path: first/generator.yml
  autostart: false
`;

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
  instance = null;
});

const started = async (
  startup = HAND,
  generators: Readonly<Record<string, string>> = {},
): Promise<Instance> => {
  const made = await makeInstance({
    startup,
    settings: 'timezone: Europe/Berlin',
    generators: {
      'first/generator.yml': JSON.stringify(steady({ script: { path: 'produce.mjs' } }, 'first.log')),
      'first/produce.mjs': ENDLESS,
      ...generators,
    },
  });
  instance = made;
  await made.start();
  return made;
};

const entriesOf = (text: string) => {
  const read = loadStartup(text, 'startup.yml', DEFAULT_GENERATION, '/g');
  if (E.isLeft(read)) throw new Error(read.left.message);
  expect(read.right.rejected).toEqual([]);
  return read.right.entries;
};

describe('a generator over the API', () => {
  test('from its config to its end: created, registered, started, counted, restarted, stopped, replaced, deleted', async () => {
    const { api, file } = await started('[]', { 'web/lines.txt': LINES });
    const config = steady({ replay: { path: 'lines.txt', repeat: true } }, 'web.log');
    expect(await api('POST', '/generators/web', { path: 'web/generator.yml' })).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: expect.stringContaining('web/generator.yml') },
    });
    expect((await api('POST', '/generator-configs/web', config)).status).toBe(201);
    expect(await api('POST', '/generators/web', { path: 'web/generator.yml' })).toEqual({
      status: 201,
      body: null,
    });
    expect(await api('GET', '/generators/web')).toMatchObject({
      body: { timezone: 'Europe/Berlin', live_mode: true, batch: { size: 10_000, delay: 1 } },
    });
    expect(await api('GET', '/generators/')).toMatchObject({
      body: [{ id: 'web', path: 'web/generator.yml', status: { phase: 'idle' }, scenarios: [] }],
    });
    expect((await api('POST', '/generators/web/start')).body).toBe(true);
    const written = async () => {
      const { body } = await api('GET', '/generators/group-actions/stats-running');
      const [stats] = body as readonly { readonly total_written: number }[];
      return stats === undefined || stats.total_written < 20 ? null : stats.total_written;
    };
    await eventually(written, 'twenty events');
    expect((await api('PUT', '/generators/web', { path: 'web/generator.yml' })).status).toBe(409);

    const changed = { ...config, output: [{ file: { path: '../../out/again.log', flush_interval: 0 } }] };
    expect((await api('PUT', '/generator-configs/web', changed)).status).toBe(200);
    expect((await api('POST', '/generators/web/restart')).body).toBe(true);
    await eventually(written, 'twenty events after the restart');
    expect((await file('out/again.log')).startsWith('line 0\nline 1\n')).toBe(true);

    expect((await api('POST', '/generators/web/stop')).status).toBe(200);
    expect(
      (await api('PUT', '/generators/web', { path: 'web/generator.yml', live_mode: false })).status,
    ).toBe(200);
    expect((await api('GET', '/generators/web')).body).toMatchObject({ live_mode: false });
    expect((await api('POST', '/generators/web/start')).body).toBe(true);
    expect((await api('DELETE', '/generators/web')).status).toBe(200);
    expect((await api('DELETE', '/generators/web')).status).toBe(404);
    const text = await file('out/again.log');
    expect(text.endsWith('\n')).toBe(true);
    expect(await file('startup.yml')).toBe('[]');
  });

  test('is taken only from inside of the generators directory', async () => {
    const made = await started();
    const { api, folder } = made;
    await mkdir(join(folder, 'secret'));
    await writeFile(join(folder, 'secret', 'generator.yml'), 'password: x');
    await symlink(join(folder, 'secret'), join(folder, 'generators', 'linked'));
    for (const [path, status, code] of [
      ['../secret/generator.yml', 422, 'not_allowed'],
      [join(folder, 'secret', 'generator.yml'), 422, 'not_allowed'],
      ['first/../../secret/generator.yml', 422, 'not_allowed'],
      ['.', 422, 'not_allowed'],
      ['linked/generator.yml', 403, 'forbidden'],
      ['linked/none.yml', 403, 'forbidden'],
      ['first', 404, 'not_found'],
      ['none/generator.yml', 404, 'not_found'],
      [`${'x'.repeat(300)}/generator.yml`, 404, 'not_found'],
    ] as const) {
      const answer = await api('POST', '/generators/new', { path });
      expect([path, answer.status]).toEqual([path, status]);
      expect(JSON.stringify(answer.body)).toContain(`"${code}"`);
      if (status === 422) expect(answer.body).toMatchObject({ detail: [{ loc: ['body', 'path'] }] });
    }
    for (const path of ['../secret/generator.yml', 'linked/generator.yml']) {
      expect((await api('POST', '/startup/new', { path })).status).toBe(path.startsWith('..') ? 422 : 403);
    }
    expect((await api('POST', '/generators/a%20b', { path: 'first/generator.yml' })).body).toMatchObject({
      detail: [{ loc: ['path', 'id'] }],
    });
    expect(
      (await api('POST', '/generators/new', { path: 'first/generator.yml', batch: { size: 0 } })).body,
    ).toMatchObject({
      detail: [{ loc: ['body', 'batch', 'size'] }],
    });
    const absolute = join(folder, 'generators', 'first', 'generator.yml');
    expect((await api('POST', '/generators/new', { path: absolute, id: 'other' })).status).toBe(201);
    expect((await api('GET', '/generators/new')).status).toBe(200);
  });

  test('a thousand are registered, started, restarted, stopped and deleted in bulk', async () => {
    const quiet =
      "input: [cron: {expression: '0 0 1 1 *', count: 1}]\nevent: {replay: {path: lines.txt}}\noutput: [stdout: {}]\n";
    const { api } = await started('[]', { 'quiet/generator.yml': quiet, 'quiet/lines.txt': LINES });
    const ids = Array.from({ length: 1_000 }, (_, n) => `q${n}`);
    for (let from = 0; from < ids.length; from += 50) {
      const part = ids.slice(from, from + 50);
      const answers = await Promise.all(
        part.map((id) => api('POST', `/generators/${id}`, { path: 'quiet/generator.yml' })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    }
    for (const verb of ['start', 'restart']) {
      const answer = await api('POST', `/generators/group-actions/bulk-${verb}`, [...ids, 'nobody']);
      expect(answer.body).toEqual({
        running_generator_ids: ids,
        non_running_generator_ids: ['nobody'],
        reasons: { nobody: 'there is no generator "nobody"' },
      });
    }
    const { body } = await api('GET', '/generators/group-actions/stats-running');
    expect(body).toHaveLength(1_000);
    expect(
      await api('POST', '/generators/group-actions/bulk-stop', [...ids.slice(0, 300), 'nobody']),
    ).toEqual({
      status: 200,
      body: null,
    });
    expect((await api('POST', '/generators/group-actions/bulk-delete', [...ids, 'nobody'])).body).toBe(null);
    expect((await api('GET', '/generators/')).body).toEqual([]);
    expect((await api('POST', '/generators/group-actions/bulk-start', [])).status).toBe(422);
  });
});

describe('the startup list over the API', () => {
  test('edits preserve handwritten text, start nothing, and are in force after a restart', async () => {
    const { api, file, kill, start } = await started();
    const entry = { path: 'first/generator.yml', scenarios: ['shop'], params: { n: 1 } };
    expect(await api('POST', '/startup/second', entry)).toEqual({ status: 201, body: null });
    expect((await api('POST', '/startup/second', entry)).status).toBe(409);
    expect((await api('POST', '/startup/third', { ...entry, id: 'second' })).status).toBe(422);
    expect((await api('POST', '/startup/absent', { path: 'not/yet.yml', autostart: false })).status).toBe(
      201,
    );
    expect((await api('GET', '/generators/')).body).toMatchObject([{ id: 'first' }]);
    expect(await file('startup.yml')).toBe(
      `${HAND}\n- id: second\n  path: first/generator.yml\n  scenarios: [shop]\n  params:\n    n: 1\n\n- id: absent\n  path: not/yet.yml\n  autostart: false\n`,
    );
    const { body } = await api('GET', '/startup/second');
    expect(body).toMatchObject({
      id: 'second',
      path: 'first/generator.yml',
      timezone: 'Europe/Berlin',
      autostart: true,
    });
    expect((await api('PUT', '/startup/second', body)).status).toBe(200);
    expect((await api('PUT', '/startup/second', { ...(body as object), seed: '7' })).status).toBe(200);
    expect((await api('DELETE', '/startup/absent')).status).toBe(200);
    expect((await api('DELETE', '/startup/absent')).status).toBe(404);
    await kill('SIGKILL');
    await start();
    expect((await api('GET', '/startup/')).body).toMatchObject([
      { id: 'first' },
      { id: 'second', seed: '7' },
    ]);
    await eventually(async () => {
      const answer = await api('GET', '/generators/second/status');
      return (answer.body as { readonly phase?: string }).phase === 'running' ? true : null;
    }, 'the new entry runs');
    expect(
      (await api('POST', '/startup/group-actions/bulk-delete', ['second', 'nobody', 'first'])).body,
    ).toEqual(['first', 'second']);
    expect((await api('GET', '/generators/second/status')).body).toMatchObject({ phase: 'running' });
  });

  test('If-Match keeps two people from undoing each other', async () => {
    const { url } = await started();
    const put = (etag: string, seed: string) =>
      fetch(`${url}/startup/first`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': etag },
        body: JSON.stringify({ path: 'first/generator.yml', seed }),
      });
    const etag = (await fetch(`${url}/startup/first`)).headers.get('etag') ?? '';
    expect((await put(etag, 'one')).status).toBe(200);
    expect((await put(etag, 'two')).status).toBe(412);
  });

  test('a hundred edits at the same time lose none, and none by hand', async () => {
    const { api, file } = await started();
    const ids = Array.from({ length: 60 }, (_, n) => `n${n}`);
    const names = Array.from({ length: 40 }, (_, n) => `s${n}`);
    const answers = await Promise.all([
      ...ids.map((id) => api('POST', `/startup/${id}`, { path: `${id}/generator.yml`, autostart: false })),
      ...names.map((name) => api('POST', `/scenarios/${name}/generators/first`)),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const text = await file('startup.yml');
    for (const comment of HAND.match(/#.*/g) ?? []) expect(text).toContain(comment);
    const entries = entriesOf(text);
    expect(entries.map(({ id }) => id).sort()).toEqual(['first', ...ids].sort());
    expect([...(entries.find(({ id }) => id === 'first')?.scenarios ?? [])].sort()).toEqual(
      [...names].sort(),
    );
  });

  test('kill -9 in the middle of edits leaves a whole file with every answered edit', async () => {
    const made = await started();
    for (const pause of [0, 10, 30, 60]) {
      const answered = new Set<string>();
      const tried = Array.from({ length: 40 }, (_, n) => `p${pause}-${n}`);
      const edits = tried.map(async (id) => {
        const { status } = await made.api('POST', `/startup/${id}`, {
          path: `${id}/generator.yml`,
          autostart: false,
        });
        if (status === 201) answered.add(id);
      });
      await Promise.race(edits);
      await new Promise((resolve) => setTimeout(resolve, pause));
      await made.kill('SIGKILL');
      await Promise.allSettled(edits);
      const text = await made.file('startup.yml');
      const ids = new Set(entriesOf(text).map(({ id }) => id));
      expect([...answered].filter((id) => !ids.has(id))).toEqual([]);
      expect(answered.size).toBeGreaterThan(0);
      expect(text.startsWith(HAND)).toBe(true);
      await made.start();
    }
  });

  test('an invalid entry answers with its problem, its place and the remedy, and PUT repairs it', async () => {
    const { api, file, folder } = await started();
    const broken = `${HAND}- {id: bad, path: x, sed: 1} # mine\n`;
    await writeFile(join(folder, 'startup.yml'), broken);
    const answer = await api('GET', '/startup/bad');
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toMatch(
      /startup\.yml:7:22 {2}\[1\]\.sed {2}unknown key 'sed'.*Replace it with PUT, delete it, or edit the file/,
    );
    expect((await api('GET', '/startup/')).body).toMatchObject([{ id: 'first' }]);
    expect((await api('GET', '/startup/group-actions/invalid')).body).toEqual([
      {
        id: 'bad',
        position: 2,
        autostart: true,
        reason: expect.stringContaining("unknown key 'sed'"),
        written: { id: 'bad', path: 'x', sed: 1 },
      },
    ]);
    expect((await api('POST', '/startup/bad', { path: 'x.yml' })).status).toBe(409);
    expect((await api('POST', '/startup/new', { path: 'x.yml' })).status).toBe(201);
    expect((await api('DELETE', '/startup/new')).status).toBe(200);
    expect(await file('startup.yml')).toBe(broken);
    expect((await api('PUT', '/startup/bad', { path: 'x' })).status).toBe(200);
    expect(await file('startup.yml')).toBe(`${HAND}- {id: bad, path: x} # mine\n`);
    expect((await api('GET', '/startup/bad')).body).toMatchObject({ id: 'bad', path: 'x' });
    expect((await api('GET', '/startup/group-actions/invalid')).body).toEqual([]);
  });

  test('a file that is no list is not touched, and the answer says where the problem is', async () => {
    const { api, file, folder } = await started();
    await writeFile(join(folder, 'startup.yml'), 'first: 1\n');
    const answer = await api('POST', '/startup/new', { path: 'x.yml' });
    expect(answer).toMatchObject({ status: 500, body: { code: 'unreadable' } });
    expect(JSON.stringify(answer.body)).toContain('startup.yml:1:1  must be a list');
    expect(await file('startup.yml')).toBe('first: 1\n');
  });
});

describe('members of scenarios over the API', () => {
  test('join and leave at their next start; until then the globals they use are there', async () => {
    const { api, file } = await started();
    const mode = async (): Promise<string | undefined> => {
      const text = await file('out/first.log').catch(() => '');
      return text.trimEnd().split('\n').at(-1);
    };
    const sees = (wanted: string) =>
      eventually(async () => ((await mode()) === wanted ? true : null), wanted);
    expect((await api('PATCH', '/scenarios/shop/globals', { mode: 'a' })).status).toBe(404);
    await api('POST', '/generators/first/start');
    await sees('mode unset');
    expect(await api('POST', '/scenarios/shop/generators/first')).toEqual({ status: 201, body: null });
    expect((await api('POST', '/scenarios/shop/generators/first')).status).toBe(409);
    expect((await api('POST', '/scenarios/shop/generators/nobody')).status).toBe(404);
    expect((await api('PATCH', '/scenarios/shop/globals', { mode: 'a', none: null })).status).toBe(200);
    expect((await api('GET', '/generators/first/status')).body).toMatchObject({ phase: 'running' });
    expect(await mode()).toBe('mode unset');

    await api('POST', '/generators/first/restart');
    await sees('mode a');
    expect((await api('GET', '/scenarios/')).body).toEqual(['shop']);
    expect((await api('GET', '/scenarios/shop')).body).toEqual({ name: 'shop', generator_ids: ['first'] });
    expect(await api('GET', '/scenarios/shop/globals/none')).toEqual({ status: 200, body: null });
    expect((await api('GET', '/scenarios/shop/globals/missing')).status).toBe(404);

    expect((await api('DELETE', '/scenarios/shop')).status).toBe(200);
    expect(await file('startup.yml')).toBe(HAND);
    expect((await api('PATCH', '/scenarios/shop/globals', { mode: 'b' })).status).toBe(200);
    await sees('mode b');
    await api('POST', '/generators/first/restart');
    await sees('mode unset');
    expect((await api('GET', '/scenarios/')).body).toEqual([]);
    expect((await api('GET', '/scenarios/shop/globals')).status).toBe(404);
    expect((await api('DELETE', '/scenarios/shop/generators/first')).status).toBe(404);
  });
});
