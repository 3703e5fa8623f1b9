import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instance, makeInstance } from '../support/instance.js';

/** Processor time of the daemon for one request. Each of these took several seconds before, or never ended. */
const MAX_CPU_MS = 3_000;
/** Health checks answered while a long text is read on its thread; on the main thread it would be one or two. */
const MIN_ANSWERS = 5;

const CONFIG = {
  input: [{ timer: { seconds: 1, count: 1 } }],
  event: { script: { path: 's.js' } },
  output: [{ stdout: {} }],
};

let instance: Instance;
beforeAll(async () => {
  instance = await makeInstance({
    startup: '[]\n',
    generators: { 'g/generator.yml': JSON.stringify(CONFIG) },
  });
  await instance.start();
});
afterAll(() => instance.remove());

interface Heard {
  readonly status: number;
  readonly text: string;
  /** Health checks answered before the response. */
  readonly healthy: number;
  /** Processor time of the daemon. */
  readonly cpu_ms: number;
}

/** User and system time of the daemon, in milliseconds: proc(5) counts hundredths of a second. */
const cpuMs = (): number => {
  const stat = readFileSync(`/proc/${instance.program().child.pid}/stat`, 'utf8');
  const [utime, stime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(utime) + Number(stime)) * 10;
};

/** Sends a request, with health checks until the response. */
const listening = async (method: string, path: string, body?: unknown): Promise<Heard> => {
  const cpuBefore = cpuMs();
  const isFile = typeof body === 'string';
  const answers: { readonly status: number; readonly text: string }[] = [];
  const sent = fetch(`${instance.url}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : {
          body: isFile ? body : JSON.stringify(body),
          headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
        }),
  }).then(async (response) => {
    answers.push({ status: response.status, text: await response.text() });
  });
  let healthy = 0;
  while (answers.length === 0) {
    await isHealthy();
    healthy++;
  }
  await sent;
  const [{ status, text } = { status: 0, text: '' }] = answers;
  return { status, text, healthy, cpu_ms: cpuMs() - cpuBefore };
};

const isHealthy = async (): Promise<void> => {
  await (await fetch(`${instance.url}/health`)).text();
  await new Promise((resolve) => setTimeout(resolve, 10));
};

const withInput = (input: object) => ({ ...CONFIG, input: [input] });
const many = <A>(length: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length }, (_, i) => make(i));
const keys = (length: number) => Object.fromEntries(many(length, (i) => [`k${i}`, 1]));
const PATH = 'g/generator.yml';

describe('a body with one huge field is refused at that field, at little cost', () => {
  test.each<[string, string, string, unknown, string]>([
    ['a path of 400,000 folders', 'POST', '/startup/x', { path: 'a/'.repeat(400_000) }, 'path'],
    ['a path of blanks', 'POST', '/startup/x', { path: `a${' '.repeat(800_000)}b` }, 'path'],
    ['a path that goes up', 'POST', '/startup/x', { path: `${'b/../'.repeat(160_000)}${PATH}` }, 'path'],
    ['a parameter for each byte', 'POST', '/startup/x', { path: PATH, params: keys(60_000) }, 'params'],
    [
      'scenarios without end',
      'POST',
      '/startup/x',
      { path: PATH, scenarios: many(60_000, (i) => `s${i}`) },
      'scenarios',
    ],
    [
      'words for a date',
      'POST',
      '/generator-configs/x',
      withInput({ timer: { seconds: 1, start: 'tomorrow '.repeat(54_000) } }),
      'start',
    ],
    [
      'words for an end',
      'POST',
      '/generator-configs/x',
      withInput({ linspace: { start: 'now', end: 'in 2 days or '.repeat(38_000), count: 1 } }),
      'end',
    ],
    [
      'a cron expression of commas',
      'POST',
      '/generator-configs/x',
      withInput({ cron: { expression: `${'0,'.repeat(450_000)}0 * * * *`, count: 1 } }),
      'expression',
    ],
    [
      'tags',
      'POST',
      '/generator-configs/x',
      withInput({ timer: { seconds: 1, tags: many(100_000, (i) => `t${i}`) } }),
      'tags',
    ],
    [
      'inputs',
      'POST',
      '/generator-configs/x',
      { ...CONFIG, input: many(20_000, () => CONFIG.input[0]) },
      'input',
    ],
    [
      'a pattern',
      'POST',
      '/generator-configs/x',
      {
        ...CONFIG,
        event: {
          replay: {
            path: 'x',
            timestamp_pattern: `(?<timestamp>${'(a?)'.repeat(200_000)})`,
            timestamp_format: '%Y',
          },
        },
      },
      'timestamp_pattern',
    ],
    [
      'a format',
      'POST',
      '/generator-configs/x',
      {
        ...CONFIG,
        event: {
          replay: { path: 'x', timestamp_pattern: '(?<timestamp>a)', timestamp_format: '%Y'.repeat(450_000) },
        },
      },
      'timestamp_format',
    ],
  ])('%s', async (_name, method, path, body, field) => {
    const { status, text, cpu_ms } = await listening(method, path, body);
    expect(status).toBe(422);
    expect(text).toMatch(new RegExp(`"${field}"[^{}]*"too_(long|many)"`));
    expect(cpu_ms).toBeLessThan(MAX_CPU_MS);
  });

  test('and the startup list can be edited behind it', async () => {
    expect((await listening('POST', '/startup/fine', { path: PATH })).status).toBe(201);
    expect((await listening('DELETE', '/startup/fine')).status).toBe(200);
  });
});

describe('YAML that takes long to read', () => {
  const file = `/generator-configs/g/file/${'generator.yml'}`;

  test.each([
    ['the same key', 'a: 1\n'],
    ['tabs', 'a:\t1\n\t\n'],
    ['tags', '!a '],
  ])(
    'a config of nothing but %s is refused at its line, while other requests are answered',
    async (_name, unit) => {
      const { status, text, healthy } = await listening('PUT', file, unit.repeat(600_000 / unit.length));
      expect(status).toBe(422);
      expect(text).toMatch(/line \d+, column \d+: /);
      expect(healthy).toBeGreaterThanOrEqual(MIN_ANSWERS);
    },
  );

  test('a long config with comments is stored, read and changed, and its comments stay', async () => {
    const comments = '# What it is for.\n'.repeat(5_000);
    expect((await listening('PUT', file, `${comments}${JSON.stringify(CONFIG)}\n`)).status).toBe(200);
    expect(JSON.parse((await listening('GET', '/generator-configs/g')).text)).toMatchObject({
      event: CONFIG.event,
    });
    const changed = { ...CONFIG, event: { script: { path: 'other.js' } } };
    expect((await listening('PUT', '/generator-configs/g', changed)).status).toBe(200);
    const text = await instance.file('generators/g/generator.yml');
    expect(text).toContain('other.js');
    expect(text.split('# What it is for.')).toHaveLength(5_001);
  });

  test('a text with thousands of aliases is not expanded', async () => {
    const bomb = `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(20_000)}]\n`;
    const { status, text } = await listening('PUT', file, bomb);
    expect([status, text]).toEqual([422, expect.stringContaining('aliases expanded')]);
  });

  test('in the startup file: a reload reports where, and other requests are answered meanwhile', async () => {
    await writeFile(join(instance.folder, 'startup.yml'), '!a '.repeat(150_000));
    const program = instance.program();
    program.child.kill('SIGHUP');
    let healthy = 0;
    while (!/not reloaded: .*startup\.yml/s.test(program.stderr())) {
      await isHealthy();
      healthy++;
    }
    expect(healthy).toBeGreaterThanOrEqual(MIN_ANSWERS);
    await writeFile(join(instance.folder, 'startup.yml'), '[]\n');
  });

  test('a long startup list is changed without a break', async () => {
    const entries = many(600, (i) => `- {id: g${i}, path: ${PATH}, autostart: false}\n`).join('');
    await writeFile(join(instance.folder, 'startup.yml'), `# All of them.\n${entries}`);
    const added = await listening('POST', '/startup/more', { path: PATH });
    expect(added.status).toBe(201);
    expect((await listening('POST', '/startup/more', { path: PATH })).status).toBe(409);
    expect((await instance.file('startup.yml')).startsWith(`# All of them.\n${entries}`)).toBe(true);
    await writeFile(join(instance.folder, 'startup.yml'), '[]\n');
  });
});

describe('a file that is not UTF-8', () => {
  const latin = Buffer.from('event: {script: {path: "caf\xe9.js"}}\n', 'latin1');
  const config = () => join(instance.folder, 'generators', 'g', 'generator.yml');

  test('a config: every request for it is 422, with its name and the byte', async () => {
    await writeFile(config(), Buffer.concat([Buffer.from('# one\n'), latin]));
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', CONFIG],
    ] as const) {
      const { status, text } = await listening(method, '/generator-configs/g', body);
      expect([status, text]).toEqual([422, expect.stringMatching(/generator\.yml.*is not UTF-8 at byte 33/)]);
    }
  });

  test('a config that is sent as a file', async () => {
    const response = await fetch(`${instance.url}/generator-configs/g/file/generator.yml`, {
      method: 'PUT',
      body: latin,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringMatching(/is not UTF-8 at byte 27/),
    ]);
  });

  test('the startup file: the answer names the byte, and nothing is changed', async () => {
    await writeFile(join(instance.folder, 'startup.yml'), latin);
    const { text } = await listening('POST', '/startup/x', { path: PATH });
    expect(text).toMatch(/startup\.yml: it is not UTF-8 at byte 27/);
    expect(await instance.file('startup.yml')).toContain('event:');
    await writeFile(join(instance.folder, 'startup.yml'), '[]\n');
  });
});
