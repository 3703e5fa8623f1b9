import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { tokenHash } from '../../src/http/access/password.js';
import { TOOLS } from '../../src/mcp/server.js';
import { type Instance, makeInstance } from '../support/instance.js';
import { TINY } from '../support/library.js';
import { type Model, overHttp } from './support.js';

const CONFIG = `input: [{static: {count: 1}}]
event: {script: {path: produce.mjs}}
output: [{stdout: {}}]
`;
/** The operator chose a file outside; a model must not. */
const FILES = `input: [{static: {count: '\${params.count:-1}'}}]
event: {replay: {path: '\${params.file:-../outside.log}'}}
output: [{stdout: {}}]
`;
const SCRIPTS = `input: [{static: {count: 1}}]
event: {script: {path: '\${params.script:-produce.mjs}', python: '\${params.python:-python3}'}}
output: [{stdout: {}}]
`;
const PASSWORD = 'a password of the test';
const AUTH = `mcp: read, auth: {user: ann, password: ${PASSWORD}}`;

let instance: Instance | null = null;
let model: Model | null = null;
/** One for all tests in which nothing may be changed. */
let reading: Instance | null = null;
afterEach(async () => {
  await model?.close();
  await instance?.remove();
  [instance, model] = [null, null];
});
afterAll(() => reading?.remove());

const start = async (server: string): Promise<Instance> => {
  const made = await makeInstance({
    startup: '[]',
    generators: {
      'web/generator.yml': CONFIG,
      'web/produce.mjs': 'export const produce = () => "event";\n',
      'web/inside.log': 'a line inside\n',
      'files/generator.yml': FILES,
      'files/inside.log': 'a line inside\n',
      'outside.log': 'a line outside\n',
      'scripts/generator.yml': SCRIPTS,
      'scripts/produce.mjs': 'export const produce = () => "event";\n',
      'web/long.txt': 'x'.repeat(300_000),
      ...TINY,
    },
    server,
  });
  await made.start();
  return made;
};

/** An instance of its own for one test. */
const startOwn = async (server: string): Promise<Instance> => {
  instance = await start(server);
  return instance;
};
const startReading = async (): Promise<Instance> => {
  reading ??= await start('mcp: read');
  return reading;
};

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** One request with any headers, also those that `fetch` keeps to itself. */
const ask = (
  { url }: Instance,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/mcp`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.end(body);
  });

const LIST = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}';
const basic = (password: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`,
});

describe('/api/mcp', () => {
  test('only reads and previews unless the settings allow more', async () => {
    model = await overHttp(await startReading());
    const allowed = TOOLS.filter(({ effect }) => effect === 'reads' || effect === 'previews');
    expect(allowed.length).toBeLessThan(TOOLS.length);
    expect(await model.tools()).toEqual(allowed.map(({ name }) => name));
    for (const { name } of TOOLS.filter((tool) => !allowed.includes(tool))) {
      const { isError, value } = await model.call(name, { id: 'web', name: 'web' });
      expect(isError).toBe(true);
      expect(value).toMatchObject({
        error: { code: 'forbidden', message: expect.stringContaining('server.mcp: changes') },
      });
    }
    expect(await reading?.api('GET', '/generators/')).toMatchObject({ body: [] });
  });

  test('asks for the credentials of the API', async () => {
    const made = await startOwn(AUTH);
    await expect(overHttp(made)).rejects.toThrow();
    for (const headers of [{}, basic('wrong')]) {
      const refused = await ask(made, LIST, headers);
      expect(refused.status).toBe(401);
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'unauthenticated' });
    }
    model = await overHttp(made, basic(PASSWORD));
    expect(await model.call('list_generators')).toEqual({
      isError: false,
      value: { total: 0, generators: [] },
    });
  });

  test('lets each client do what its role allows, whatever the settings allow tools', async () => {
    const users = (['read', 'operate', 'admin'] as const).map(
      (role) => `${role}-bot: {role: ${role}, token: '${tokenHash(`spate_${role}`)}'}`,
    );
    const made = await startOwn(`mcp: changes, users: {${users.join(', ')}}`);
    const as = async (role: string): Promise<Model> => {
      await model?.close();
      model = await overHttp(made, { authorization: `Bearer spate_${role}` });
      return model;
    };
    const file = { name: 'web', path: 'new.txt', content: 'x' };
    const reader = await as('read');
    const changing = TOOLS.filter(({ effect }) => effect !== 'reads' && effect !== 'previews');
    for (const { name } of changing) expect(await reader.tools()).not.toContain(name);
    for (const { name } of changing) {
      const { isError, value } = await reader.call(name, { id: 'web', name: 'web' });
      expect({ name, isError, value }).toMatchObject({
        isError: true,
        value: { error: { code: 'forbidden' } },
      });
    }
    const operator = await as('operate');
    expect((await operator.call('list_generators')).isError).toBe(false);
    // It may: the scenario is looked for.
    expect(await operator.call('patch_globals', { name: 'none', globals: {} })).toMatchObject({
      value: { error: { code: 'not_found' } },
    });
    expect(await operator.call('write_file', file)).toMatchObject({
      isError: true,
      value: { error: { code: 'forbidden', message: expect.stringContaining('needs the role admin') } },
    });
    expect((await (await as('admin')).call('write_file', file)).isError).toBe(false);
    const trail = await fetch(`${made.url}/audit`, { headers: { authorization: 'Bearer spate_admin' } });
    const entries = JSON.stringify(await trail.json());
    expect(entries).toContain('operate-bot (mcp)');
    expect(entries).toContain('admin-bot (mcp)');
  });

  test('refuses pages of other sites and names that were bound to this machine', async () => {
    const made = await startReading();
    expect((await ask(made, LIST, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask(made, LIST, { host: 'evil.example' })).status).toBe(403);
    expect((await ask(made, LIST, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ask(made, LIST)).status).toBe(200);
  });

  test.each(['', 'mcp: off'])('is absent unless it is enabled (server: {%s})', async (server) => {
    const made = await startOwn(server);
    expect((await ask(made, LIST)).status).toBe(404);
  });

  describe('with parameters of the model', () => {
    const events = async (name: string, params: JsonObject) => {
      const called = await model?.call('preview_events', { name, params, count: 1 });
      return called?.isError === true ? called.value['error'] : called?.value['events'];
    };
    const refusedAt = (at: string) =>
      expect.objectContaining({ code: 'forbidden', problems: [expect.objectContaining({ at })] });

    test('it may choose files of the generator, and values', async () => {
      model = await overHttp(await startReading());
      expect(await events('files', { file: 'inside.log' })).toEqual(['a line inside']);
      expect(await events('files', { file: './inside.log', count: 1 })).toEqual(['a line inside']);
      expect(await events('files', {})).toEqual(['a line outside']);
    });

    test.each([
      '/etc/passwd',
      '../outside.log',
      '../../spate.yml',
      'a/../../outside.log',
      '..',
      '~/x',
      'C:\\x',
      '..\\outside.log',
      '\\\\host\\x',
    ])('it may not choose the file %s', async (file) => {
      model = await overHttp(await startReading());
      const refused = refusedAt('event.replay.path');
      expect(await events('files', { file })).toEqual(refused);
      for (const tool of ['preview_timestamps', 'inspect_generator'])
        expect((await model.call(tool, { name: 'files', params: { file } })).value['error']).toEqual(refused);
    });

    test('it may not choose a script, an interpreter, or a whole part of the config', async () => {
      model = await overHttp(await startReading());
      expect(await events('scripts', {})).toEqual(['event']);
      for (const params of [{ script: 'produce.mjs' }, { python: 'python3' }])
        expect(await events('scripts', params)).toMatchObject({ code: 'forbidden' });
      expect(await events('files', { count: { a: 1 } })).toEqual(refusedAt('input.0.static.count'));
    });

    test.each([
      [{ anomly: 'scan' }, 'params.anomly', "unknown parameter 'anomly'. Did you mean 'anomaly'?"],
      [
        { anomaly: 'scann' },
        'params.anomaly',
        "is no value of 'anomaly' that this generator has. Did you mean 'scan'?",
      ],
    ])('it gets the errors of a start for %p', async (params, at, message) => {
      const made = await startReading();
      model = await overHttp(made);
      const name = 'web-tiny';
      const problems = [{ at, message }];
      for (const tool of ['preview_events', 'preview_timestamps', 'inspect_generator'])
        expect((await model.call(tool, { name, params })).value['error']).toMatchObject({
          code: 'invalid',
          problems,
        });
      expect((await model.call('validate_config', { name, params })).value).toMatchObject({
        valid: false,
        problems,
      });
      // The answer of a start has the same words.
      const added = await made.api('POST', '/generators/tiny', { path: 'web-tiny/generator.yml', params });
      expect(added.status).toBe(422);
      expect(JSON.stringify(added.body)).toContain(message.slice(0, 20));
      expect(await events(name, { anomaly: 'scan' })).toHaveLength(1);
    });

    test('it is warned of globals that no member reads', async () => {
      const made = await startOwn('mcp: changes');
      model = await overHttp(made);
      const member = { path: 'web-tiny/generator.yml', scenarios: ['tiny'] };
      expect(await made.api('POST', '/startup/tiny', { ...member, autostart: false })).toMatchObject({
        status: 201,
      });
      const patch = async (globals: JsonObject) =>
        (await model?.call('patch_globals', { name: 'tiny', globals }))?.value['warning'];
      expect(await patch({ anomly: 'scan' })).toBe(
        "no member reads the global 'anomly'. Did you mean 'anomaly'?",
      );
      expect(await patch({ anomaly: 'scan' })).toBeNull();
    });

    test('with changes it may, as it may write files anyway', async () => {
      model = await overHttp(await startOwn('mcp: changes'));
      expect(await events('files', { file: '../outside.log' })).toEqual(['a line outside']);
    });
  });

  test('keeps no session and takes posts only', async () => {
    const made = await startReading();
    const answer = await ask(made, LIST);
    expect(answer.status).toBe(200);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(answer.text).toContain('preview_events');
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const refused = await ask(made, '', {}, method);
      expect(refused.status).toBe(405);
      expect(refused.headers['allow']).toBe('OPTIONS, POST');
    }
  });

  test('refuses what is no message and goes on', async () => {
    const made = await startReading();
    const bodies = [
      ['{bad', 422],
      ['', 422],
      [`[${LIST}, ${LIST}]`, 422],
      ['5', 400],
      ['{"id": 1}', 400],
      [`${'['.repeat(300)}${']'.repeat(300)}`, 422],
      [`{"x": "${'x'.repeat(1_048_576)}"}`, 413],
      [LIST, 200],
    ] as const;
    for (const [body, status] of bodies)
      expect([body.slice(0, 40), (await ask(made, body)).status]).toEqual([body.slice(0, 40), status]);
  });

  test('refuses other content types', async () => {
    expect((await ask(await startReading(), LIST, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

const errorOf = async (used: Model, name: string, args: Readonly<Record<string, unknown>>) => {
  const { isError, value } = await used.call(name, args);
  expect(isError).toBe(true);
  return value['error'] as JsonObject;
};

describe('a tool', () => {
  test('reports wrong arguments with their place', async () => {
    model = await overHttp(await startReading());
    expect(await errorOf(model, 'get_stats', { id: 5, limt: 1 })).toMatchObject({
      code: 'invalid',
      problems: [
        { at: 'id', message: expect.stringContaining('must be text') },
        { at: 'limt', message: expect.stringContaining("unknown key 'limt'") },
      ],
    });
    expect(await errorOf(model, 'list_generators', { limit: 1e9 })).toMatchObject({ code: 'invalid' });
    expect(await errorOf(model, 'get_stats', {})).toMatchObject({ problems: [{ at: 'id' }] });
    expect(await errorOf(model, 'validate_config', {})).toMatchObject({ message: /one of both/ });
  });

  test('that does not exist is an error of the protocol with the nearest name', async () => {
    model = await overHttp(await startReading());
    await expect(model.call('list_generator')).rejects.toThrow(/Did you mean 'list_generators'/);
  });

  test('stays inside of the generators', async () => {
    model = await overHttp(await startReading());
    const calls = [
      ['get_stats', { id: '..' }],
      ['get_stats', { id: '' }],
      ['get_stats', { id: 'a/../b' }],
      ['get_stats', { id: '%2e%2e' }],
      ['get_library_item', { name: '../web' }],
      ['read_file', { name: 'web', path: '../../spate.yml' }],
      ['read_file', { name: 'web', path: '/etc/passwd' }],
      ['read_file', { name: '..', path: 'spate.yml' }],
      ['list_files', { name: '../..' }],
      ['preview_events', { name: '../web' }],
    ] as const;
    for (const [name, args] of calls)
      expect([args, await errorOf(model, name, args)]).toEqual([
        args,
        expect.objectContaining({ code: 'invalid' }),
      ]);
  });

  test('passes errors of the API on with code and message', async () => {
    model = await overHttp(await startReading());
    expect(await errorOf(model, 'get_stats', { id: 'nope' })).toEqual({
      code: 'not_found',
      message: expect.stringContaining('"nope"'),
      problems: [],
      retryable: false,
    });
    expect(await errorOf(model, 'preview_events', { name: 'nope' })).toMatchObject({ code: 'not_found' });
  });

  test('cuts a long result and says so', async () => {
    model = await overHttp(await startReading());
    const { isError, value } = await model.call('read_file', { name: 'web', path: 'long.txt' });
    expect(isError).toBe(false);
    expect(value['cut']).toEqual(['content: the first 30000 of 300000 characters']);
    expect(String(value['content'])).toHaveLength(30_000);
  });

  test('previews take turns, as a service keeps one of each directory', async () => {
    const made = await startReading();
    const used = await overHttp(made);
    model = used;
    const all = await Promise.all(
      Array.from({ length: 6 }, () => used.call('preview_events', { name: 'web', count: 1 })),
    );
    expect(all).toEqual(
      Array(6).fill({ isError: false, value: { events: ['event'], errors: [], exhausted: false } }),
    );
    expect(await made.file(join('generators', 'web', 'generator.yml'))).toBe(CONFIG);
  });
});
