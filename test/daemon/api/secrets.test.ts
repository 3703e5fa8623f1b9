import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { keyringFile } from '../../../src/adapters/keyring/file.js';
import { knownSecrets } from '../../../src/domain/secrets.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const VALUE = 'MARKER "of" a\nsecret';

const started: Instance[] = [];
afterEach(async () => {
  for (const instance of started.splice(0)) await instance.remove();
});

const start = async (
  options: { readonly server?: string; readonly password?: string } = {},
): Promise<Instance> => {
  const instance = await makeInstance({
    startup: '- {id: web, path: web/generator.yml, live_mode: false, autostart: false}\n',
    generators: {
      'web/generator.yml': `
input: [static: {count: 1}]
event: {script: {path: "\${secrets.file}.mjs"}}
output: [file: {path: ../../out.log}]
`,
      'web/one.mjs': "export const produce = () => 'one';",
    },
    server: options.server ?? '',
    env: { SPATE_KEYRING_PASSWORD: options.password ?? '' },
  });
  started.push(instance);
  await instance.start();
  return instance;
};

/** Stops the instance; everything that it has said. */
const saidBy = async (instance: Instance): Promise<string> => {
  await instance.kill('SIGTERM');
  return `${instance.program().stderr()}${instance.program().stdout()}${await instance.file('logs/main.log')}`;
};

describe('secrets through the API', () => {
  test('are stored, listed, used by generators and removed, and never shown', async () => {
    const instance = await start({ password: 'the password' });
    expect(await instance.api('GET', '/secrets/')).toEqual({ status: 200, body: [] });
    expect(await instance.api('PUT', '/secrets/b', VALUE)).toEqual({ status: 200, body: null });
    expect(await instance.api('PUT', '/secrets/file', 'none')).toEqual({ status: 200, body: null });
    expect(await instance.api('PUT', '/secrets/file', 'one')).toEqual({ status: 200, body: null });
    expect((await instance.api('GET', '/secrets/')).body).toEqual(['b', 'file']);
    for (const name of ['b', 'nobody']) {
      expect(await instance.api('GET', `/secrets/${name}`)).toEqual({
        status: 403,
        body: { code: 'forbidden', detail: expect.stringContaining('server.secrets_readable') },
      });
    }
    await instance.api('POST', '/generators/web/start');
    await eventually(async () => {
      const { body } = await instance.api('GET', '/generators/web/status');
      return (body as { phase: string }).phase === 'finished' ? body : null;
    }, 'the end of the generator');
    expect(await instance.file('out.log')).toBe('one\n');
    expect(await instance.api('DELETE', '/secrets/file')).toEqual({ status: 200, body: null });
    expect(await instance.api('DELETE', '/secrets/file')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect((await instance.api('GET', '/secrets/')).body).toEqual(['b']);
    const said = await saidBy(instance);
    for (const what of ['secret created', 'secret replaced', 'secret read', 'secret removed'])
      expect(said).toMatch(new RegExp(`info.*${what}.*secret=(b|file)`));
    expect(said).not.toContain('MARKER');
    expect(await instance.file('keyring')).not.toContain('MARKER');
  });

  test('are looked for in the files that may use them', async () => {
    const instance = await start();
    expect(await instance.api('GET', '/secrets/file/references')).toEqual({
      status: 200,
      body: [{ kind: 'generator', file: 'web/generator.yml' }],
    });
    expect((await instance.api('GET', '/secrets/fil/references')).body).toEqual([]);
  });

  test('are renamed, and one that files use only with force', async () => {
    const instance = await start({ password: 'the password' });
    await instance.api('PUT', '/secrets/file', 'one');
    expect(await instance.api('POST', '/secrets/file/rename?to=script')).toEqual({
      status: 409,
      body: { code: 'wrong_state', detail: expect.stringContaining('web/generator.yml') },
    });
    expect(await instance.api('POST', '/secrets/file/rename?to=.script')).toMatchObject({ status: 422 });
    expect(await instance.api('POST', '/secrets/file/rename')).toMatchObject({ status: 422 });
    expect(await instance.api('POST', '/secrets/file/rename?to=script&force=true')).toEqual({
      status: 200,
      body: null,
    });
    expect((await instance.api('GET', '/secrets/')).body).toEqual(['script']);
    const said = await saidBy(instance);
    expect(said).toMatch(/info.*secret renamed to script.*secret=file/);
  });

  test('are shown where the settings allow it, and each look is logged', async () => {
    const instance = await start({ server: 'secrets_readable: true', password: 'the password' });
    await instance.api('PUT', '/secrets/b', VALUE);
    expect(await instance.api('GET', '/secrets/b')).toEqual({ status: 200, body: VALUE });
    expect(await instance.api('GET', '/secrets/nobody')).toMatchObject({ status: 404 });
    const said = await saidBy(instance);
    expect(said).toMatch(/info.*secret read.*secret=b/);
    expect(said).not.toContain('MARKER');
  });

  test('can be made readable, and hidden again, without a restart', async () => {
    const instance = await start({ password: 'the password' });
    await instance.api('PUT', '/secrets/b', VALUE);
    const file = join(instance.folder, 'spate.yml');
    const hidden = await readFile(file, 'utf8');
    const readsAs = (status: number) =>
      eventually(
        async () =>
          (await instance.api('GET', '/secrets/b').catch(() => null))?.status === status ? status : null,
        `status ${status}`,
      );
    await readsAs(403);
    await writeFile(file, hidden.replace('server: {', 'server: {secrets_readable: true, '));
    instance.program().child.kill('SIGHUP');
    await readsAs(200);
    await writeFile(file, hidden);
    instance.program().child.kill('SIGHUP');
    await readsAs(403);
  });

  test('without the password of the keyring only names are there, and the answer says what to do', async () => {
    const first = await start({ server: 'secrets_readable: true' });
    const locked = {
      status: 500,
      body: { code: 'keyring_locked', detail: expect.stringContaining('SPATE_KEYRING_PASSWORD') },
    };
    expect(await first.api('GET', '/secrets/')).toEqual({ status: 200, body: [] });
    expect(await first.api('PUT', '/secrets/a', VALUE)).toEqual(locked);
    expect(await first.api('GET', '/secrets/a')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const keyring = keyringFile({
      file: join(first.folder, 'keyring'),
      password: async () => E.right('of another process'),
      known: knownSecrets(),
      warn: () => undefined,
    });
    expect(await keyring.set('a', VALUE)).toEqual(E.right('created'));
    expect(await first.api('GET', '/secrets/')).toEqual({ status: 200, body: ['a'] });
    expect(await first.api('GET', '/secrets/a')).toEqual(locked);
    expect(await first.api('DELETE', '/secrets/a')).toEqual(locked);
    expect(await saidBy(first)).not.toContain('MARKER');
  });
});
