import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, freePort, type Instance, makeInstance } from '../../support/instance.js';

const REST = 'input: [static: {count: 1}]\nevent: {script: {path: ../produce.mjs}}\n';
const SECRET = 'a secret of the test';

describe('destinations', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await makeInstance({
      env: { SPATE_KEYRING_PASSWORD: 'a password of the test' },
      startup: `- {id: web, path: web/generator.yml, autostart: false}
- {id: shop, path: web/generator.yml, autostart: false}
- {id: own, path: own/generator.yml, autostart: false}
`,
      generators: {
        'produce.mjs': "export const produce = () => 'x';\n",
        'web/generator.yml': `${REST}output: [use: {name: log, with: {flush_interval: 0}}]\n`,
        'own/generator.yml': `${REST}output: [stdout: {}]\n`,
      },
    });
    await instance.start();
  });
  afterAll(() => instance.remove());

  const api: Instance['api'] = (...request) => instance.api(...request);
  const fileOf = (name: string): string => join(instance.folder, 'destinations', `${name}.yml`);
  const phaseOf = async (id: string): Promise<string> => {
    const { body } = await api('GET', `/generators/${id}/status`);
    return (body as { readonly phase: string }).phase;
  };

  test('there are none, and a generator that uses one does not start and says which', async () => {
    expect(await api('GET', '/destinations/')).toEqual({ status: 200, body: [] });
    expect(await api('GET', '/destinations/log')).toMatchObject({ status: 404 });
    const started = await api('POST', '/generators/web/start');
    expect(started.status).toBe(422);
    expect(JSON.stringify(started.body)).toMatch(/names a destination 'log' that does not exist/);
  });

  test('one is created; generators write to it, and it names them', async () => {
    const output = { file: { path: 'out/web.log' } };
    expect(await api('PUT', '/destinations/log', output)).toEqual({ status: 200, body: null });
    expect(await readFile(fileOf('log'), 'utf8')).toBe('file:\n  path: out/web.log\n');
    expect(await api('GET', '/destinations/log')).toEqual({ status: 200, body: output });
    expect((await api('GET', '/destinations/')).body).toEqual([
      { name: 'log', plugin: 'file', error: null, used_by: ['shop', 'web'] },
    ]);
    expect(await api('POST', '/generators/web/start')).toMatchObject({ status: 200 });
    await eventually(
      async () => ((await phaseOf('web')) === 'finished' ? true : null),
      'the end of the generator',
    );
    expect(await instance.file('generators/web/out/web.log')).toBe('x\n');
  });

  test('one that is edited keeps its comments and is used from the next start', async () => {
    await writeFile(fileOf('log'), '# Ours.\nfile:\n  path: out/web.log # here\n');
    expect(await api('PUT', '/destinations/log', { file: { path: 'out/next.log' } })).toMatchObject({
      status: 200,
    });
    expect(await readFile(fileOf('log'), 'utf8')).toBe('# Ours.\nfile:\n  path: out/next.log # here\n');
    await api('POST', '/generators/web/start');
    await eventually(
      () => instance.file('generators/web/out/next.log').catch(() => null),
      'an event in the next file',
    );
  });

  test('one that is in use is deleted only by force', async () => {
    const refused = await api('DELETE', '/destinations/log');
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toMatch(/used by shop, web/);
    expect(await api('DELETE', '/destinations/log?force=true')).toMatchObject({ status: 200 });
    expect(await api('DELETE', '/destinations/log')).toMatchObject({ status: 404 });
  });

  test('what is no output, and names that lead elsewhere, are refused', async () => {
    for (const [body, wrong] of [
      [{ nope: {} }, /unknown kind 'nope'/],
      [{ file: {} }, /path/],
      [{ use: 'other' }, /cannot use another one/],
      [{}, /one key/],
      ['text', /must be an object/],
      [{ file: { path: 'a' }, stdout: {} }, /exactly one key/],
    ] as const) {
      const { status, body: problems } = await api('PUT', '/destinations/x', body);
      expect({ body, status }).toEqual({ body, status: 422 });
      expect(JSON.stringify(problems)).toMatch(wrong);
    }
    for (const name of ['..%2Fx', '.x', 'a%20b', 'a'.repeat(61)])
      expect((await api('PUT', `/destinations/${name}`, { stdout: {} })).status).toBe(422);
    expect(await api('GET', '/destinations/')).toEqual({ status: 200, body: [] });
  });

  test('a file that is invalid is listed with its error, and can be replaced', async () => {
    await mkdir(join(instance.folder, 'destinations'), { recursive: true });
    await writeFile(fileOf('broken'), 'opensearch: {hosts: 5}\n');
    expect((await api('GET', '/destinations/')).body).toEqual([
      { name: 'broken', plugin: null, error: expect.stringContaining('broken.yml:1:21'), used_by: [] },
    ]);
    expect((await api('GET', '/destinations/broken')).status).toBe(422);
    expect(await api('PUT', '/destinations/broken', { stdout: {} })).toMatchObject({ status: 200 });
    expect(await api('DELETE', '/destinations/broken')).toMatchObject({ status: 200 });
  });

  test('a password is never shown, and a mask that is sent back keeps it', async () => {
    const redis = { host: '127.0.0.1', port: 1, key: 's', username: 'u', password: SECRET };
    await api('PUT', '/destinations/cache', { redis });
    const { body } = await api('GET', '/destinations/cache');
    expect(JSON.stringify(body)).not.toContain(SECRET);
    const masked = body as { readonly redis: object };
    expect(await api('PUT', '/destinations/cache', { redis: { ...masked.redis, key: 't' } })).toMatchObject({
      status: 200,
    });
    expect(await readFile(fileOf('cache'), 'utf8')).toMatch(new RegExp(`key: t[^]*password: ${SECRET}`));
    const other = await api('PUT', '/destinations/new', body);
    expect(JSON.stringify(other)).toMatch(/is a mask, but no secret is stored here/);
  });

  test('a secret is known to be named by a destination', async () => {
    await api('PUT', '/destinations/cache', { redis: { host: '${secrets.place}', port: 1, key: 's' } });
    expect((await api('GET', '/secrets/place/references')).body).toEqual([
      { kind: 'destination', file: 'cache.yml' },
    ]);
  });

  test('an output is checked before it is stored, and a destination by its name', async () => {
    const port = await freePort();
    const check = async (output: object) => (await api('POST', '/preview/output', output)).body;
    expect(await check({ stdout: {} })).toEqual({ plugin: 'stdout', error: null, error_code: null });
    expect(await check({ tcp: { host: '127.0.0.1', port } })).toEqual({
      plugin: 'tcp',
      error: expect.stringContaining(String(port)),
      error_code: 'output_failed',
    });
    expect(JSON.stringify(await check({ use: 'cache' }))).toMatch(/secret 'place' is not in the keyring/);
    expect(JSON.stringify(await check({ use: 'nowhere' }))).toMatch(
      /destination 'nowhere' that does not exist/,
    );
    expect(JSON.stringify(await check({ tcp: { host: 5 } }))).toMatch(/tcp.*host/);
  });
});
