import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import { nodeFiles } from '../../src/adapters/files/files.js';
import { keyringFile } from '../../src/adapters/keyring/file.js';
import { secretReferences } from '../../src/daemon/configs.js';
import { knownSecrets } from '../../src/domain/secrets.js';
import type { Keyring } from '../../src/ports/keyring.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { writeFiles } from '../support/library.js';

const PASSWORD = 'correct MARKER horse';

/** Every value has the marker, so that a part that leaks shows, however it is written. */
const SECRETS = {
  plain: 'MARKER-plain',
  odd: 'p@ss/w:rd "MARKER" \'${params.x}\'\n- MARKER: {line: "two"}\\',
  click: 'MARKER click%house',
};

describe('the files that use a secret', () => {
  test('are found by the placeholder, not in comments and not by a part of the name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spate-references-'));
    const file = (name: string): string => join(folder, name);
    await writeFiles(folder, {
      'spate.yml': "server: {auth: {user: a, password: '${secrets.api}'}}",
      'startup.yml': "- {id: a, path: a.yml, params: {key: '${ secrets.key:-none }'}}",
      'a.yml': '  # password: ${secrets.api}\npassword: ${secrets.db}-${secrets.api.old}\n',
      'b.yml': 'password: $${secrets.db}\nuser: ${secrets.db}\n',
    });
    const of = secretReferences({
      settings: file('spate.yml'),
      startup: file('startup.yml'),
      readStartup: nodeFiles.readText,
      destinations: '/nowhere/destinations',
      generators_dir: folder,
      directories: { list: async () => E.right(['b', 'a']), configPath: (name) => file(`${name}.yml`) },
      ask: (async () => E.right([{ path: 'a.yml' }, { path: 'gone.yml' }])) as unknown as AskActor,
    });
    expect(await of('api')).toEqual(E.right([{ kind: 'settings', file: file('spate.yml') }]));
    expect(await of('key')).toEqual(E.right([{ kind: 'startup', file: file('startup.yml') }]));
    expect(await of('db')).toEqual(
      E.right(['a.yml', 'b.yml'].map((name) => ({ kind: 'generator', file: name }))),
    );
    expect(await of('other')).toEqual(E.right([]));
    await rm(folder, { recursive: true });
  });
});

/** Answers the questions of the check at start, and refuses inserts with all it was told. */
const talkative = (): Server =>
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = `${request.url} ${Buffer.concat(chunks).toString()}`;
      if (!/INSERT/i.test(decodeURIComponent(text.replace(/\+/g, ' '))))
        return response.writeHead(200).end('1\n');
      const { authorization = '', ...headers } = request.headers;
      const decoded = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
      return response
        .writeHead(400)
        .end(`Code: 27. DB::Exception: no ${authorization} = ${decoded} in ${JSON.stringify(headers)}`);
    });
  });

const generatorsFor = (port: number): Readonly<Record<string, string>> => ({
  'click/generator.yml': `
input: [static: {count: 3}]
event: {script: {path: produce.mjs}}
output:
  - clickhouse:
      host: 127.0.0.1
      port: ${port}
      username: tester
      password: \${secrets.click}
      table: t
`,
  'click/produce.mjs': 'export const produce = () => `{"a": 1}`;',
  'file/generator.yml': `
input: [static: {count: 1}]
event: {script: {path: produce.mjs}}
output:
  - file: {path: "/proc/\${secrets.plain}/\${secrets.plain}"}
`,
  'file/produce.mjs': 'export const produce = () => `x`;',
  'full/generator.yml': `
input: [static: {count: 1}]
event: {script: {path: ../file/produce.mjs}}
output:
  - file: {path: "\${secrets.plain}.log"}
`,
  'script/generator.yml': `
input: [static: {count: 2}]
event: {script: {path: "\${secrets.plain}.mjs"}}
output:
  - file: {path: ../../out.log}
`,
  'script/MARKER-plain.mjs': `
export const produce = () => {
  const { stack } = new Error('here');
  console.log('stack', stack);
  console.error(JSON.stringify({ stack }));
  throw new Error('cannot use ' + stack.match(/[^/]*-plain/)[0]);
};
`,
  'timer/generator.yml': `
input: [static: {count: 1}, timer: {seconds: 60, count: 1}]
event: {script: {path: "\${ secrets.plain }.mjs"}}
output:
  - stdout: {}
`,
  'timer/MARKER-plain.mjs': `
export const produce = () => {
  setTimeout(() => { throw new Error('late: ' + new Error('x').stack); }, 1);
  return 'x';
};
`,
  'invalid/generator.yml': `
input: [cron: {expression: "\${secrets.plain}", count: 1}]
event: {script: {path: "\${secrets.odd}"}}
output:
  - stdout: {}
`,
  'missing/generator.yml': `
input: [static: {count: 1}]
event: {script: {path: "\${secrets.nobody}"}}
output:
  - stdout: {}
`,
  'fallback/generator.yml': `
input: [static: {count: "\${secrets.nobody:-2}"}]
event: {script: {path: ../file/produce.mjs}}
output:
  - file: {path: ../../fallback.log}
`,
});

const IDS = ['click', 'file', 'full', 'script', 'timer', 'invalid', 'missing', 'fallback'];
const STARTUP = IDS.map((id) => `- {id: ${id}, path: ${id}/generator.yml, live_mode: false}\n`).join('');

interface Status {
  readonly phase: string;
  readonly reason: string | null;
}

describe('an instance with secrets', () => {
  let server: Server;
  let instance: Instance;
  let keyring: Keyring;

  const keyringOf = (file: string): Keyring =>
    keyringFile({
      file,
      password: async () => E.right(PASSWORD),
      known: knownSecrets(),
      warn: () => undefined,
    });
  const phaseOf = async (id: string): Promise<Status> =>
    (await instance.api('GET', `/generators/${id}/status`)).body as Status;
  /** Ended for good, or about to be started again after a failure. */
  const ended = (id: string): Promise<Status> =>
    eventually(async () => {
      const status = await phaseOf(id);
      return ['finished', 'failed', 'backing_off'].includes(status.phase) ? status : null;
    }, `the end of ${id}`);

  beforeAll(async () => {
    server = talkative();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    instance = await makeInstance({
      startup: STARTUP,
      generators: generatorsFor((server.address() as AddressInfo).port),
      settings: 'retry: {attempts: 1}',
      env: { SPATE_KEYRING_PASSWORD: PASSWORD },
    });
    // Opens, and cannot be written.
    await symlink('/dev/full', join(instance.folder, 'generators', 'full', 'MARKER-plain.log'));
    keyring = keyringOf(join(instance.folder, 'keyring'));
    for (const [name, value] of Object.entries(SECRETS)) {
      const done = await keyring.set(name, value);
      if (E.isLeft(done)) throw new Error(done.left.message);
    }
    await instance.start();
    for (const id of IDS) await ended(id);
    await instance.program().saw(/late: /);
  });
  afterAll(async () => {
    await instance.remove();
    server.close();
  });

  test('gives them to the plugins, with any characters', async () => {
    const { stderr } = instance.program();
    expect(stderr()).toMatch(/cannot use \*\*\*/);
    expect(stderr()).toMatch(/cannot open \/proc\/\*\*\*\/\*\*\*: a folder of the path does not exist/);
    expect(stderr()).toMatch(/no Basic .* = tester:\*\*\* in/);
    expect(await instance.file('fallback.log')).toBe('x\nx\n');
    // Who used what can be seen.
    expect(stderr()).toMatch(/secret read secret=click\n/);
  });

  test('names one that is missing, and what to do', async () => {
    const { phase, reason } = await phaseOf('missing');
    expect(phase).toBe('failed');
    expect(reason).toMatch(/secret 'nobody' is not in the keyring.*spate keyring set nobody/);
  });

  test('shows none of them: not in lines, log files, state, reasons of dead letters, or answers of the API', async () => {
    const answers = await Promise.all(
      [
        '/generators/',
        '/instance/settings',
        '/health',
        '/openapi.json',
        '/generator-configs/',
        ...IDS.flatMap((id) => [
          `/generators/${id}`,
          `/generators/${id}/status`,
          `/generators/${id}/stats`,
          `/generator-configs/${id}`,
        ]),
      ].map(async (path) => ({ path, text: JSON.stringify(await instance.api('GET', path)) })),
    );
    const started = await Promise.all(
      ['file', 'invalid', 'missing'].map(async (id) => ({
        path: `start ${id}`,
        text: JSON.stringify(await instance.api('POST', `/generators/${id}/start`)),
      })),
    );
    const { exitCode } = instance.program().child;
    expect(exitCode).toBeNull();
    await instance.kill('SIGTERM');
    const below = async (folder: string) =>
      Promise.all(
        (await readdir(join(instance.folder, folder), { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map(async ({ parentPath, name }) => {
            const path = join(parentPath, name);
            return { path, text: await readFile(path, 'utf8') };
          }),
      );
    const files = [...(await below('logs')), ...(await below('state')), ...(await below('.'))].filter(
      ({ path }) => !path.endsWith('.mjs'),
    );
    const seen = [
      ...answers,
      ...started,
      ...files,
      { path: 'stderr', text: instance.program().stderr() },
      { path: 'stdout', text: instance.program().stdout() },
    ];
    const letters = files.filter(({ path }) => path.includes('dead-letters'));
    expect(letters.map(({ text }) => text).join('')).toMatch(/\/full\/\*\*\*\.log/);
    expect(files.some(({ path }) => path.includes('/logs/'))).toBe(true);
    expect(
      seen.filter(({ text }) => /MARKER/.test(text)).map(({ path, text }) => [path, text.slice(0, 2_000)]),
    ).toEqual([]);
    // Not as base64 of user and password either.
    const basic = Buffer.from(`tester:${SECRETS.click}`).toString('base64').slice(12, -4);
    expect(seen.filter(({ text }) => text.includes(basic)).map(({ path }) => path)).toEqual([]);
  });

  test('reads them again when another process has changed them', async () => {
    const changing = await makeInstance({
      startup: '- {id: one, path: one/generator.yml, live_mode: false}',
      generators: {
        'one/generator.yml':
          'input: [static: {count: 1}]\nevent: {script: {path: produce.mjs}}\noutput: [file: {path: "${secrets.t}.log"}]\n',
        'one/produce.mjs': 'export const produce = () => `x`;',
      },
      env: { SPATE_KEYRING_PASSWORD: PASSWORD },
    });
    try {
      const keys = keyringOf(join(changing.folder, 'keyring'));
      await keys.set('t', 'first value');
      await changing.start();
      const isWritten = (name: string) =>
        eventually(
          async () =>
            (await changing.file(`generators/one/${name}`).catch(() => '')) === 'x\n' ? true : null,
          `${name} is written`,
        );
      await isWritten('first value.log');
      // A start of one that still runs would change nothing.
      await eventually(async () => {
        const { body } = await changing.api('GET', '/generators/one/status');
        return (body as { phase: string }).phase === 'finished' ? true : null;
      }, 'the end of the first run');
      await keys.set('t', 'second value');
      await eventually(async () => {
        const { status } = await changing.api('POST', '/generators/one/start');
        return status === 200 ? true : null;
      }, 'a second start');
      await isWritten('second value.log');
      await changing.kill('SIGTERM');
      expect(changing.program().stderr()).not.toMatch(/first value|second value/);
    } finally {
      await changing.remove();
    }
  });

  test.each([
    ['without a password', {}, /needs its password: set SPATE_KEYRING_PASSWORD/],
    [
      'with a wrong one',
      { SPATE_KEYRING_PASSWORD: 'another password' },
      /password of the keyring .* is wrong/,
    ],
  ])('%s starts, says so, and refuses generators with secrets only', async (_, env, reason) => {
    const locked = await makeInstance({
      startup: `- {id: file, path: file/generator.yml, live_mode: false}
- {id: fallback, path: fallback/generator.yml, live_mode: false}
- {id: free, path: free/generator.yml, live_mode: false}
`,
      generators: {
        ...generatorsFor(1),
        'free/generator.yml':
          'input: [static: {count: 1}]\nevent: {script: {path: ../file/produce.mjs}}\noutput: [file: {path: out.log}]\n',
      },
      env,
    });
    try {
      await keyringOf(join(locked.folder, 'keyring')).set('plain', 'x');
      await locked.start();
      await locked.program().saw(/secrets are refused until the keyring can be opened/);
      const statusOf = (id: string, phase: string) =>
        eventually(async () => {
          const { body } = await locked.api('GET', `/generators/${id}/status`);
          return (body as Status).phase === phase ? (body as Status) : null;
        }, `${id} is ${phase}`);
      expect((await statusOf('file', 'failed')).reason).toMatch(reason);
      // A fallback is for a secret that is missing, and nobody knows whether it is.
      expect((await statusOf('fallback', 'failed')).reason).toMatch(reason);
      await statusOf('free', 'finished');
    } finally {
      await locked.remove();
    }
  });
});
