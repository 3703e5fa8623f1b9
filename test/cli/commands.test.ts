import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { allSpecs } from '../../src/plugins/specs.js';
import { TINY } from '../support/library.js';
import { fakeIo, fakeServices, folderWith, spate } from './support.js';

const OFFICE = `
input: [{rate: {events_per_second: 1, arrivals: poisson}}]
event:
  template:
    mode: all
    templates: [{e: {template: e.jinja}}]
output: [{file: {path: out.log, formatter: {format: json}}}]
`;
const EVENT = `{
  "at": "{{ timestamp.isoformat() }}",
  "door": "{{ globals.get('door', 'closed') }}"
}
`;

describe('preview', () => {
  const preview = async (line: string, files: Readonly<Record<string, string>> = {}) => {
    const cwd = await folderWith({ 'shop/generator.yml': OFFICE, 'shop/e.jinja': EVENT, ...files });
    return {
      ...(await spate(
        ['preview', 'shop', ...line.split(' ').filter((word) => word !== '')],
        fakeIo({ cwd }),
      )),
      cwd,
    };
  };
  /** Timestamps of the list, and the lines of the events. */
  const partsOf = (out: string) => {
    const [times = '', events = ''] = out.split('\n\nEvents:\n');
    return { times: times.split('\n  ').slice(1), events: events.trimEnd().split('\n') };
  };
  const timesOf = (events: readonly string[]) =>
    events.map((line) => (JSON.parse(line) as { readonly at: string }).at);

  test('shows the timestamps of the events, also of a random schedule without a seed', async () => {
    const { code, out, err } = await preview('-n 4');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { times, events } = partsOf(out);
    expect(times).toHaveLength(4);
    expect(timesOf(events)).toEqual(times);
  });

  test('shows events as the first output writes them, with --raw before the formatter, and writes no output', async () => {
    const { out, cwd } = await preview('-n 2 --now 2026-01-01T00:00:00Z --seed 7');
    expect(partsOf(out).events).toHaveLength(2);
    const raw = partsOf((await preview('-n 2 --now 2026-01-01T00:00:00Z --seed 7 --raw')).out).events;
    expect(raw).toHaveLength(8);
    expect(raw[0]).toBe('{');
    expect(JSON.parse(raw.slice(0, 4).join(''))).toEqual(JSON.parse(partsOf(out).events[0] as string));
    await expect(stat(join(cwd, 'shop/out.log'))).rejects.toThrow('ENOENT');
  });

  test('--output chooses the formatter of another output', async () => {
    const config = OFFICE.replace('[{file', '[{stdout: {}}, {file');
    const files = { 'shop/generator.yml': config };
    expect(partsOf((await preview('-n 1', files)).out).events).toHaveLength(4);
    expect(partsOf((await preview('-n 1 --output 2', files)).out).events).toHaveLength(1);
    expect((await preview('--output 3', files)).err).toMatch(/there is no output 3, only 2/);
  });

  test('--globals is JSON or a file; names that nothing reads are told', async () => {
    const doors = async (line: string) => {
      const { out, err } = await preview(line, { 'open.json': '{"door": "open"}' });
      return [/"door": ?"(\w+)"/.exec(out)?.[1], err];
    };
    expect(await doors('-n 1')).toEqual(['closed', '']);
    expect(await doors(`-n 1 --globals {"door":"open"}`)).toEqual(['open', '']);
    expect(await doors('-n 1 --globals open.json')).toEqual(['open', '']);
    expect(await doors('-n 1 --globals {"dor":"open"}')).toEqual([
      'closed',
      "spate: this generator does not read the global 'dor'. Did you mean 'door'?\n",
    ]);
    expect(await preview('--globals nothing.json')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^spate preview: --globals must be a JSON object such as .* or a file with it\.\n/,
      ),
    });
  });

  test('refuses a value of a global that the generator does not have', async () => {
    const library =
      'summary: Doors.\ncategory: door\nevent_bytes: 90\ndetections: [A]\nanomalies: {forced: By force.}\n';
    const { code, err } = await preview('--globals {"anomaly":"foced"}', { 'shop/library.yml': library });
    expect(code).toBe(2);
    expect(err).toMatch(/"foced" is no value of 'anomaly' that this generator has\. Did you mean 'forced'\?/);
  });

  test('--now is the start of generation, and the path may be an option', async () => {
    const line = '-n 1 --now 2026-01-01T01:00:00 --timezone Europe/Berlin';
    const { times } = partsOf((await preview(line)).out);
    expect(times[0]).toMatch(/^2026-01-01T01:00:0\d\.\d+\+01:00$/);
    const wrong = await preview('--now tomorrow');
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('--now must be an ISO 8601 time');
  });

  test('timestamps before the start are left out as in a live run, unless told otherwise', async () => {
    const past = OFFICE.replace(
      /^input.*$/m,
      "input: [{timestamps: {source: ['2020-01-01 00:00:00', '2040-01-01 00:00:00']}}]",
    );
    const years = async (line: string) =>
      partsOf((await preview(line, { 'shop/generator.yml': past })).out).times.map((one) => one.slice(0, 4));
    expect(await years('')).toEqual(['2040']);
    expect(await years('--skip-past false')).toEqual(['2020', '2040']);
    expect(await years('--live-mode false')).toEqual(['2020', '2040']);
  });

  test('ten of each by default', async () => {
    expect(partsOf((await preview('')).out).times).toHaveLength(10);
  });

  test('reports that there is nothing to generate', async () => {
    const gone = OFFICE.replace(/^input.*$/m, "input: [{timestamps: {source: ['2020-01-01 00:00:00']}}]");
    const { code, out } = await preview('', { 'shop/generator.yml': gone });
    expect(code).toBe(0);
    expect(out).toMatch(/^Nothing to generate/);
  });

  test('a config that is not valid: every problem with its place, exit 1', async () => {
    expect(
      await preview('', { 'shop/generator.yml': OFFICE.replace('mode: all', 'mode: al') }),
    ).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^spate: \S+generator\.yml:5:11: event\.template\.mode: /),
    });
  });

  test('events that fail are told with their reason, and make it fail', async () => {
    const { code, err } = await preview('-n 3', { 'shop/e.jinja': '{{ 1 / 0 }}' });
    expect(code).toBe(1);
    expect(err).toMatch(/^spate: 1,000 events could not be produced: e\.jinja:1:6: ZeroDivisionError/);
    const text = await preview('-n 3', { 'shop/e.jinja': 'no JSON' });
    expect(text.code).toBe(1);
    expect(text.err).toMatch(/^spate: 3 events could not be formatted: /);
    expect(await preview('-n 3 --raw', { 'shop/e.jinja': 'no JSON' })).toMatchObject({ code: 0, err: '' });
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
      ['init p --event python', ['README.md', 'generator.yml', 'produce.py']],
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

  test('a name with a slash is the path of the new folder', async () => {
    const cwd = await folderWith({ 'generators/x': '', 'mine/x': '' });
    for (const args of ['', ' --from web-tiny']) {
      const name = `mine/shop${args.length}`;
      const { services } = fakeServices({ library: await folderWith({ ...TINY }) });
      const { code, out } = await spate(`init ${name}${args}`, fakeIo({ cwd }), services);
      expect(out).toContain(`Created ${name}. Next:`);
      expect(await readFile(join(cwd, name, 'generator.yml'), 'utf8')).toContain('event:');
      expect(code).toBe(0);
    }
    const missing = await spate('init nowhere/shop', fakeIo({ cwd }));
    expect(missing.err).toMatch(/cannot create the folder .*nowhere\/shop/);
    expect(missing.code).toBe(1);
  });

  test.each(['../.x', 'a/..', '.hidden', '..', 'a b', '/'])('refuses the name %j', async (name) => {
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
    ['schema --world', 'Spate world', ['properties', 'organization', 'properties', 'sites']],
  ])('%s prints a JSON Schema', async (line, title, path) => {
    const { code, out } = await spate(line);
    expect(code).toBe(0);
    const schema = JSON.parse(out) as object;
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title });
    expect(schema).toHaveProperty('$id', expect.stringMatching(/^urn:spate-events:schema:[a-z-]+$/));
    expect(schema).toHaveProperty(path);
  });
});
