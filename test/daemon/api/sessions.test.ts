import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../../support/instance.js';

const PASSWORD = 'a password of the test';
const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`,
});

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
});

test('a session survives a restart and a kill, and ends with the credentials; without the UI there is no page', async () => {
  const made = await makeInstance({
    startup: '[]',
    generators: {},
    server: `ui_enabled: false, auth: {user: ann, password: ${PASSWORD}}`,
  });
  instance = made;
  const call = (method: string, path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${made.url}${path}`, { method, headers });
  const again = async (signal: NodeJS.Signals): Promise<void> => {
    await made.kill(signal);
    await made.start();
  };
  await made.start();
  expect((await fetch(new URL('/', made.url), { headers: basic(PASSWORD) })).status).toBe(404);
  expect((await call('GET', '/docs', basic(PASSWORD))).status).toBe(200);
  const logIn = async (): Promise<{ readonly cookie: string }> => {
    const login = await call('POST', '/auth/login', basic(PASSWORD));
    expect(login.status).toBe(200);
    return { cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  const [session, other] = [await logIn(), await logIn()];
  expect((await call('POST', '/auth/logout', { ...other, origin: new URL(made.url).origin })).status).toBe(
    200,
  );

  const file = join(made.folder, 'state', 'sessions.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).not.toContain(session.cookie.slice('session_id='.length));
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await again(signal);
    expect(await (await call('GET', '/auth/me', session)).json()).toBe('ann');
    expect((await call('GET', '/auth/me', other)).status).toBe(401);
  }

  const settings = join(made.folder, 'spate.yml');
  const text = await readFile(settings, 'utf8');
  await writeFile(settings, text.replace(PASSWORD, 'another password'));
  await again('SIGTERM');
  expect((await call('GET', '/auth/me', session)).status).toBe(401);
  await writeFile(settings, text);
  await again('SIGTERM');
  expect((await call('GET', '/auth/me', session)).status).toBe(401);
  expect((await call('GET', '/auth/me', basic(PASSWORD))).status).toBe(200);
});
