import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { TOOLS } from '../../src/mcp/server.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { TINY } from '../support/library.js';
import { type Model, overHttp, overStdio } from './support.js';

/** Refuses every event, so that letters die. */
const refusing = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(400).end());
    });
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

/** What the model makes of the config of the library. */
const configFor = (port: number): string => `input: [{timer: {seconds: 0.1, count: 2}}]
event:
  template: {mode: all, templates: [{line: {template: line.jinja}}], params: {host: '\${params.host:-web-1}'}}
output:
  - file: {path: out.log}
  - http: {url: 'http://127.0.0.1:${port}/'}
`;

let instance: Instance | null = null;
let model: Model | null = null;
let peer: Server | null = null;
afterEach(async () => {
  await model?.close();
  await instance?.remove();
  peer?.closeAllConnections();
  peer?.close();
  [instance, model, peer] = [null, null, null];
});

const start = async (server = ''): Promise<Instance> => {
  instance = await makeInstance({
    startup: '[]',
    generators: {},
    library: TINY,
    server,
    settings: 'retry: {attempts: 1}, batch: {size: 10, delay: 0.1}',
  });
  await instance.start();
  return instance;
};

const succeeded = async (used: Model, name: string, args: Readonly<Record<string, unknown>> = {}) => {
  const { isError, value } = await used.call(name, args);
  if (isError) throw new Error(`${name}: ${JSON.stringify(value)}`);
  return value;
};

const LINE = '{"host": "{{ params.host }}", "n": {{ module.rand.number.integer(1, 9) }}}';

/** From the library to a running generator and its dead letters. */
const journey = async (used: Model, made: Instance, user: string): Promise<void> => {
  const called = new Set<string>();
  const can = (name: string, args?: Readonly<Record<string, unknown>>) => {
    called.add(name);
    return succeeded(used, name, args);
  };
  peer = await refusing();
  const config = configFor((peer.address() as AddressInfo).port);
  expect((await can('list_library'))['library']).toContainEqual({
    name: 'web-tiny',
    category: 'web',
    summary: 'Requests to a small web site as JSON.',
    anomalies: ['scan', 'flood'],
  });
  expect(JSON.stringify(await can('get_library_item', { name: 'web-tiny' }))).toContain('# web-tiny');
  expect(await can('create_from_library', { library: 'web-tiny', name: 'my-web' })).toEqual({
    created: { name: 'my-web', path: 'my-web/generator.yml' },
  });
  const { files } = await can('list_files', { name: 'my-web' });
  expect(files).toEqual(
    expect.arrayContaining(['generator.yml', 'page.jinja', 'samples/', 'samples/pages.json']),
  );
  expect(await can('validate_config', { name: 'my-web' })).toEqual({ valid: true, problems: [] });
  const shown = await can('preview_events', { name: 'my-web', count: 5, params: { domain: 'shop.test' } });
  expect(shown['errors']).toEqual([]);
  expect(String(shown['events'])).toContain('www.shop.test');

  const file = { name: 'my-web', path: 'line.jinja' };
  expect(await can('write_file', { ...file, content: LINE })).toMatchObject({ created: true });
  expect(await can('validate_config', { config: config.replace('seconds', 'second') })).toMatchObject({
    valid: false,
    problems: [
      { at: expect.stringMatching(/^line 1:\d+ /), message: "unknown key 'second'. Did you mean 'seconds'?" },
    ],
  });
  expect(await can('validate_config', { config })).toEqual({ valid: true, problems: [] });
  await can('write_file', { name: 'my-web', path: 'generator.yml', content: config });
  const preview = await can('preview_events', { name: 'my-web', count: 4, params: { host: 'web-9' } });
  expect(preview).toMatchObject({ errors: [], exhausted: false });
  expect(preview['events']).toEqual(
    Array(4).fill(expect.stringMatching(/^\{"host": "web-9", "n": [1-9]\}$/)),
  );
  const timestamps = await can('preview_timestamps', {
    name: 'my-web',
    count: 2,
    from: '2099-01-01T00:00:00Z',
  });
  expect(timestamps['timestamps']).toHaveLength(2);
  const report = await can('inspect_generator', { name: 'my-web', count: 100 });
  expect(report).toMatchObject({ events: 100, failed: 0, kinds: { json: 100 } });
  expect(JSON.stringify(report['fields'])).toContain('"/host"');

  await can('write_file', { ...file, content: LINE.replace('}}', '') });
  const broken = await can('validate_config', { name: 'my-web' });
  expect(broken).toMatchObject({ valid: false });
  expect(JSON.stringify(broken['problems'])).toContain('line.jinja');
  await can('write_file', { ...file, content: '{"host": "{{ params.host }}"}' });
  expect(await can('validate_config', { name: 'my-web' })).toMatchObject({ valid: true });

  const added = { id: 'mine', path: 'my-web/generator.yml', params: { host: 'h' }, keep: true };
  expect(await can('add_generator', added)).toMatchObject({ in_startup_list: true });
  expect((await made.api('POST', '/scenarios/shop/generators/mine')).status).toBe(201);
  expect(await can('start_generator', { id: 'mine' })).toEqual({ running: true });
  const writtenNow = async (): Promise<number> =>
    Number(((await can('get_stats', { id: 'mine' }))['stats'] as JsonObject)['total_generated']);
  const first = await eventually(async () => (await writtenNow()) || null, 'the first events');
  await eventually(async () => ((await writtenNow()) > first ? true : null), 'more events');
  expect(await can('list_generators')).toMatchObject({
    total: 1,
    generators: [{ id: 'mine', phase: 'running' }],
  });
  expect(await can('get_generator', { id: 'mine' })).toMatchObject({
    phase: 'running',
    params: { params: { host: 'h' } },
    history: [{ phase: 'running' }],
  });

  const summaries = await eventually(async () => {
    const { outputs } = await can('list_dead_letters', { id: 'mine' });
    return (outputs as readonly JsonObject[])[0] ?? null;
  }, 'dead letters');
  const output = String(summaries['output']);
  const { letters } = await can('read_dead_letters', { id: 'mine', output, limit: 1 });
  expect(letters).toEqual([expect.objectContaining({ event: '{"host": "h"}', code: 'rejected' })]);

  const resent = await can('resend_dead_letters', { id: 'mine', output, limit: 1 });
  expect(resent).toMatchObject({ outputs: [{ output, sent: 0, refused: 1, error_code: 'rejected' }] });
  const formerly = await can('replay_dead_letters', { id: 'mine', output, limit: 1 });
  expect(formerly).toMatchObject({ outputs: [{ output, sent: 0, refused: 1 }] });

  expect(await can('list_scenarios')).toEqual({ scenarios: ['shop'] });
  const patch = { name: 'shop', globals: { anomaly: 'scan' } };
  expect(await can('patch_globals', patch)).toEqual({
    name: 'shop',
    changed: ['anomaly'],
    warning: null,
  });
  expect(await can('get_globals', { name: 'shop' })).toEqual({ globals: { anomaly: 'scan' } });
  expect(await made.api('GET', '/scenarios/shop/globals-history')).toMatchObject({ body: [{ user }] });

  expect(await can('stop_generator', { id: 'mine' })).toEqual({ id: 'mine', running: false });
  expect(await can('purge_dead_letters', { id: 'mine' })).toMatchObject({ outputs: [{ output }] });
  expect(await made.file('generators/my-web/out.log')).toContain('{"host": "h"}');
  expect(await can('remove_generator', { id: 'mine' })).toEqual({ id: 'mine', removed: true });
  expect(await can('list_generators')).toEqual({ total: 0, generators: [] });

  const own = { name: 'own', config: { input: [{ timer: { seconds: 0 } }], event: {}, output: [] } };
  expect(await used.call('create_config', own)).toMatchObject({
    isError: true,
    value: {
      error: {
        code: 'invalid',
        problems: expect.arrayContaining([{ at: 'body.input.0.timer.seconds', message: expect.any(String) }]),
      },
    },
  });
  const event = { script: { path: 'produce.mjs' } };
  const sound = { input: [{ static: { count: 1 } }], event, output: [{ stdout: {} }] };
  expect(await can('create_config', { name: 'own', config: sound })).toEqual({ name: 'own', created: true });
  const { content } = await can('read_file', { name: 'own', path: 'generator.yml' });
  expect(String(content)).toContain('produce.mjs');
  const { directories } = await can('list_configs');
  expect((directories as readonly JsonObject[]).map(({ name }) => name)).toEqual(['my-web', 'own']);
  const cron = { cron: { expression: '* * * * * *', count: 1 } };
  await can('write_file', {
    name: 'own',
    path: 'generator.yml',
    content: JSON.stringify({
      ...sound,
      input: [cron],
      event: { replay: { path: 'lines.txt', repeat: true } },
    }),
  });
  await can('write_file', { name: 'own', path: 'lines.txt', content: 'a line\n' });
  const theft = {
    duration: '1h',
    members: { own: { path: '../generators/own' } },
    entities: { thief: { pick: ['ann', 'bob'] } },
    phases: [{ name: 'knocks', at: '10m', for: '1m', members: { own: { events: 5 } } }],
  };
  const written = { name: 'theft', content: JSON.stringify(theft) };
  expect(await can('write_incident', written)).toEqual({ name: 'theft', written: true });
  expect(await can('list_incidents')).toMatchObject({ incidents: [{ name: 'theft', state: 'idle' }] });
  const { incident } = await can('get_incident', { name: 'theft', seed: '7' });
  expect(incident).toMatchObject({
    timeline: [{ phase: 'knocks' }],
    entities: { thief: expect.any(String) },
  });
  expect(await can('start_incident', { name: 'theft', seed: '7' })).toMatchObject({ run: { seed: '7' } });
  expect(await can('control_incident', { name: 'theft', action: 'jump', to: 'knocks' })).toEqual({
    name: 'theft',
    done: 'jump',
  });
  expect(await can('get_incident', { name: 'theft' })).toMatchObject({ incident: { state: 'running' } });
  await can('control_incident', { name: 'theft', action: 'stop' });
  const known = TOOLS.flatMap(({ name, formerName }) =>
    formerName === undefined ? [name] : [name, formerName],
  );
  expect([...called].sort()).toEqual(known.sort());
};

describe('the official client', () => {
  test('goes the whole journey with spate mcp --allow-changes', async () => {
    const made = await start();
    model = await overStdio(['-c', join(made.folder, 'spate.yml'), '--allow-changes']);
    await journey(model, made, 'local');
  });

  test('goes the whole journey at /api/mcp with server.mcp: changes', async () => {
    const made = await start('mcp: changes');
    model = await overHttp(made);
    await journey(model, made, 'mcp');
  });

  test.each(['auto', 'legacy'] as const)('speaks with both in %s mode', async (mode) => {
    const made = await start('mcp: read');
    const expected = mode === 'auto' ? '2026-07-28' : '2025-11-25';
    for (const open of [overHttp(made, {}, mode), overStdio(['--url', made.url], {}, mode)]) {
      model = await open;
      expect(model.client.getNegotiatedProtocolVersion()).toBe(expected);
      expect(model.client.getServerVersion()).toMatchObject({ name: 'spate' });
      expect(model.client.getInstructions()).toContain('list_library');
      expect(await model.tools()).toContain('preview_events');
      expect(await model.call('list_configs')).toEqual({ isError: false, value: { directories: [] } });
      expect(await model.call('list_files', { name: '..' })).toMatchObject({ isError: true });
      await model.close();
    }
  });
});
