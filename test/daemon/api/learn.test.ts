import { readdirSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LearnedLog } from '../../../src/analysis/learn/report.js';
import { MAX_LEARNED_BYTES } from '../../../src/contract/body.js';
import { type Instance, makeInstance } from '../../support/instance.js';

const LOGS = join(import.meta.dirname, '..', '..', 'analysis', 'learn', 'logs');
const RSYSLOG = readFileSync(join(LOGS, 'rsyslog.log'), 'utf8');
/** People and machines that the log names. */
const PRIVATE = ['mkowalski', 'tgreen', 'sfischer', 'fileserver3', '203.0.113.', '198.51.100.'];

const held: { instance: Instance | null } = { instance: null };
const it = (): Instance => held.instance as Instance;

beforeAll(async () => {
  held.instance = await makeInstance({ startup: '[]\n', generators: {} });
  await it().start();
});
afterAll(() => it().remove());

const send = async (path: string, content: string | Buffer) => {
  const response = await fetch(`${it().url}${path}`, { method: 'POST', body: content });
  return { status: response.status, body: await response.json() };
};
const learn = async (content: string | Buffer, query = ''): Promise<LearnedLog> => {
  const { status, body } = await send(`/preview/learn?seed=tests&${query}`, content);
  expect({ status, detail: (body as { detail?: unknown }).detail }).toEqual({
    status: 200,
    detail: undefined,
  });
  return body as LearnedLog;
};
/** The answer to the log, learned once. */
let known: LearnedLog | null = null;
const ofRsyslog = async (): Promise<LearnedLog> => {
  known ??= await learn(RSYSLOG, 'name=my-hosts');
  return known;
};
/** Everything below the generators directory. */
const stored = async (): Promise<readonly string[]> =>
  readdir(join(it().folder, 'generators'), { recursive: true }).catch(() => []);

describe('learning from a log over the API', () => {
  test('reports format, times, fields and closeness, and writes nothing', async () => {
    const learned = await ofRsyslog();
    expect(learned).toMatchObject({
      generator: 'my-hosts',
      seed: 'tests',
      is_cut: false,
      formats: [['syslog', learned.records]],
      left_out: { too_long: 0, binary: 0, bad_characters: 0 },
      times: { found: learned.records },
      comparison: { failed: 0, gaps: { difference: expect.any(Number) } },
    });
    expect(learned.comparison.fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['host', 'program']),
    );
    expect(learned.comparison.worst.enumeration).toBeLessThan(0.05);
    expect(Object.keys(learned.files)).toContain('README.md');
    expect(learned.files['README.md']).toContain('# my-hosts');
    expect(await stored()).toEqual([]);
  });

  test('shows records beside events of the same template; only records hold private values', async () => {
    const { examples, replaced, config, files, comparison } = await ofRsyslog();
    expect(examples.length).toBeGreaterThan(1);
    for (const { records, events } of examples) {
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) expect(RSYSLOG).toContain(record);
      expect(events.length).toBeGreaterThan(0);
    }
    const made = JSON.stringify([config, files, comparison, examples.map(({ events }) => events)]);
    expect(PRIVATE.filter((value) => made.includes(value))).toEqual([]);
    expect(replaced).toMatchObject({ ipv4: expect.any(Number), user: expect.any(Number) });
  });

  test('keeps private values only if asked', async () => {
    const { files, replaced } = await learn(RSYSLOG, 'keep_values=true');
    expect(JSON.stringify(files)).toContain('mkowalski');
    expect(replaced).toBeNull();
  });

  test('gives the same files for the same seed, and draws a seed without one', async () => {
    const [first, second] = [await ofRsyslog(), await learn(RSYSLOG, 'name=my-hosts')];
    expect(second.files).toEqual(first.files);
    const { body } = await send('/preview/learn', RSYSLOG);
    const drawn = body as LearnedLog;
    expect(drawn.seed).toMatch(/^[\da-f]{32}$/);
    expect(drawn.files).not.toEqual(first.files);
  });

  test('mines templates from a format that it does not know', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `<<${at % 7}>> the gate ${at} is ${at % 2 ? 'open' : 'shut'}`,
    );
    const { formats, comparison } = await learn(lines.join('\n'));
    expect(formats).toEqual([['lines', 300]]);
    expect(comparison.unmatched).toBe(0);
  });

  test.each([
    ['nothing', '', /no lines/],
    ['blank lines', '\n \n\n', /no lines/],
    ['binary data', Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 9)), /only binary data/],
    ['a compressed log', gzipSync(RSYSLOG), /compressed\. Decompress it first/],
  ])('refuses %s, and leaves no upload behind', async (_, content, why) => {
    const { status, body } = await send('/preview/learn', content);
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body'], msg: expect.stringMatching(why) }] },
    });
    expect(await stored()).toEqual([]);
  });

  test('refuses a log that is too large, and unknown options', async () => {
    const { status, body } = await send('/preview/learn', 'x'.repeat(MAX_LEARNED_BYTES + 1));
    expect({ status, body }).toMatchObject({ status: 413, body: { code: 'too_large' } });
    expect((await send('/preview/learn?timezone=Mars', 'a')).status).toBe(422);
    expect((await send('/preview/learn?name=..%2Fx', 'a')).status).toBe(422);
  });

  test('answers other previews while a log is learned', async () => {
    const slow = learn(Array.from({ length: 100 }, () => RSYSLOG).join(''));
    const order: string[] = [];
    const other = it()
      .api('POST', '/preview/log-timestamps', { text: '2026-01-12 00:10:37 up' })
      .then(({ status }) => order.push(`other ${status}`));
    await Promise.all([slow.then(() => order.push('learned')), other]);
    expect(order).toEqual(['other 200', 'learned']);
  });
});

describe('a generator that is created with all its files', () => {
  const imported = (name: string, content: unknown) =>
    send(
      `/generator-configs/${name}/import`,
      typeof content === 'string' ? content : JSON.stringify(content),
    );

  test('is the learned one, and its events can be previewed', async () => {
    const { config, files } = await ofRsyslog();
    expect(await imported('hosts', { config, files })).toEqual({ status: 201, body: null });
    const written = readdirSync(join(it().folder, 'generators', 'hosts'), { recursive: true });
    expect(written).toEqual(expect.arrayContaining(['generator.yml', ...Object.keys(files)]));
    expect(await it().file('generators/hosts/generator.yml')).toBe(config);
    const { body } = await it().api('GET', '/generator-configs/hosts');
    const { event } = body as { event: unknown };
    expect((await it().api('POST', '/preview/hosts/event-plugin', event)).status).toBe(201);
    expect(
      await it().api('POST', '/preview/hosts/event-plugin/produce', [
        { timestamp: '2026-01-01T00:00:00Z', tags: [] },
      ]),
    ).toMatchObject({ status: 200, body: { events: [expect.any(String)], errors: [] } });
  });

  test('is the one of an exported archive, byte for byte', async () => {
    const { config, files } = await ofRsyslog();
    await imported('source', { config, files });
    const archive = await fetch(`${it().url}/generator-configs/source/export`);
    const bytes = Buffer.from(await archive.arrayBuffer());
    const stored = await fetch(`${it().url}/generator-configs/copy/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    expect(stored.status).toBe(201);
    const folder = (name: string): string => join(it().folder, 'generators', name);
    const paths = readdirSync(folder('source'), { recursive: true }).map(String).toSorted();
    expect(readdirSync(folder('copy'), { recursive: true }).map(String).toSorted()).toEqual(paths);
    expect(paths).toEqual(expect.arrayContaining(['generator.yml', ...Object.keys(files)]));
    for (const path of Object.keys(files))
      expect(await it().file(`generators/copy/${path}`)).toBe(await it().file(`generators/source/${path}`));
    const cut = await fetch(`${it().url}/generator-configs/cut/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes.subarray(0, -30),
    });
    expect({ status: cut.status, said: await cut.text() }).toMatchObject({
      status: 422,
      said: expect.stringContaining('complete ZIP archive'),
    });
    expect(readdirSync(join(it().folder, 'generators'))).not.toContain('cut');
  });

  test('never replaces a directory', async () => {
    const { config, files } = await ofRsyslog();
    await imported('twice', { config, files });
    const again = await imported('twice', { config, files: {} });
    expect(again).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(await it().file('generators/twice/README.md')).toBe(files['README.md']);
  });

  const CONFIG = 'input: [{static: {count: 1}}]\nevent: {replay: {path: a.log}}\noutput: [{stdout: {}}]\n';
  test.each([
    ['no JSON', 'text', ['body']],
    ['bytes that are no UTF-8', Buffer.from([0xff]).toString('latin1').repeat(3), ['body']],
    ['an unknown key', { config: CONFIG, files: {}, more: 1 }, ['body', 'more']],
    ['a path that leads outside', { config: CONFIG, files: { '../x': '' } }, ['body', 'files', '../x']],
    [
      'a second config',
      { config: CONFIG, files: { 'generator.yml': '' } },
      ['body', 'files', 'generator.yml'],
    ],
    ['a file as a folder', { config: CONFIG, files: { a: '', 'a/b': '' } }, ['body', 'files', 'a/b']],
    ['an invalid config', { config: 'input: []\n', files: {} }, ['body', 'config', 'input']],
  ])('is refused with %s, and leaves nothing', async (_, content, loc) => {
    const { status, body } = await imported('broken', content);
    expect({ status, loc: (body as { detail: { loc: string[] }[] }).detail[0]?.loc }).toEqual({
      status: 422,
      loc,
    });
    expect((await stored()).filter((path) => path.includes('broken') || path.includes('.tmp'))).toEqual([]);
  });

  test('is created in a service that has no generators directory', async () => {
    await rm(join(it().folder, 'generators'), { recursive: true });
    const { config, files } = await learn(RSYSLOG);
    expect((await imported('first', { config, files })).status).toBe(201);
  });
});
