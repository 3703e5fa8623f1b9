import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../src/domain/errors.js';
import { NO_TWEAKS } from '../../src/domain/generator.js';
import { allSpecs } from '../../src/plugins/specs.js';
import { fakeIo, fakeServices, folderWith, GENERATOR, spate, statsWith } from './support.js';

describe('preview', () => {
  const preview = async (line: string, options: Parameters<typeof fakeServices>[0]) => {
    const cwd = await folderWith({ 'shop/generator.yml': GENERATOR });
    const fake = fakeServices(options);
    const result = await spate(`preview ${line}`, fakeIo({ cwd }), fake.services);
    return { ...result, cwd, runs: fake.runs, now: fake.clock.now() };
  };
  const ended = { error: null, stats: statsWith(3) };
  const timestamps = E.right(['2026-01-01T00:00:00+00:00', '2026-01-01T00:00:01+00:00']);

  test('shows the next timestamps, then events on standard output instead of the outputs of the config', async () => {
    const { code, out, runs, cwd, now } = await preview('shop -n 3 --seed 7', { timestamps, ended });
    expect(code).toBe(0);
    expect(out).toBe(
      'Next timestamps:\n  2026-01-01T00:00:00+00:00\n  2026-01-01T00:00:01+00:00\n\nEvents:\n',
    );
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      params: { id: 'shop', path: join(cwd, 'shop/generator.yml'), seed: '7' },
      tweaks: { ...NO_TWEAKS, fixed_now: now, limit: 3, never_waits: true, starts_over: true },
      replaceOutputs: [{ stdout: {} }],
    });
  });

  test('--now is the start of generation, --param a parameter, and the path may be an option', async () => {
    const line = '--path shop --now 2026-01-01T01:00:00 --timezone Europe/Berlin --param a=scan';
    const { runs } = await preview(line, { timestamps, ended });
    expect(runs[0]?.tweaks.fixed_now).toBe(Date.parse('2026-01-01T00:00:00Z') * 1_000);
    expect(runs[0]?.params.params).toEqual({ a: 'scan' });
    const wrong = await preview('shop --now tomorrow', { timestamps, ended });
    expect([wrong.code, wrong.runs]).toEqual([2, []]);
    expect(wrong.err).toContain('--now must be an ISO 8601 time');
  });

  test('a reader that has taken what it wants ends it quietly', async () => {
    const error = failure('reader_gone', 'the reader went away');
    expect(
      await preview('shop', { timestamps, ended: { error, stats: statsWith(1, { write_failed: 9 }) } }),
    ).toMatchObject({
      code: 1,
      err: '',
    });
  });

  test('ten of each by default', async () => {
    expect((await preview('shop', { timestamps, ended })).runs[0]?.tweaks.limit).toBe(10);
  });

  test('reports that there is nothing to generate', async () => {
    const { code, out, runs } = await preview('shop', { timestamps: E.right([]), ended });
    expect(code).toBe(0);
    expect(out).toMatch(/^Nothing to generate/);
    expect(runs).toEqual([]);
  });

  test('a config that is not valid: every problem with its place, exit 1', async () => {
    const issues = [{ path: ['input'], type: 'missing', message: 'is required', line: 3, column: 1 }];
    const error = failure('invalid', 'long text', { file: 'g.yml', issues });
    expect(await preview('shop', { timestamps: E.left(error) })).toMatchObject({
      code: 1,
      out: '',
      err: 'spate: g.yml:3:1: input: is required.\n',
    });
  });

  test('events that fail make it fail', async () => {
    const failed = { error: null, stats: statsWith(1, { produce_failed: 2 }) };
    expect(await preview('shop', { timestamps, ended: failed })).toMatchObject({
      code: 1,
      err: 'spate: 2 events could not be produced.\n',
    });
  });
});

describe('init', () => {
  test('creates a valid generator and prints the next steps', async () => {
    const cwd = await folderWith({});
    const { code, out, err } = await spate('init my-shop', fakeIo({ cwd }));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('spate preview my-shop');
    expect(out).toContain('spate generate my-shop');
    expect(await readFile(join(cwd, 'my-shop/README.md'), 'utf8')).toMatch(/^# my-shop\n/);
    expect(await spate('validate my-shop', fakeIo({ cwd }))).toMatchObject({ code: 0 });
  });

  test('its next steps, README and config call the program as the user does', async () => {
    const cwd = await folderWith({ 'generators/README.md': 'x' });
    const { out } = await spate('init shop', fakeIo({ cwd, program: 'npx spate' }));
    const readText = (name: string) => readFile(join(cwd, 'generators/shop', name), 'utf8');
    const texts = [out, await readText('README.md'), await readText('generator.yml')].join('\n');
    expect(texts).toContain('Try it: `npx spate preview generators/shop`');
    expect(texts).not.toMatch(/(?<!npx )spate (preview|generate|validate|plugins)/);
  });

  test('begins with templates, or with a script where that is asked for', async () => {
    const cwd = await folderWith({});
    for (const [line, files] of [
      ['init a', ['README.md', 'action.jinja', 'error.jinja', 'generator.yml', 'users.csv']],
      ['init b --event script', ['README.md', 'generator.yml', 'produce.js']],
    ] as const) {
      expect(await spate(line, fakeIo({ cwd }))).toMatchObject({ code: 0 });
      const folder = line.slice(5, 6);
      expect((await readdir(join(cwd, folder))).sort()).toEqual(files);
      expect(await spate(`validate ${folder}`, fakeIo({ cwd }))).toMatchObject({ code: 0 });
    }
    expect(await spate('init c --event nothing', fakeIo({ cwd }))).toMatchObject({ code: 2 });
  });

  test('the parts of the config that are commented out are valid too', async () => {
    const cwd = await folderWith({});
    await spate('init x --event script', fakeIo({ cwd }));
    const text = await readFile(join(cwd, 'x/generator.yml'), 'utf8');
    const uncommented = text
      .replace(/^event:[\s\S]*?# replay: [^\n]*\n/m, 'event:\n  replay:\n')
      .replace(/^( +)# (- cron|- file| *repeat: true| *path:| *expression| *count)/gm, '$1$2');
    expect(uncommented).toMatch(/^ {2}- cron:\n {6}expression/m);
    expect(uncommented).toMatch(/^ {2}- file:\n {6}path/m);
    const other = await folderWith({ 'generator.yml': uncommented });
    expect(await spate('validate --no-files generator.yml', fakeIo({ cwd: other }))).toMatchObject({
      code: 0,
      out: '1 file is valid\n',
    });
  });

  test('goes into the folder generators where there is one', async () => {
    const cwd = await folderWith({ 'generators/README.md': 'x' });
    expect((await spate('init x', fakeIo({ cwd }))).out).toContain('spate preview generators/x');
    expect((await stat(join(cwd, 'generators/x/generator.yml'))).isFile()).toBe(true);
  });

  test('refuses an existing folder and changes nothing', async () => {
    const cwd = await folderWith({ 'x/generator.yml': 'mine' });
    const { code, err } = await spate('init x', fakeIo({ cwd }));
    expect(code).toBe(1);
    expect(err).toMatch(/^spate: .*\/x already exists\. Choose another name/);
    expect(await readFile(join(cwd, 'x/generator.yml'), 'utf8')).toBe('mine');
  });

  test.each(['../x', 'a/b', '.hidden', '..', 'a b'])('refuses the name %j', async (name) => {
    const { code, err } = await spate(['init', name], fakeIo({ cwd: await folderWith({}) }));
    expect(code).toBe(1);
    expect(err).toMatch(/^spate: NAME must/);
  });
});

describe('plugins', () => {
  test('lists every plugin by kind with its summary', async () => {
    const { code, out } = await spate('plugins');
    expect(code).toBe(0);
    for (const { name, summary } of allSpecs()) {
      expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 10).replace(/[^\w ]/g, '.')}`, 'm'));
    }
  });

  test('lists one kind', async () => {
    const { out } = await spate('plugins output');
    expect(out).toMatch(/^output\n/);
    expect(out).not.toContain('timer');
  });

  test.each(allSpecs().map((spec) => [spec.kind, spec.name, spec] as const))(
    'shows every option and example of %s %s',
    async (kind, name, spec) => {
      const { code, out } = await spate(`plugins ${kind} ${name}`);
      expect(code).toBe(0);
      expect(out).toContain(`${kind} ${name}: ${spec.summary}`);
      for (const option of Object.keys(spec.fields)) expect(out).toMatch(new RegExp(`^  ${option} `, 'm'));
      for (const { title } of spec.examples) expect(out).toContain(`example: ${title}\n`);
    },
  );

  test('finds a plugin by name or alias, without its kind', async () => {
    expect((await spate('plugins timer')).out).toBe((await spate('plugins input timer')).out);
    expect((await spate('plugins columnar_db')).out).toMatch(/^output clickhouse: /);
  });

  test.each([
    ['plugins inpt', "spate plugins: unknown plugin 'inpt'. Did you mean 'input'?\n"],
    ['plugins input tmer', "spate plugins: unknown plugin 'tmer'. Did you mean 'timer'?\n"],
    ['plugins inptu timer', "spate plugins: unknown kind 'inptu'. Did you mean 'input'?\n"],
    ['plugins formatter zzzzz', "spate plugins: unknown plugin 'zzzzz'. Known: plain"],
  ])('%s: exit 2', async (line, message) => {
    const { code, out, err } = await spate(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.startsWith(message)).toBe(true);
  });
});

describe('schema', () => {
  test.each([
    ['schema', 'Spate generator', ['properties', 'input']],
    ['schema --settings', 'Spate settings', ['properties', 'server']],
    ['schema --startup', 'Spate startup list', ['items', 'properties', 'autostart']],
    ['schema --cluster', 'Spate cluster', ['properties', 'nats']],
  ])('%s prints a JSON Schema', async (line, title, path) => {
    const { code, out } = await spate(line);
    expect(code).toBe(0);
    const schema = JSON.parse(out) as object;
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title });
    expect(schema).toHaveProperty(path);
  });
});
