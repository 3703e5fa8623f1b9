/** Third-party plugins that misbehave fail their own generator: the daemon and the others go on. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance, runProgram } from '../support/instance.js';

/** Outputs by what they do. */
const OUTPUTS: Readonly<Record<string, string>> = {
  good: "write: async (batch) => { await appendFile(resolve(directory, 'good.log'), batch.bytes('\\n')); return right({ written: batch.count, failed: 0, bytes: 1 }); }",
  throws: "write: () => { throw new Error('boom'); }",
  garbage: "write: async () => ({ written: 'all' })",
  miscounts: 'write: async (batch) => right({ written: batch.count + 1, failed: 0, bytes: 0 })',
  exits: 'write: () => process.exit(0)',
  in_timer: "write: () => new Promise(() => setTimeout(() => { throw new Error('boom in a timer'); }))",
  never_writes: 'write: () => new Promise(() => {})',
  spins: 'write: () => { for (;;); }',
  closes_badly:
    "write: async (batch) => right({ written: batch.count, failed: 0, bytes: 1 }), close: () => { throw new Error('boom in close'); }",
};

const PLUGINS = `import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
const quiet = (right) => ({ isBulk: true, isOrdered: true, flush: async () => right(undefined), close: async () => right(undefined) });
export default ({ outputPlugin, right }) => [
${Object.entries(OUTPUTS)
  .map(
    ([
      name,
      methods,
    ]) => `{ spec: outputPlugin({ name: '${name}', summary: 'Misbehaves.', fields: {}, examples: [] }),
    open: async (_, { directory }) => right({ ...quiet(right), ${methods} }) },`,
  )
  .join('\n')}
  { spec: outputPlugin({ name: 'never_opens', summary: 'Misbehaves.', fields: {}, examples: [] }), open: async (_, { directory }) => { await appendFile(resolve(directory, 'opening'), ''); await new Promise(() => {}); } },
  { spec: outputPlugin({ name: 'opens_nothing', summary: 'Misbehaves.', fields: {}, examples: [] }), open: async () => right(7) },
];`;

const NAMES = [...Object.keys(OUTPUTS), 'never_opens', 'opens_nothing'];
const EVENTS = 20;

interface Status {
  readonly is_ended_up: boolean;
  readonly reason: string | null;
}

const NOTHING = { written: 0, dead_lettered: 0, write_failed: 0, abandoned: 0 };
type Fates = typeof NOTHING;
type Counters = Fates & { readonly produced: number };

interface Stats {
  readonly event: { readonly produced: number };
  readonly output: readonly Fates[];
}

const escaped = (text: string): string => text.replace(/[()[\]]/g, '\\$&');

describe('in a daemon', () => {
  let instance: Instance;

  beforeAll(async () => {
    const generators = NAMES.map((name): readonly [string, string] => [
      `${name}/generator.yml`,
      `input: [static: {count: ${EVENTS}}]
event: {template: {mode: all, templates: [{a: {template: a.jinja}}]}}
output: [${name}: {}]
`,
    ]);
    instance = await makeInstance({
      startup: NAMES.map((name) => `- {id: ${name}, path: ${name}/generator.yml, autostart: false}`).join(
        '\n',
      ),
      generators: {
        ...Object.fromEntries(generators),
        ...Object.fromEntries(NAMES.map((name) => [`${name}/a.jinja`, 'event'])),
        'plugins.mjs': PLUGINS,
      },
      settings:
        'plugins: [./generators/plugins.mjs], max_script_threads: 32, write_timeout: 1, retry: {attempts: 2, base_delay: 0.01}',
    });
    await instance.start();
    for (const name of NAMES.slice(1)) void api('POST', `${name}/start`);
    await eventually(
      () => instance.file('generators/never_opens/opening').catch(() => null),
      'never_opens opens',
    );
    void api('POST', 'never_opens/stop');
  });
  afterAll(() => instance.remove());

  const log = (): string => instance.program().stderr();

  const api = (method: string, path: string) => instance.api(method, `/generators/${path}`);
  const seen = async (id: string): Promise<Status> => (await api('GET', `${id}/status`)).body as Status;
  const ended = (id: string): Promise<Status> =>
    eventually(async () => {
      const status = await seen(id);
      return status.is_ended_up ? status : null;
    }, `${id} ends`);
  const counters = async (id: string): Promise<Counters> => {
    const { event, output } = (await api('GET', `${id}/stats`)).body as Stats;
    const [{ written, dead_lettered, write_failed, abandoned } = NOTHING] = output;
    return { produced: event.produced, written, dead_lettered, write_failed, abandoned };
  };

  test('a good one delivers, also while the others misbehave', async () => {
    await api('POST', 'good/start');
    expect(await ended('good')).toMatchObject({ is_ended_up_successfully: true });
    expect((await instance.file('generators/good/good.log')).split('\n')).toHaveLength(EVENTS + 1);
  });

  test.each([
    ['throws', 'write threw: boom'],
    ['garbage', 'write returned [object Object], not a result'],
    ['miscounts', 'write returned written 21, failed 0 and missed 0 for 20 items'],
    ['never_writes', 'no answer within write_timeout (1 s)'],
  ])('%s: the events are in the dead letters', async (id, reason) => {
    await ended(id);
    expect(await counters(id)).toEqual({ ...NOTHING, produced: EVENTS, dead_lettered: EVENTS });
    expect(log()).toMatch(new RegExp(`dead letters generator_id=${id} .*${escaped(reason)}`));
  });

  test('one that throws when it is closed is reported, and its events have arrived', async () => {
    expect(await ended('closes_badly')).toMatchObject({ is_ended_up_successfully: true });
    expect(await counters('closes_badly')).toEqual({ ...NOTHING, produced: EVENTS, written: EVENTS });
    expect(log()).toContain('close threw: boom in close');
  });

  test('one that opens nothing fails its generator for good, with its name and file', async () => {
    expect(await ended('opens_nothing')).toMatchObject({
      is_ended_up_successfully: false,
      error_code: 'plugin_failed',
      reason: expect.stringContaining(
        'output opens_nothing (./generators/plugins.mjs): open gave no function `write`',
      ),
    });
  });

  test.each([
    ['exits', 'it ended its thread with process.exit(0)'],
    ['in_timer', 'boom in a timer'],
    ['spins', 'it kept its thread busy for 10 s'],
  ])('%s: it ends its own thread, again and again', async (id, reason) => {
    const pattern = new RegExp(`will be restarted generator_id=${id} .*${escaped(reason)}`);
    await eventually(async () => (pattern.test(log()) ? true : null), `${id} is restarted`);
    await api('POST', `${id}/stop`);
    await ended(id);
  });

  test('one that never opens can be stopped: it ends after the drain deadline', async () => {
    expect(await ended('never_opens')).toMatchObject({
      reason: 'output never_opens (./generators/plugins.mjs): the generator ended during open',
    });
  });

  test('the daemon shows them in its API document, and still serves', async () => {
    const { body } = await instance.api('GET', '/openapi.json');
    for (const name of NAMES) expect(JSON.stringify(body)).toContain(`"${name}":{`);
    await api('POST', 'good/start');
    expect(await ended('good')).toMatchObject({ is_ended_up_successfully: true });
  });
});

describe('a daemon whose plugins cannot be loaded does not start', () => {
  test.each([
    ['./generators/none.mjs', /plugin \.\/generators\/none\.mjs: .*none\.mjs does not exist\. Create it/],
    ['./generators/throws.mjs', /throws\.mjs: it cannot be loaded: boom\. Correct the file/],
    [
      './generators/taken.mjs',
      /taken\.mjs: the name of output http is taken: Spate has http\. Rename the plugin/,
    ],
    ['spate-plugin-none', /no package has this name .*npm install spate-plugin-none/],
  ])('%s', async (entry, message) => {
    const instance = await makeInstance({
      startup: '[]',
      generators: {
        'throws.mjs': 'throw new Error("boom");',
        'taken.mjs': PLUGINS.replaceAll("name: 'good'", "name: 'http'"),
      },
      settings: `plugins: ["${entry}"]`,
    });
    const program = runProgram(['run', '-c', `${instance.folder}/spate.yml`]);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr()).toMatch(message);
    await instance.remove();
  });
});
