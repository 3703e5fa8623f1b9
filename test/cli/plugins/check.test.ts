import { afterEach, describe, expect, test } from '@jest/globals';
import { install } from '../../../src/plugins/loaded.js';
import { fakeIo, folderWith, GENERATOR, spate } from '../support.js';

afterEach(() => install([]));

/** Good plugins of each kind, in one line for each part that a rule is about. */
const GOOD = {
  output: `import { appendFile, open } from 'node:fs/promises';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
export default ({ outputPlugin, defaulted, path, text, integer, right, left, failure }) => ({
  spec: outputPlugin({
    name: 'theirs',
    summary: 'Appends to a file.',
    fields: { path: defaulted(path(), 'out.log', { help: 'The file.' }), level: defaulted(integer(), 1, { help: 'A number.' }) },
    examples: [{ title: 'A file', params: { path: 'other.log' } }],
  }),
  open: async ({ path: file }, { directory }) => {
    const handle = await open(resolve(directory, file), 'a');
    return right({
      isBulk: true,
      isOrdered: true,
      write: async (batch, signal) => {
        const bytes = batch.bytes('\\n');
        try {
          await appendFile(handle, bytes);
        } catch (thrown) {
          return left(failure('output_failed', String(thrown)));
        }
        return right({ written: batch.count, failed: 0, bytes: bytes.byteLength });
      },
      flush: async () => right(undefined),
      close: async () => {
        await handle.close();
        return right(undefined);
      },
    });
  },
});
`,
  input: `export default ({ inputPlugin, required, integer, right }) => ({
  spec: inputPlugin({
    name: 'theirs',
    summary: 'Counts.',
    fields: { count: required(integer({ min: 1 }), { help: 'How many.' }) },
    examples: [{ title: 'Thirty', params: { count: 30 } }],
  }),
  build: async ({ count }, { now, random }) => {
    let at = 0;
    return right({
      fill: (out) => {
        const given = Math.min(out.length, count - at);
        for (let i = 0; i < given; i++) out[i] = now + ++at;
        return given;
      },
      snapshot: () => at,
      restore: (state) => { at = state; },
    });
  },
});
`,
  event: `export default ({ eventPlugin, makeMarker, textBatch, right }) => ({
  spec: eventPlugin({
    name: 'theirs',
    summary: 'Draws.',
    fields: {},
    examples: [{ title: 'Draws', params: {} }],
  }),
  build: async ({ marks }, { random }) => {
    const marker = marks === null ? null : makeMarker(marks, random);
    return right({
      produce: ({ micros, from, to }) => {
        const events = [];
        for (let i = from; i < to; i++) {
          const one = [String(random.uint32())];
          marker?.markAll(one, micros[i]);
          events.push(...one);
        }
        return { consumed: to - from, events: textBatch(events), failed: 0, dropped: 0, exhausted: false };
      },
      close: async () => {},
    });
  },
});
`,
  formatter: `export default ({ formatterPlugin, textBatch, right }) => ({
  spec: formatterPlugin({
    name: 'theirs',
    summary: 'Adds a point.',
    fields: {},
    examples: [{ title: 'Points', params: {} }],
  }),
  build: async () => right({
    joins: false,
    format: (events) => ({ batch: textBatch(events.texts().map((event) => event + '.')), eventsPerItem: 1, failures: [] }),
  }),
});
`,
};

type Kind = keyof typeof GOOD;

let folders = 0;

const check = async (text: string, more = '') => {
  // A path of its own: modules are never loaded twice.
  const name = `plugin${++folders}.mjs`;
  const cwd = await folderWith({ [name]: text, 'params.yml': 'path: third.log\n' });
  return spate(['plugins', 'check', name, ...(more === '' ? [] : more.split(' '))], fakeIo({ cwd }));
};

const DESTINATION = `import { readFileSync, existsSync } from 'node:fs';
export const conformance = {
  destination: (folder) => ({
    params: { path: folder + '/out.log' },
    arrived: () => existsSync(folder + '/out.log') ? readFileSync(folder + '/out.log', 'utf8') : '',
    takeAway: () => {},
  }),
};
`;

describe('spate plugins check', () => {
  test.each(Object.keys(GOOD) as readonly Kind[])('a good %s keeps every rule', async (kind) => {
    const { code, out, err } = await check(GOOD[kind]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.startsWith(`${kind} theirs\n  ok       has the name of its row`)).toBe(true);
    expect(out).not.toContain('BROKEN');
    expect(out.includes('skipped')).toBe(kind === 'output');
  });

  test.each<[Kind, string, string, string]>([
    [
      'output',
      "summary: 'Appends to a file.'",
      "summary: 'appends'",
      'has the name of its row, a summary and an example: the summary is no sentence with a capital letter and a period: "appends"',
    ],
    [
      'output',
      "examples: [{ title: 'A file', params: { path: 'other.log' } }]",
      'examples: []',
      'has the name of its row, a summary and an example: the declaration has no example',
    ],
    [
      'output',
      "params: { path: 'other.log' }",
      "params: { level: 'x' }",
      'its examples decode, and read back they decode to the same: {"level":"x"} does not decode: level must be an integer',
    ],
    [
      'output',
      'return right({ written: batch.count, ',
      'return right({ written: 1, ',
      'every event of a batch is counted and arrives, in order: write returned written 1, failed 0 and missed 0 for 2000 items',
    ],
    [
      'output',
      'return right({ written: batch.count, failed: 0',
      'return right({ written: batch.count - 1, failed: 1',
      'every event of a batch is counted and arrives, in order: the result of write: expected { written: 2000, failed: 0 }, got { written: 1999, failed: 1 }',
    ],
    [
      'output',
      'await handle.close();',
      'openSync(resolve(directory, file), "r");',
      'opening and closing twice is harmless and leaves nothing open: open files: expected nothing at position 0, got ',
    ],
    [
      'output',
      'const handle = await open(',
      'throw new Error("no"); const handle = await open(',
      'opening and closing twice is harmless and leaves nothing open: open threw: no',
    ],
    [
      'output',
      'await appendFile(handle, bytes);',
      'signal.throwIfAborted(); await appendFile(handle, bytes); if (handle.fd) throw 7;',
      'every event of a batch is counted and arrives, in order: write: output_failed: output theirs (./',
    ],
    [
      'input',
      'now + ++at',
      'now - ++at',
      'timestamps are whole microseconds in ascending order, in pieces of any size: fill gave the timestamp',
    ],
    [
      'input',
      'now + ++at',
      'now + ++at * 1000 + Math.floor(Math.random() * 900)',
      'the same seed gives the same timestamps: the timestamps of another input: expected ',
    ],
    [
      'input',
      'restore: (state) => { at = state; }',
      'restore: () => {}',
      'a restored input goes on with the very next timestamp: the timestamps after restore: expected 1749988800000008 at position 0, got 1749988800000001',
    ],
    [
      'input',
      'const given = Math.min(out.length, count - at);',
      'const given = Math.min(out.length, count); if (at > count) at = 0;',
      'an input that has ended stays ended: ',
    ],
    [
      'input',
      'now + ++at',
      'now - 100 + ++at',
      'with skip_past nothing lies before the start of generation: timestamps before the start: expected nothing at position 0, got ',
    ],
    [
      'event',
      'String(random.uint32())',
      'String(Math.random())',
      'the same seed gives the same events: the events of another producer: expected ',
    ],
    [
      'event',
      'marker?.markAll(one, micros[i]);',
      '',
      'with marks every event carries one, numbered from 1: event 1 has no mark with its number: ',
    ],
    [
      'event',
      'consumed: to - from',
      'consumed: 0',
      'the same seed gives the same events: produce consumed no timestamp',
    ],
    [
      'formatter',
      "event + '.'",
      'event + Math.random()',
      'the same events give the same items, and every event is accounted for: the items of another formatter: expected ',
    ],
    [
      'formatter',
      'events.texts()',
      'events.texts().slice(1)',
      'the same events give the same items, and every event is accounted for: format returned 2 items of 1 events and 0 failures for 3 events',
    ],
    [
      'formatter',
      'failures: []',
      "failures: events.count === 0 ? [{ event: '', reason: 'none' }] : []",
      'no events give no failure and nothing stays open: format returned 0 items of 1 events and 1 failures for 0 events',
    ],
  ])('%s: %s becomes %s', async (kind, part, broken, line) => {
    expect(GOOD[kind]).toContain(part);
    const { code, out, err } = await check(GOOD[kind].replace(part, broken));
    expect(out).toContain(`  BROKEN   ${line}`);
    expect(code).toBe(1);
    expect(err).toMatch(/^spate: plugin\d+\.mjs breaks \d+ rules? of \d+\.\n$/);
  });

  test('an output that says where it writes is checked there', async () => {
    const lost = await check(DESTINATION + GOOD.output);
    expect(lost.out).toContain('and the output still closes: the write has not failed with a code');
    const torn = await check(
      DESTINATION + GOOD.output.replace("batch.bytes('\\n')", "batch.bytes('\\n').subarray(1)"),
    );
    expect(torn.out).toContain(
      "in order: what arrived: expected 'event 0' at position 0, got 'vent 0' (6000 expected, 6000 given)",
    );
  });

  test.each([
    ['{"path":"third.log"}', 0],
    ['[{"path":"a.log"},{"level":2}]', 0],
    ['params.yml', 0],
    ['{"path":1}', 1],
  ])('--params %s is tried instead of the examples', async (params, code) => {
    expect((await check(GOOD.output, `--params ${params}`)).code).toBe(code);
  });

  test.each([
    ['--params 7', /^spate: --params: 7 is no object\. Give a file or JSON/],
    ['--params {', /^spate: --params: \{ cannot be read: /],
  ])('%s is refused', async (more, message) => {
    const { code, err } = await check(GOOD.output, more);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(message) });
  });

  test('a file that cannot be loaded is reported as at a start', async () => {
    expect(await check('export const x = 1;')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^spate: plugin \.\/plugin\d+\.mjs: it has no default export\./),
    });
    expect(await check(GOOD.output.replace("'theirs'", "'http'"))).toMatchObject({
      code: 1,
      err: expect.stringContaining('the name of output http is taken: Spate has http. Rename the plugin.'),
    });
  });

  test('needs a file; --params needs check', async () => {
    expect(await spate('plugins check')).toMatchObject({ code: 2 });
    expect(await spate(['plugins', 'output', '--params', '{}'])).toMatchObject({ code: 2 });
  });
});

describe('--plugin and --config', () => {
  const CONFIG = GENERATOR.replace(/^output:[\s\S]*/m, 'output:\n  - theirs: {path: x.log}\n');
  const SETTINGS = `server: {}
generation: {plugins: [../mine/theirs.mjs]}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring}
`;
  const inFolder = async () =>
    fakeIo({
      cwd: await folderWith({
        'mine/theirs.mjs': GOOD.output,
        'set/spate.yml': SETTINGS,
        'g/generator.yml': CONFIG,
        'g/produce.js': 'export const produce = () => "event";\n',
      }),
    });

  test.each([
    ['validate g', '--plugin mine/theirs.mjs', '1 file is valid\n'],
    ['validate g', '-c set/spate.yml', '1 file is valid\n'],
    ['plugins output', '--plugin ./mine/theirs.mjs', ' Appends to a file. (from ./mine/theirs.mjs)\n'],
    ['plugins output', '-c set/spate.yml', ' Appends to a file. (from ../mine/theirs.mjs)\n'],
    ['plugins theirs', '--plugin mine/theirs.mjs', 'output theirs: Appends to a file.\n'],
    ['schema', '--plugin mine/theirs.mjs', '"theirs"'],
    ['template check g', '--plugin mine/theirs.mjs', ''],
  ])('%s %s knows the plugin', async (line, option, shown) => {
    const without = await spate(line, await inFolder());
    if (shown !== '') expect(without.out).not.toContain(shown);
    const { out, err } = await spate(`${line} ${option}`, await inFolder());
    expect(out).toContain(shown);
    expect(err).not.toContain('unknown kind');
  });

  test.each([
    'validate g',
    'generate --path g',
    'preview g',
    'test g',
    'inspect g',
    'schema',
    'template check g',
  ])('%s reports a plugin that cannot be loaded', async (line) => {
    const { code, err } = await spate(`${line} --plugin none.mjs`, await inFolder());
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('plugin none.mjs: ') });
  });
});
