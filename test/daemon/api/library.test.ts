import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance, runProgram } from '../../support/instance.js';
import { TINY } from '../../support/library.js';

const started = async (library?: Readonly<Record<string, string>>): Promise<Instance> => {
  const instance = await makeInstance({
    startup: '[]\n',
    generators: { 'taken/notes.txt': 'mine' },
    ...(library === undefined ? {} : { library }),
  });
  await instance.start();
  return instance;
};

describe('the library of an instance', () => {
  const held: { instance: Instance | null } = { instance: null };
  const it = (): Instance => held.instance as Instance;

  beforeAll(async () => {
    held.instance = await started({ ...TINY, 'web-tiny/big.bin': 'x'.repeat(200_000), 'web-tiny/nul': '\0' });
  });
  afterAll(() => it().remove());

  test('is listed with parameters, anomalies and detections', async () => {
    const { status, body } = await it().api('GET', '/library');
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { name: 'dns-queries', category: 'dns', event_bytes: 1_800, templates: 0, parameters: [] },
      {
        name: 'web-tiny',
        templates: 2,
        parameters: [{ name: 'rate', default: 2, help: 'Requests a second.' }, {}, {}, { default: true }],
        anomalies: [{ name: 'scan' }, { name: 'flood' }],
        detections: ['Many 404 from one source (MITRE ATT&CK T1595)'],
      },
    ]);
  });

  test('shows the texts of files, without large and binary ones', async () => {
    const { body } = await it().api('GET', '/library/web-tiny');
    const { files } = body as { files: readonly { path: string; size_bytes: number; text: string | null }[] };
    const byPath = new Map(files.map((file) => [file.path, file]));
    expect(byPath.get('page.jinja')?.text).toBe(TINY['web-tiny/page.jinja']);
    expect(byPath.get('big.bin')).toEqual({ path: 'big.bin', size_bytes: 200_000, text: null });
    expect(byPath.get('nul')?.text).toBeNull();
    expect([...byPath.keys()]).not.toContain('out/events.log');
  });

  test('gives a copy that runs, with an attack that is switched on live', async () => {
    const { api, folder, file } = it();
    expect(await api('POST', '/library/web-tiny/copy', { name: 'my-web' })).toEqual({
      status: 201,
      body: { name: 'my-web', path: 'my-web/generator.yml' },
    });
    expect(await file('generators/my-web/README.md')).toContain('--path generators/my-web --limit 5');
    // The schema of the library, because the instance has none.
    const config = await file('generators/my-web/generator.yml');
    const schema = /\$schema=(\S+)/.exec(config)?.[1] ?? '';
    expect(existsSync(join(folder, 'generators/my-web', schema))).toBe(true);

    const entry = { path: 'my-web/generator.yml', params: { rate: 50 }, scenarios: ['my-web'] };
    expect((await api('POST', '/startup/my-web', entry)).status).toBe(201);
    const output = [{ file: { path: 'out/web.jsonl', formatter: { format: 'json' } } }];
    const added = { path: 'my-web/generator.yml', params: { rate: 50 } };
    expect((await api('POST', '/generators/my-web', added)).status).toBe(201);
    expect((await api('POST', '/generators/my-web/start')).status).toBe(200);
    expect((await api('PATCH', '/generators/my-web', { output })).status).toBe(200);
    await api('PATCH', '/scenarios/my-web/globals', { anomaly: 'scan' });
    const seen = async (): Promise<string | null> => {
      const text = await readFile(join(folder, 'generators/my-web/out/web.jsonl'), 'utf8').catch(() => '');
      return text.includes('"labels": {"anomaly": "scan"}') ? text : null;
    };
    expect(await eventually(seen, 'an attack shows up')).toContain('"anomaly": "none"');
  });

  test.each([
    ['an unknown name', 'web-tinny', 'x', 404, "Did you mean 'web-tiny'?"],
    ['an example', 'example', 'x', 404, 'Known: dns-queries, web-tiny.'],
    ['a directory that exists, even without a config', 'web-tiny', 'taken', 409, "'taken' already exists."],
  ])('%s is refused', async (_, library, name, code, detail) => {
    const { status, body } = await it().api('POST', `/library/${library}/copy`, { name });
    expect(status).toBe(code);
    expect((body as { detail: string }).detail).toContain(detail);
  });

  test('a request for a path is refused', async () => {
    expect((await it().api('POST', '/library/web-tiny/copy', { name: 'a/b' })).status).toBe(422);
    expect((await it().api('GET', '/library/..%2Fgenerators')).status).toBe(422);
  });
});

test('without one of its own, an instance has that of the package, wherever it runs', async () => {
  const instance = await started();
  const program = runProgram(['library', '--json'], { cwd: instance.folder });
  try {
    await program.exited;
    const { status, body } = await instance.api('GET', '/library');
    expect(status).toBe(200);
    const listed = JSON.parse(program.stdout()) as readonly Readonly<Record<string, unknown>>[];
    expect(body).toEqual(listed.map(({ path: _, ...item }) => item));
  } finally {
    await instance.remove();
  }
});
