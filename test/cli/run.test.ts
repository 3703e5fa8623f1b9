import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../src/domain/errors.js';
import { type FakeIo, fakeIo, fakeServices, folderWith, GENERATOR, spate } from './support.js';

const SETTINGS = `server: {}
generation: {}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring}
`;

const STDOUT_TOO = GENERATOR.replace('- file', '- stdout: {}\n  - file');

const CLICKHOUSE = `input: [timer: {seconds: 1, count: 1}]
event: {replay: {path: a.txt}}
output:
  - clickhouse: {host: '\${params.host:-127.0.0.1}', table: '\${params.table:-t}', username: u, password: p}
  - file: {path: '\${params.missing}/\${secrets.folder:-x}.log'}
`;

/** Starts `run` in a folder with settings; `done` is its result. */
const begin = async (
  options: Parameters<typeof fakeServices>[0] = {},
  env: Record<string, string> = {},
  line = 'run -c spate.yml',
) => {
  const cwd = await folderWith({
    'spate.yml': SETTINGS,
    'startup.yml': '[]',
    'generators/a/generator.yml': STDOUT_TOO,
    'generators/c/generator.yml': CLICKHOUSE,
    'generators/broken/generator.yml': 'output: 1\n',
  });
  const io = fakeIo({ cwd, env });
  const fake = fakeServices(options);
  const done = spate(line, io, fake.services);
  return { cwd, io, fake, done };
};

/** Resolves when standard error has a text. */
const saw = async (io: FakeIo, text: string): Promise<void> => {
  while (!io.err().includes(text)) await new Promise((resolve) => setImmediate(resolve));
};

test('gives the daemon the absolute settings file, then prints the address, the destinations and log lines', async () => {
  const { cwd, io, fake, done } = await begin();
  await fake.startedTimes(1);
  const given = fake.starts[0];
  expect(given).toMatchObject({
    settingsFile: join(cwd, 'spate.yml'),
    allowRemoteWithoutAuth: false,
    version: '1.2.3',
  });
  const config = join(cwd, 'generators/a/generator.yml');
  given?.onListening({
    url: 'http://127.0.0.1:9474',
    hasUi: true,
    place: null,
    generators: [
      { id: 'a', path: config, params: {} },
      { id: 'b', path: '/nowhere.yml', params: {} },
      { id: 'c', path: join(cwd, 'generators/c/generator.yml'), params: { table: 'visits' } },
      { id: 'd', path: join(cwd, 'generators/broken/generator.yml'), params: {} },
    ],
  });
  given?.writeLog('a log line\n');
  await saw(io, 'a log line');
  io.signal('SIGTERM');
  const { code, out, err } = await done;
  expect(code).toBe(0);
  expect(out).toBe('');
  expect(err.split('\n').slice(0, 6)).toEqual([
    'spate 1.2.3 listens on http://127.0.0.1:9474 (web UI; API documentation: http://127.0.0.1:9474/api/docs)',
    `  a: events to stdout, file ${join(cwd, 'generators/a/out.log')}`,
    '  b: /nowhere.yml does not exist: create it or change the path in the startup list',
    `  c: events to clickhouse table visits at 127.0.0.1, file ${join(cwd, 'generators/c', '${params.missing}/${secrets.folder}.log')}`,
    `  d: the config cannot be used: spate validate ${join(cwd, 'generators/broken/generator.yml')}`,
    'a log line',
  ]);
});

test.each([
  ['', {}],
  [' --port 9480', { port: 9480 }],
  [' --host 127.0.0.2 -p 9480', { host: '127.0.0.2', port: 9480 }],
])('the daemon listens where the command line says:%s', async (more, listen) => {
  const { io, fake, done } = await begin({}, {}, `run -c spate.yml${more}`);
  await fake.startedTimes(1);
  expect(fake.starts[0]?.listen).toEqual(listen);
  io.signal('SIGTERM');
  await done;
});

test('says so when there is no server, and counts generators beyond twenty', async () => {
  const { io, fake, done } = await begin();
  await fake.startedTimes(1);
  const generators = Array.from({ length: 23 }, (_, i) => ({
    id: `g${i}`,
    path: '/nowhere.yml',
    params: {},
  }));
  fake.starts[0]?.onListening({
    url: null,
    hasUi: false,
    generators,
    place: { cluster: 'lab', node: 'node-1' },
  });
  await saw(io, '  and 3 more generators\n');
  expect(io.err()).toMatch(/^spate 1\.2\.3, node "node-1" of cluster "lab", runs without HTTP server/);
  expect(io.err()).not.toContain('g20');
  io.signal('SIGINT');
  await done;
});

test('only SPATE_ALLOW_REMOTE_WITHOUT_AUTH=1 allows remote clients without credentials', async () => {
  for (const [value, expected] of [
    ['1', true],
    ['0', false],
    ['true', false],
  ] as const) {
    const { io, fake, done } = await begin({}, { SPATE_ALLOW_REMOTE_WITHOUT_AUTH: value });
    await fake.startedTimes(1);
    expect(fake.starts[0]?.allowRemoteWithoutAuth).toBe(expected);
    io.signal('SIGINT');
    await done;
  }
});

describe('exit codes', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it: 0', async (signal) => {
    const { io, fake, done } = await begin();
    await fake.startedTimes(1);
    io.signal(signal);
    expect((await done).code).toBe(0);
    expect(fake.counts.stops).toBe(1);
    expect(io.exits).toEqual([]);
  });

  test('a second signal ends it at once, as the signal does by itself', async () => {
    const { io, fake, done } = await begin();
    await fake.startedTimes(1);
    io.signal('SIGTERM');
    io.signal('SIGTERM');
    expect(io.exits).toEqual([143]);
    await done;
  });

  test('a signal while it starts is not lost', async () => {
    const { io, fake, done } = await begin();
    io.signal('SIGTERM');
    expect((await done).code).toBe(0);
    expect(fake.counts.stops).toBe(1);
  });

  test('1 when settings or startup list cannot be used', async () => {
    const issues = [
      {
        path: ['server', 'port'],
        type: 'out_of_range',
        message: 'must be at most 65535',
        line: 2,
        column: 9,
      },
    ];
    const { done } = await begin({ startError: failure('invalid', 'text', { file: 's.yml', issues }) });
    expect(await done).toEqual({
      code: 1,
      out: '',
      err: 'spate: s.yml:2:9: server.port: must be at most 65535.\n',
    });
  });

  test('1 when the instance ends by itself', async () => {
    const { done } = await begin({
      daemonError: failure('unavailable', 'port 9474 is taken: set server.port'),
    });
    expect(await done).toMatchObject({ code: 1, err: 'spate: port 9474 is taken: set server.port\n' });
  });
});

describe('SIGHUP', () => {
  test('applies what has changed to the instance that runs', async () => {
    const { io, fake, done } = await begin();
    await fake.startedTimes(1);
    io.signal('SIGHUP');
    io.signal('SIGHUP');
    while (fake.counts.reloads === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(fake.counts.stops).toBe(0);
    io.signal('SIGTERM');
    expect((await done).code).toBe(0);
    expect(fake.starts).toHaveLength(1);
  });

  test('stops the instance and starts the next one where only that can apply it', async () => {
    const { io, fake, done } = await begin({ reload: E.right('needs_restart') });
    await fake.startedTimes(1);
    io.signal('SIGHUP');
    await fake.startedTimes(2);
    expect(fake.counts.stops).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    io.signal('SIGTERM');
    expect((await done).code).toBe(0);
    expect(fake.counts.stops).toBe(2);
  });

  test.each([
    ['spate.yml', 'server: {'],
    ['startup.yml', 'a: 1'],
  ])('a broken %s keeps the instance running', async (file, text) => {
    const { cwd, io, fake, done } = await begin();
    await fake.startedTimes(1);
    await writeFile(join(cwd, file), text);
    io.signal('SIGHUP');
    await saw(io, 'spate: not reloaded: ');
    expect(io.err()).toContain(`${join(cwd, file)}:`);
    expect(fake.counts.stops).toBe(0);
    io.signal('SIGTERM');
    expect((await done).code).toBe(0);
    expect(fake.starts).toHaveLength(1);
  });

  test('a password that is a missing secret keeps the instance running', async () => {
    const { cwd, io, fake, done } = await begin();
    await fake.startedTimes(1);
    const settings = await readFile(join(cwd, 'spate.yml'), 'utf8');
    const auth = `server: {auth: {user: u, password: "\${secrets.nobody}"}}`;
    await writeFile(join(cwd, 'spate.yml'), settings.replace(/^server:.*$/m, auth));
    io.signal('SIGHUP');
    await saw(io, "secret 'nobody' is not in the keyring");
    expect(fake.counts.stops).toBe(0);
    io.signal('SIGTERM');
    expect((await done).code).toBe(0);
  });

  test('is ignored while the instance stops', async () => {
    const { io, fake, done } = await begin();
    await fake.startedTimes(1);
    io.signal('SIGTERM');
    io.signal('SIGHUP');
    expect((await done).code).toBe(0);
    expect(fake.starts).toHaveLength(1);
    expect(io.exits).toEqual([]);
  });
});
