import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../../support/instance.js';

const CONFIG = `
input: [static: {count: 1}]
event: {script: {path: produce.mjs}}
output: [file: {path: ../../out.log}]
`;

/** Says what it sees and counts, and does what a tag tells it to. */
const SCRIPT = `
let calls = 0;
export const produce = ({ timestamp, tags, globals, params, drop, exhaust }) => {
  calls++;
  if (tags.includes('drop')) drop();
  if (tags.includes('end')) exhaust();
  if (tags.includes('throw')) {
    throw new TypeError('bad luck at ' + calls);
  }
  if (tags.includes('none')) return undefined;
  return [
    [calls, timestamp, tags.join('+'), globals.increment('calls'), JSON.stringify(params)].join(' '),
    ...(tags.includes('two') ? ['second'] : []),
  ];
};
`;

const event = (name: string): string => `/preview/${name}/event-plugin`;
const at = (...tags: string[]) => ({ timestamp: '2026-05-01T12:00:00+02:00', tags });
const script = { script: { path: 'produce.mjs' } };

describe('events of a script in preview', () => {
  let instance: Instance;

  beforeAll(async () => {
    instance = await makeInstance({
      startup: '- {id: live, path: web/generator.yml, autostart: false, scenarios: [shop]}\n',
      generators: {
        'web/generator.yml': CONFIG,
        'web/produce.mjs': SCRIPT,
        'web/lib/other.ts': "export const produce = (): string => 'from TypeScript';",
        'web/slow.mjs':
          'let n = 0; export const produce = async () => { await new Promise((r) => setTimeout(r, 50)); return String(++n); };',
        'web/count.jinja':
          '{% do shared.set("n", shared.get("n", 0) + 1) %}{% do locals.update({"at": timestamp, "pair": (1, 2.5)}) %}{{ shared.n }} {{ shared.extra }}',
        'web/bad.jinja': 'x\n{{ 1 / 0 }}',
        'web/lines.txt': 'one 1999\ntwo 1999\nthree 1999\n',
        'other/generator.yml': CONFIG,
        'other/produce.mjs': "export const produce = () => 'other';",
      },
      settings: 'timezone: Asia/Tokyo',
    });
    await instance.start();
  });

  afterAll(() => instance.remove());

  const api = (method: string, path: string, body?: unknown) => instance.api(method, path, body);
  const produce = async (name: string, ...timestamps: unknown[]) =>
    (await api('POST', `${event(name)}/produce`, timestamps)).body;

  test('keep their state between calls; what fails has its place and reason', async () => {
    expect(await api('POST', event('web'), script)).toEqual({ status: 201, body: null });
    expect(await produce('web', at('a', 'two'), at('throw'), at('drop'), at('none'), at())).toEqual({
      events: ['1 2026-05-01T19:00:00+09:00 a+two 1 {}', 'second', '5 2026-05-01T19:00:00+09:00  2 {}'],
      errors: [
        {
          index: 1,
          message: expect.stringMatching(/TypeError: bad luck at 2 \(produce\.mjs:8:11\)$/),
          context: { file_path: 'produce.mjs', timestamp: '2026-05-01T19:00:00+09:00' },
        },
        expect.objectContaining({ index: 3, message: expect.stringContaining('produce returned undefined') }),
      ],
      exhausted: false,
    });
    expect(await produce('web', at('x'), at('end'), at('y'))).toEqual({
      events: ['6 2026-05-01T19:00:00+09:00 x 3 {}'],
      errors: [],
      exhausted: true,
    });
    expect(await produce('web', at())).toEqual({ events: [], errors: [], exhausted: true });
    expect(await produce('web')).toEqual({ events: [], errors: [], exhausted: false });
  });

  test('have their own globals, which the API reads and changes', async () => {
    await api('PATCH', '/scenarios/shop/globals', { calls: 'live' });
    await api('POST', event('web'), script);
    const state = `${event('web')}/template/state/global`;
    await produce('web', at(), at());
    expect((await api('GET', state)).body).toEqual({ calls: 2 });
    expect(await api('PATCH', state, { calls: 40, 'a/b': null })).toEqual({ status: 200, body: null });
    expect(await produce('web', at())).toMatchObject({ events: [expect.stringContaining(' 41 ')] });
    expect(await api('GET', `${state}/a%2Fb`)).toEqual({ status: 200, body: null });
    expect((await api('GET', `${state}/missing`)).status).toBe(404);
    expect((await api('DELETE', `${state}/missing`)).status).toBe(200);
    await api('DELETE', `${state}/calls`);
    expect((await api('GET', state)).body).toEqual({ 'a/b': null });
    await api('DELETE', state);
    expect((await api('GET', state)).body).toEqual({});
    expect((await api('GET', '/scenarios/shop/globals')).body).toEqual({ calls: 'live' });
    for (const path of ['shared', 'local/main', 'shared/key', 'local/main/key']) {
      expect(await api('GET', `${event('web')}/template/state/${path}`)).toMatchObject({
        status: 400,
        body: { code: 'not_ready', detail: expect.stringContaining('not a template plugin') },
      });
    }
  });

  test('of templates: shared and local state can be read and changed', async () => {
    const templates = [{ main: { template: 'count.jinja' } }, { bad: { template: 'bad.jinja' } }];
    await api('POST', event('web'), { template: { mode: 'spin', templates } });
    expect(await produce('web', at(), at(), at())).toEqual({
      events: ['1 None', '2 None'],
      errors: [
        {
          index: 1,
          message: expect.stringMatching(/bad\.jinja:2:\d+: ZeroDivisionError: division by zero$/),
          context: expect.objectContaining({ template_alias: 'bad', source: '{{ 1 / 0 }}' }),
        },
      ],
      exhausted: false,
    });
    const state = `${event('web')}/template/state`;
    expect((await api('GET', `${state}/shared`)).body).toEqual({ n: 2 });
    expect((await api('GET', `${state}/local/main`)).body).toEqual({
      at: '2026-05-01 19:00:00+09:00',
      pair: [1, 2.5],
    });
    expect((await api('GET', `${state}/local/bad`)).body).toEqual({});
    expect((await api('GET', `${state}/local/other`)).status).toBe(404);
    expect(await api('PATCH', `${state}/shared`, { n: 9, extra: { a: [1] } })).toEqual({
      status: 200,
      body: null,
    });
    expect((await api('GET', `${state}/shared/extra`)).body).toEqual({ a: [1] });
    expect((await api('GET', `${state}/shared/nothing`)).status).toBe(404);
    await produce('web', at());
    expect(await produce('web', at())).toMatchObject({ events: ["10 {'a': [1]}"] });
    expect((await api('DELETE', `${state}/shared/extra`)).status).toBe(200);
    expect((await api('DELETE', `${state}/local/main`)).status).toBe(200);
    expect((await api('GET', `${state}/local/main`)).body).toEqual({});
    await api('DELETE', `${state}/shared`);
    expect((await api('GET', `${state}/shared`)).body).toEqual({});
  });

  test('a template that cannot be compiled is refused with its line', async () => {
    const templates = [{ main: { template: 'nothing.jinja' } }];
    expect(await api('POST', event('web'), { template: { mode: 'all', templates } })).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', 'template', 'templates', '0', 'main', 'template'],
            msg: expect.stringContaining('TemplateNotFound'),
          },
        ],
      },
    });
  });

  test('a new plugin takes the place of the former one, a broken one does not', async () => {
    await api('POST', event('web'), script);
    await produce('web', at());
    const broken = await api('POST', event('web'), { script: { path: 'missing.mjs' } });
    expect(broken).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'script'], type: 'plugin_failed' }] },
    });
    expect(await produce('web', at())).toMatchObject({ events: [expect.stringMatching(/^2 /)] });
    await api('POST', `${event('web')}?timezone=UTC`, script);
    expect(await produce('web', at())).toMatchObject({ events: ['1 2026-05-01T10:00:00+00:00  1 {}'] });
  });

  test('paths resolve in the directory of the generator; every kind of event works', async () => {
    await api('POST', event('web'), { script: { path: 'lib/other.ts' } });
    expect(await produce('web', at())).toMatchObject({ events: ['from TypeScript'] });
    await api('POST', event('web'), {
      replay: { path: 'lines.txt', timestamp_pattern: '(?<timestamp>1999)', timestamp_format: '%H' },
    });
    expect(await produce('web', at(), at())).toEqual({
      events: ['one 19', 'two 19'],
      errors: [],
      exhausted: false,
    });
    expect(await produce('web', at(), at())).toEqual({ events: ['three 19'], errors: [], exhausted: true });
  });

  test('ten thousand timestamps at once, in order, and their errors one by one', async () => {
    await api('POST', event('web'), script);
    const answer = (await produce(
      'web',
      ...Array.from({ length: 10_000 }, (_, n) => (n % 10 === 0 ? at('throw') : at())),
    )) as { events: string[]; errors: { index: number }[] };
    expect(answer.events.map((text) => Number(text.split(' ')[0]))).toEqual(
      Array.from({ length: 10_000 }, (_, n) => n + 1).filter((n) => n % 10 !== 1),
    );
    expect(answer.errors.map(({ index }) => index)).toEqual(Array.from({ length: 1_000 }, (_, n) => n * 10));
  });

  test('one that is only slow is stopped in time, and keeps its state', async () => {
    await api('POST', event('web'), { script: { path: 'slow.mjs' } });
    const timestamps = Array.from({ length: 10_000 }, () => at());
    const slow = await api('POST', `${event('web')}/produce`, timestamps);
    expect(slow).toMatchObject({ status: 503, body: { code: 'timed_out' } });
    const used = /used up the first (\d+) timestamps/.exec(JSON.stringify(slow.body))?.[1];
    expect(await produce('web', at())).toMatchObject({ events: [String(Number(used) + 1)] });
  });

  test('nothing is there before it is posted, after a release, and where no generator is', async () => {
    await api('POST', event('web'), script);
    expect(await api('DELETE', event('web'))).toEqual({ status: 200, body: null });
    for (const [method, path, body] of [
      ['DELETE', event('web'), undefined],
      ['POST', `${event('web')}/produce`, [at()]],
      ['GET', `${event('web')}/template/state/global`, undefined],
      ['GET', `${event('web')}/template/state/shared`, undefined],
    ] as const) {
      expect(await api(method, path, body)).toMatchObject({ status: 400, body: { code: 'not_ready' } });
    }
    for (const [method, path, body] of [
      ['POST', event('nobody'), script],
      ['POST', `${event('nobody')}/produce`, [at()]],
      ['DELETE', event('nobody'), undefined],
      ['POST', '/preview/nobody/formatter/format', { formatter_config: { format: 'plain' }, events: ['x'] }],
      ['POST', '/preview/nobody/versatile-datetime/normalize', { timezone: 'UTC' }],
    ] as const) {
      expect(await api(method, path, body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('formatters and dates', async () => {
    const formatted = await api('POST', '/preview/web/formatter/format', {
      formatter_config: { format: 'json-batch' },
      events: ['{"a":1}', 'no JSON'],
    });
    expect(formatted).toEqual({
      status: 200,
      body: {
        events: ['[{"a": 1}]'],
        formatted_count: 1,
        errors: [{ message: expect.stringContaining('not valid JSON'), original_event: 'no JSON' }],
      },
    });
    const body = { value: '+1d', timezone: 'Europe/Berlin', relative_base: '2026-03-28T12:00:00' };
    expect(await api('POST', '/preview/web/versatile-datetime/normalize', body)).toEqual({
      status: 200,
      body: '2026-03-29T13:00:00+02:00',
    });
  });

  test('end with their directory', async () => {
    await api('POST', event('other'), script);
    expect(await produce('other', at())).toMatchObject({ events: ['other'] });
    expect((await api('DELETE', '/generator-configs/other')).status).toBe(200);
    expect((await api('POST', `${event('other')}/produce`, [at()])).status).toBe(404);
    const made = { input: [{ static: { count: 1 } }], event: script, output: [{ stdout: {} }] };
    expect((await api('POST', '/generator-configs/other', made)).status).toBe(201);
    expect((await api('POST', `${event('other')}/produce`, [at()])).status).toBe(400);
    await rm(join(instance.folder, 'generators', 'other'), { recursive: true });
    expect((await api('POST', event('other'), script)).status).toBe(404);
  });
});
