import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { TINY } from '../../support/library.js';
import { fakeIo, fakeServices, folderWith, spate } from '../support.js';

/** The folder of a library, and a command run with it. */
const withLibrary = async (changes: Readonly<Record<string, string>> = {}, columns?: number) => {
  const folder = await folderWith({ ...TINY, ...changes });
  const { services } = fakeServices({ library: folder });
  const run = (line: string, cwd = '/nowhere') =>
    spate(
      line,
      fakeIo({ cwd, ...(columns === undefined ? {} : { columns, terminals: ['stdout'] as const }) }),
      services,
    );
  return { folder, run };
};

describe('library', () => {
  test('lists one line each, aligned, in the columns of a terminal; copies and examples are none', async () => {
    const { run } = await withLibrary({}, 100);
    const { code, out, err } = await run('library');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`\
dns-queries  Queries that a resolver answers, one line each, in a log format w…  1.8 kB  1 anomaly
web-tiny     Requests to a small web site as JSON.                                120 B  2 anomalies
`);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test.each([160, undefined])(
    'cuts nothing that fits, and nothing in a pipe: %s columns',
    async (columns) => {
      const { run } = await withLibrary({}, columns);
      expect((await run('library')).out).toContain('with a very long description here.');
    },
  );

  test('as JSON has everything', async () => {
    const { run, folder } = await withLibrary();
    const items = JSON.parse((await run('library --json')).out);
    expect(items).toMatchObject([
      { name: 'dns-queries', category: 'dns', event_bytes: 1_800, templates: 0 },
      {
        name: 'web-tiny',
        parameters: [{ name: 'rate', default: 2 }, {}, {}, {}],
        path: join(folder, 'web-tiny'),
      },
    ]);
    expect(JSON.parse((await run('library web-tiny --json')).out)).toEqual(items[1]);
  });

  test('shows one: parameters with defaults, anomalies, detections, how to start, where it is', async () => {
    const { run, folder } = await withLibrary();
    expect((await run('library web-tiny', folder)).out).toBe(`\
web-tiny: Requests to a small web site as JSON.

An event has about 120 B, from 2 templates.

parameters:
  rate     Requests a second. Default 2.
  anomaly  Attack to show from the start. Default "none".
  domain   Domain of the site. Default "example.com".
  labels   false removes the label. Default true.

anomalies (values of the parameter or scenario global \`anomaly\`):
  scan   One address asks for files that are not there.
  flood  One address sends most requests.

detections:
  - Many 404 from one source (MITRE ATT&CK T1595)

start:
  spate generate web-tiny --limit 5    # see five events
  spate init my-web --from web-tiny    # make a copy to change

files: web-tiny
`);
    expect((await run('library dns-queries')).out).not.toMatch(/parameters|detections|templates/);
  });

  test.each([
    ['web-tinny', "There is no library generator 'web-tinny'. Did you mean 'web-tiny'?"],
    ['dns', "There is no library generator 'dns'. Known: dns-queries."],
    ['firewall', "There is no library generator 'firewall'. Known: dns-queries, web-tiny."],
    ['example', "There is no library generator 'example'. Known: dns-queries, web-tiny."],
    ['my-copy', "There is no library generator 'my-copy'. Known: dns-queries, web-tiny."],
    ['../web-tiny', "There is no library generator '../web-tiny'. Did you mean 'web-tiny'?"],
  ])('does not know %s', async (name, message) => {
    const { run } = await withLibrary();
    expect(await run(`library ${name}`)).toEqual({ code: 1, out: '', err: `spate: ${message}\n` });
  });

  test('names what is broken and lists the rest', async () => {
    const { run, folder } = await withLibrary({ 'web-bad/generator.yml': '', 'web-bad/library.yml': 'a: 1' });
    const { code, out, err } = await run('library');
    expect(code).toBe(1);
    expect(out.split('\n')).toHaveLength(3);
    expect(err).toContain(`spate: skipped: ${folder}/web-bad/library.yml:1:1: a: unknown key 'a'`);
    const one = await run('library web-bad');
    expect(one.code).toBe(1);
    expect(one.err).toContain('web-bad/library.yml');
  });

  test('says where it looked when nothing is there', async () => {
    const { services } = fakeServices({ library: '/nowhere' });
    expect(await spate('library', fakeIo(), services)).toMatchObject({ code: 1, out: '' });
    expect(await spate('library --json', fakeIo(), services)).toEqual({ code: 0, out: '[]\n', err: '' });
  });
});

describe('init --from', () => {
  test('makes a copy that is valid and prints the next steps', async () => {
    const { run } = await withLibrary();
    const cwd = await folderWith({});
    const { code, out, err } = await run('init my-web --from web-tiny', cwd);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('spate generate my-web');
    expect(out).toContain('    scenarios: [my-web]');
    expect((await readdir(join(cwd, 'my-web'))).sort()).toEqual([
      'README.md',
      'generator.yml',
      'library.yml',
      'page.jinja',
      'samples',
      'scan.jinja',
      'tests',
    ]);
    const readme = await readFile(join(cwd, 'my-web/README.md'), 'utf8');
    expect(readme).toMatch(/^# my-web\n/);
    expect(readme).toContain('$ spate generate --path my-web --limit 5');
    expect(await readFile(join(cwd, 'my-web/samples/pages.json'), 'utf8')).toBe(
      TINY['web-tiny/samples/pages.json'],
    );
    expect(await run('validate my-web', cwd)).toEqual({ code: 0, out: '3 files are valid\n', err: '' });
  });

  test('leads to the schema of the package, or to that beside the copy', async () => {
    const { run, folder } = await withLibrary();
    const schemaOf = async (path: string): Promise<string> =>
      /\$schema=(\S+)/.exec(await readFile(join(path, 'generator.yml'), 'utf8'))?.[1] ?? '';
    const far = await folderWith({ 'generators/x': '' });
    await run('init my-web --from web-tiny', far);
    const way = await schemaOf(join(far, 'generators/my-web'));
    expect(join(far, 'generators/my-web', way)).toBe(join(folder, 'generator.schema.json'));
    const near = await folderWith({ 'generator.schema.json': '{}' });
    await run('init my-web --from web-tiny', near);
    expect(await schemaOf(join(near, 'my-web'))).toBe('../generator.schema.json');
  });

  test('goes into the folder generators where there is one; the README says so', async () => {
    const { run } = await withLibrary();
    const cwd = await folderWith({ 'generators/README.md': 'x' });
    await run('init my-web --from web-tiny', cwd);
    const readme = await readFile(join(cwd, 'generators/my-web/README.md'), 'utf8');
    expect(readme).toContain('$ spate generate --path generators/my-web --limit 5');
  });

  test('replaces nothing', async () => {
    const { run } = await withLibrary();
    const cwd = await folderWith({ 'my-web/generator.yml': 'mine' });
    const { code, err } = await run('init my-web --from web-tiny', cwd);
    expect({ code, err }).toEqual({
      code: 1,
      err: "spate: 'my-web' already exists. Choose another name or remove it first.\n",
    });
    expect(await readdir(cwd)).toEqual(['my-web']);
    expect(await readFile(join(cwd, 'my-web/generator.yml'), 'utf8')).toBe('mine');
  });

  test.each([
    ['init my-web --from web-tinny', 1, "Did you mean 'web-tiny'?"],
    ['init ../.x --from web-tiny', 1, 'must'],
    ['init my-web --from web-tiny --event script', 2, 'give --event or --from, not both.'],
    ['init my-web --from example', 1, "There is no library generator 'example'."],
  ])('%s makes nothing', async (line, code, message) => {
    const { run } = await withLibrary();
    const above = await folderWith({ 'in/.keep': '' });
    const cwd = join(above, 'in');
    const result = await run(line, cwd);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
    expect(await readdir(cwd)).toEqual(['.keep']);
    expect(await readdir(above)).toEqual(['in']);
  });
});
