import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GeneratorTurn } from '../../../src/messages/generators.js';
import type { GlobalsPatch } from '../../../src/messages/scenarios.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const SHOP = `input: [cron: {expression: '* * * * * *', count: 1}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../out/shop.log}]
`;
const USER = 'ann';
const PASSWORD = 'a password of the test';

let instance: Instance;

const send = async (method: string, path: string, body?: unknown, type = 'application/json') => {
  const response = await fetch(`${instance.url}${path}`, {
    method,
    headers: {
      connection: 'close',
      authorization: `Basic ${btoa(`${USER}:${PASSWORD}`)}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

const turns = async (): Promise<readonly GeneratorTurn[]> =>
  (await send('GET', '/generators/shop/history')).body as readonly GeneratorTurn[];
const phases = async (): Promise<readonly string[]> => (await turns()).map(({ phase }) => phase);

beforeAll(async () => {
  instance = await makeInstance({
    startup: '- {id: shop, path: shop/generator.yml, autostart: false, scenarios: [sale]}',
    generators: {
      'shop/generator.yml': SHOP,
      'shop/produce.mjs':
        'export const produce = ({ globals }) => { globals.increment("count"); return "event"; };',
    },
    server: `auth: {user: ${USER}, password: ${PASSWORD}}`,
  });
  await instance.start();
});
afterAll(async () => {
  await instance.remove();
});

describe('the history of a generator', () => {
  test('is empty before its first start; an unknown generator has none', async () => {
    expect(await send('GET', '/generators/shop/history')).toEqual({ status: 200, body: [] });
    expect(await send('GET', '/generators/none/history')).toMatchObject({ status: 404 });
  });

  test('has starts and stops, newest first', async () => {
    const before = Date.now();
    await send('POST', '/generators/shop/start');
    await send('POST', '/generators/shop/stop');
    expect(await phases()).toEqual(['stopped', 'running']);
    const [stopped, started] = await turns();
    expect(started).toMatchObject({ reason: null, error_code: null, count: 1 });
    const times = [before, Date.parse(started?.at ?? ''), Date.parse(stopped?.at ?? ''), Date.now()];
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test('has failures with code and reason, the same one counted', async () => {
    const file = join(instance.folder, 'generators', 'shop', 'generator.yml');
    await writeFile(file, 'input: []');
    await send('POST', '/generators/shop/start');
    await send('POST', '/generators/shop/start');
    expect((await turns())[0]).toMatchObject({
      phase: 'failed',
      error_code: 'invalid',
      count: 2,
      reason: expect.stringContaining('generator.yml'),
    });
    await writeFile(file, SHOP);
  });

  test('has the end of an output that is away, until it is there', async () => {
    await rm(join(instance.folder, 'out'), { recursive: true, force: true });
    await writeFile(join(instance.folder, 'out'), 'in the way');
    await send('POST', '/generators/shop/start');
    const [turn] = await turns();
    expect(turn).toMatchObject({ phase: 'backing_off', error_code: 'output_failed' });
    await rm(join(instance.folder, 'out'));
    await eventually(async () => ((await phases())[0] === 'running' ? true : null), 'a start');
    await send('POST', '/generators/shop/stop');
  });
});

describe('the history of globals', () => {
  const PATH = '/scenarios/sale/globals';
  const patches = async (): Promise<readonly GlobalsPatch[]> =>
    (await send('GET', '/scenarios/sale/globals-history')).body as readonly GlobalsPatch[];
  const shown = (value: unknown) => ({ value, is_cut: false });

  test('has each change with user, time, old and new values, newest first', async () => {
    await send('PUT', PATH, { rate: 1, users: { a: 1, b: 2 } });
    await send('PATCH', PATH, { rate: 5, extra: true });
    await send('PATCH', PATH, { users: { b: null } }, 'application/merge-patch+json');
    await send('DELETE', `${PATH}/extra`);
    // It changes nothing.
    await send('PATCH', PATH, { rate: 5 });
    const found = await patches();
    expect(found.slice(0, 3)).toMatchObject([
      { user: USER, kind: 'delete_key', keys: [{ key: 'extra', old: shown(true), new: null }] },
      {
        user: USER,
        kind: 'merge_patch',
        keys: [{ key: 'users', old: shown({ a: 1, b: 2 }), new: shown({ a: 1 }) }],
      },
      {
        user: USER,
        kind: 'patch',
        more_keys: 0,
        keys: [
          { key: 'rate', old: shown(1), new: shown(5) },
          { key: 'extra', old: null, new: shown(true) },
        ],
      },
    ]);
    expect(found[3]).toMatchObject({ kind: 'replace' });
    expect(Date.now() - Date.parse(found[0]?.at ?? '')).toBeLessThan(60_000);
  });

  test('has changes while a generator runs, without those of its script', async () => {
    await send('POST', '/generators/shop/start');
    await send('PATCH', PATH, { rate: 7 });
    const [last] = await patches();
    expect(last).toMatchObject({ user: USER, keys: [{ key: 'rate', old: shown(5), new: shown(7) }] });
    const count = async () => (await send('GET', `${PATH}/count`)).status;
    await eventually(async () => ((await count()) === 200 ? true : null), 'a change by the script');
    expect(
      (await patches())
        .filter(({ kind }) => kind === 'patch')
        .flatMap(({ keys }) => keys.map(({ key }) => key)),
    ).not.toContain('count');
    await send('POST', '/generators/shop/stop');
  });

  test('has no refused change', async () => {
    const before = await patches();
    const response = await fetch(`${instance.url}${PATH}`, {
      method: 'PATCH',
      headers: {
        authorization: `Basic ${btoa(`${USER}:${PASSWORD}`)}`,
        'content-type': 'application/json',
        'if-match': '"other"',
      },
      body: '{"rate": 9}',
    });
    expect(response.status).toBe(412);
    expect(await patches()).toEqual(before);
    expect(await send('GET', '/scenarios/none/globals-history')).toMatchObject({ status: 404 });
  });
});
