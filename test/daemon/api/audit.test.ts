import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEntry, AuditPage } from '../../../src/domain/audit.js';
import { overHttp } from '../../mcp/support.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const PASSWORD = 'a password of the test';
const as = (user: string, password = PASSWORD): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const CONFIG = {
  input: [{ static: { count: 1 } }],
  event: { replay: { path: 'x.log' } },
  output: [{ stdout: {} }],
};

let instance: Instance;
afterEach(() => instance.remove());

const start = async (): Promise<void> => {
  instance = await makeInstance({
    startup: '[]\n',
    generators: {},
    server: `mcp: changes, auth: {user: ann, password: ${PASSWORD}}`,
    log: 'max_bytes: 2000, backups: 30',
  });
  await instance.start();
};

const send = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = as('ann'),
): Promise<number> => {
  const response = await fetch(`${instance.url}${path}`, {
    method,
    headers: { connection: 'close', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
};

const page = async (query = ''): Promise<AuditPage> => {
  const response = await fetch(`${instance.url}/audit${query}`, {
    headers: { ...as('ann'), connection: 'close' },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as AuditPage;
};
const shown = ({ user, operation, target, status }: AuditEntry): string =>
  `${user} ${operation} ${target} ${status}`;
/** Entries, oldest first, once there are so many: an entry follows its answer. */
const entries = (count: number, query = ''): Promise<readonly string[]> =>
  eventually(async () => {
    const { entries: found } = await page(query);
    return found.length >= count ? found.map(shown).reverse() : null;
  }, `${count} entries`);

describe('the audit trail', () => {
  test('has every change with its user, also refused and failed ones, sign-ins, tools and reloads', async () => {
    await start();
    await send('POST', '/generator-configs/a', CONFIG);
    await send('POST', '/generator-configs/a', CONFIG);
    await send('PUT', '/generator-configs/a', { secret_in_body: 'hunter22' });
    await send('PATCH', '/scenarios/s/globals', { token: 'hunter22' });
    await send('POST', '/auth/login');
    await send('POST', '/auth/login', undefined, as('eve', 'guess'));
    await send('GET', '/generators/', undefined, as('bob', 'guess'));
    await send('DELETE', '/generator-configs/a', undefined, {});
    await send('POST', '/nowhere');
    await send('GET', '/generators/');
    await send('POST', '/preview/a/input-plugins/generate', CONFIG.input);
    const model = await overHttp(instance, as('ann'));
    await model.call('list_generators');
    await model.call('patch_globals', { name: 's', globals: { a: 1 } });
    await model.close();
    instance.program().child.kill('SIGHUP');
    expect(await entries(11)).toEqual([
      'ann createGeneratorConfig /generator-configs/a 201',
      'ann createGeneratorConfig /generator-configs/a 409',
      'ann updateGeneratorConfig /generator-configs/a 422',
      'ann patchGlobals /scenarios/s/globals 404',
      'ann login /auth/login 200',
      'eve login /auth/login 401',
      'bob listGenerators /generators/ 401',
      'null deleteGenerator /generator-configs/a 401',
      'ann POST /nowhere 404',
      'ann (mcp) patchGlobals /scenarios/s/globals 404',
      expect.stringMatching(/^null reload .*spate\.yml 200$/),
    ]);
    const all = (await page()).entries;
    expect(all.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 600_000)).toBe(true);
    expect(new Set(all.map(({ client }) => client))).toEqual(new Set(['127.0.0.1', 'mcp', 'signal']));
    expect(JSON.stringify(all)).not.toMatch(/hunter22|guess|a password/);
  });

  test('can be filtered and read in pages over rotated files, and survives a restart', async () => {
    await start();
    for (let at = 0; at < 25; at++) await send('POST', `/generators/g${at}/start`);
    await send('POST', '/generators/g/stop', undefined, as('eve', 'guess'));
    await entries(26);
    await instance.kill('SIGTERM');
    await instance.start();
    expect((await entries(26)).length).toBe(26);
    const first = await page('?limit=10&operation=startGenerator');
    expect([first.entries[0]?.target, first.entries.length, first.next_offset]).toEqual([
      '/generators/g24/start',
      10,
      10,
    ]);
    const last = await page('?limit=10&offset=20&operation=startGenerator');
    expect(last.entries.map(({ target }) => target)).toEqual(
      [4, 3, 2, 1, 0].map((at) => `/generators/g${at}/start`),
    );
    expect(last.next_offset).toBeNull();
    expect((await page('?user=eve')).entries.map(shown)).toEqual([
      'eve stopGenerator /generators/g/stop 401',
    ]);
    expect((await page('?target=g7')).entries.map(({ target }) => target)).toEqual(['/generators/g7/start']);
    const { at = '' } = first.entries[0] ?? {};
    const until = (await page(`?until=${encodeURIComponent(at)}&limit=500`)).entries;
    const since = (await page(`?since=${encodeURIComponent(at)}&limit=500`)).entries;
    // A time without a fraction is greater as a text than a later one with one.
    const isLater = (entry: AuditEntry): boolean => Date.parse(entry.at) >= Date.parse(at);
    expect([until.length + since.length, until.some(isLater)]).toEqual([26, false]);
    expect(await send('GET', '/audit?since=yesterday')).toBe(422);
    expect(await send('GET', '/audit', undefined, {})).toBe(401);
  });
});
