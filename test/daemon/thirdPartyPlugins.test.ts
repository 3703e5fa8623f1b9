import { mkdirSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** An input of one timestamp a tick, an event plugin and an output, in one file. */
const PARTS = `import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const EVERY_MICROS = 50_000;

export default ({ inputPlugin, eventPlugin, outputPlugin, defaulted, required, integer, path, text, right, textBatch }) => [
  {
    spec: inputPlugin({
      name: 'ticks', summary: 'Ticks.', examples: [{ title: 'Ten', params: { count: 10 } }],
      fields: { count: defaulted(integer({ min: 1 }), 1_000_000, { help: 'Number of ticks.' }) },
    }),
    build: async ({ count }, { now }) => {
      let at = 0;
      return right({
        fill: (out) => {
          const given = Math.min(out.length, count - at);
          for (let i = 0; i < given; i++) out[i] = now + ++at * EVERY_MICROS;
          return given;
        },
        snapshot: () => at,
        restore: (state) => { at = state; },
      });
    },
  },
  {
    spec: eventPlugin({
      name: 'says', summary: 'Says a word.', examples: [{ title: 'Hello', params: { word: 'hello' } }],
      fields: { word: required(text(), { help: 'The word.' }) },
    }),
    build: async ({ word }) => {
      let number = 0;
      return right({
        produce: ({ from, to }) => ({
          consumed: to - from, failed: 0, dropped: 0, exhausted: false,
          events: textBatch(Array.from({ length: to - from }, () => word + ' ' + ++number)),
        }),
        snapshot: () => number,
        restore: (state) => { number = state; },
        close: async () => {},
      });
    },
  },
  {
    spec: outputPlugin({
      name: 'appends', summary: 'Appends.', examples: [{ title: 'A file', params: { path: 'out.log' } }],
      fields: { path: required(path(), { help: 'The file.' }) },
    }),
    open: async ({ path: file }, { directory }) => right({
      isBulk: false, isOrdered: true,
      write: async (batch) => {
        const bytes = batch.bytes('\\n');
        await appendFile(resolve(directory, file), bytes);
        return right({ written: batch.count, failed: 0, bytes: bytes.byteLength });
      },
      flush: async () => right(undefined),
      close: async () => right(undefined),
    }),
  },
];`;

/** A formatter in a package that imports the kit. */
const PACKAGE = `import { defaulted, formatterPlugin, right, text, textBatch } from 'spate-events/plugin';

export default {
  spec: formatterPlugin({
    name: 'shouts', summary: 'Shouts.', examples: [{ title: 'Loud', params: {} }],
    fields: { end: defaulted(text(), '!', { help: 'Behind each event.' }) },
  }),
  build: async ({ end }) => right({
    joins: false,
    format: (events) => ({
      batch: textBatch(events.texts().map((event) => event.toUpperCase() + end)), eventsPerItem: 1, failures: [],
    }),
  }),
};`;

const config = (path: string, end = '!!', comment = ''): string => `# ${comment}
input: [ticks: {}]
event: {says: {word: hello}}
output: [appends: {path: ${path}, formatter: {format: shouts, end: '${end}'}}]
`;

const builtIn = (event: string): string => `input: [timer: {seconds: 0.1, count: 1}]
event: {${event}}
output: [file: {path: a.log, flush_interval: 0}]
`;

describe('a daemon with third-party plugins in its settings', () => {
  let instance: Instance;
  const linesOf = async (path: string): Promise<readonly string[]> =>
    (await instance.file(`generators/${path}`).catch(() => '')).split('\n').slice(0, -1);
  const reached = (path: string, line: string) =>
    eventually(async () => ((await linesOf(path)).includes(line) ? true : null), `${line} in ${path}`);
  /** The first event may be written before the service knows that the generator runs. */
  const runs = (id: string) =>
    eventually(async () => {
      const { body } = await instance.api('GET', `/generators/${id}/status`);
      return (body as { readonly is_running: boolean }).is_running ? true : null;
    }, `${id} runs`);

  beforeAll(async () => {
    instance = await makeInstance({
      startup: `- {id: thread, path: thread/generator.yml, checkpoint: true}
- {id: process, path: process/generator.yml, isolation: process}
- {id: plain, path: plain/generator.yml}
- {id: own, path: own/generator.yml}
- {id: long, path: long/generator.yml, live_mode: false}`,
      generators: {
        'parts.mjs': PARTS,
        'thread/generator.yml': config('out.log'),
        'process/generator.yml': config('out.log'),
        'plain/generator.yml': builtIn('template: {mode: all, templates: [{a: {template: a.jinja}}]}'),
        'own/generator.yml': builtIn('script: {path: own.mjs}'),
        'own/own.mjs': "export const produce = () => 'own';",
        'plain/a.jinja': 'plain',
        // Read by the thread for long texts.
        'long/generator.yml': config('out.log', '?', 'x'.repeat(50_000)).replace(
          'ticks: {}',
          'ticks: {count: 5}',
        ),
        'node_modules/spate-plugin-shouts/package.json': '{"type": "module", "exports": "./shouts.js"}',
        'node_modules/spate-plugin-shouts/shouts.js': PACKAGE,
      },
      settings: 'plugins: [./generators/parts.mjs, ./generators/node_modules/spate-plugin-shouts]',
    });
    mkdirSync(join(instance.folder, 'generators', 'node_modules'), { recursive: true });
    symlinkSync(ROOT, join(instance.folder, 'generators', 'node_modules', 'spate-events'));
    await instance.start();
  });
  afterAll(() => instance.remove());

  test.each(['thread', 'process'])('runs them in a generator with isolation: %s', async (id) => {
    await reached(`${id}/out.log`, 'HELLO 20!!');
    expect((await linesOf(`${id}/out.log`)).slice(0, 3)).toEqual(['HELLO 1!!', 'HELLO 2!!', 'HELLO 3!!']);
  });

  test('reads long configs with them', async () => {
    await reached('long/out.log', 'HELLO 5?');
    expect(await instance.api('GET', '/generator-configs/long')).toMatchObject({
      status: 200,
      body: {
        input: [{ ticks: { count: 5, tags: [] } }],
        output: [{ appends: { formatter: { end: '?' } } }],
      },
    });
  });

  test('resumes them from a checkpoint after a kill', async () => {
    await reached('thread/out.log', 'HELLO 40!!');
    await eventually(() => instance.file('state/checkpoints/thread.json').catch(() => null), 'a checkpoint');
    await instance.kill('SIGKILL');
    const before = (await linesOf('thread/out.log')).length;
    await instance.start();
    await reached('thread/out.log', `HELLO ${before + 20}!!`);
    expect((await linesOf('thread/out.log')).filter((line) => line === 'HELLO 1!!')).toHaveLength(1);
  });

  test('changes a running generator to them where it has a thread of its own', async () => {
    const theirs = { output: [{ appends: { path: 'b.log', formatter: { format: 'shouts' } } }] };
    await reached('own/a.log', 'own');
    await runs('own');
    expect(await instance.api('PATCH', '/generators/own', theirs)).toEqual({ status: 200, body: null });
    await reached('own/b.log', 'OWN!');
    await reached('plain/a.log', 'plain');
    await runs('plain');
    expect(await instance.api('PATCH', '/generators/plain', theirs)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('the new plugins need a thread of their own') },
    });
  });

  test('previews them', async () => {
    const timestamps = await instance.api('POST', '/preview/plain/input-plugins/generate?size=2', [
      { ticks: {} },
    ]);
    expect(timestamps).toMatchObject({ status: 200, body: { total: 2 } });
    expect(await instance.api('POST', '/preview/plain/event-plugin', { says: { word: 'hi' } })).toMatchObject(
      {
        status: 201,
      },
    );
    expect(
      await instance.api('POST', '/preview/plain/event-plugin/produce', [
        { timestamp: '2026-01-01T09:00:00Z', tags: [] },
      ]),
    ).toMatchObject({ status: 200, body: { events: ['hi 1'] } });
    const formatted = { formatter_config: { format: 'shouts' }, events: ['psst'] };
    expect(await instance.api('POST', '/preview/plain/formatter/format', formatted)).toMatchObject({
      status: 200,
      body: { events: ['PSST!'] },
    });
  });

  test('checks configs by their declarations, and shows them in the API document', async () => {
    const wrong = { input: [{ ticks: { count: 0 } }], event: { says: {} }, output: [{ stdout: {} }] };
    const answer = await instance.api('POST', '/generator-configs/wrong', wrong);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toMatch(/count.*must be at least 1/);
    const { body } = await instance.api('GET', '/openapi.json');
    for (const name of ['ticks', 'says', 'appends', 'shouts'])
      expect(JSON.stringify(body)).toContain(`"${name}"`);
  });

  test('a changed list takes effect with SIGHUP, which restarts the instance', async () => {
    const extra = `export default ({ outputPlugin, right }) => ({
      spec: outputPlugin({ name: 'extra', summary: 'Does nothing.', fields: {}, examples: [] }),
      open: async () => right(null),
    });`;
    await writeFile(join(instance.folder, 'generators', 'extra.mjs'), extra);
    const settings = await instance.file('spate.yml');
    await writeFile(
      join(instance.folder, 'spate.yml'),
      settings.replace('plugins: [', 'plugins: [./generators/extra.mjs, '),
    );
    instance.program().child.kill('SIGHUP');
    await eventually(async () => {
      const answer = await instance.api('GET', '/openapi.json').catch(() => null);
      return JSON.stringify(answer?.body ?? '').includes('"extra":{') ? true : null;
    }, 'the API document has the new plugin');
    const lines = (await linesOf('process/out.log')).length;
    await eventually(
      async () => ((await linesOf('process/out.log')).length > lines ? true : null),
      'events flow again',
    );
  });
});
