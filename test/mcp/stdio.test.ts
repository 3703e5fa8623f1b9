import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { CLI, freePort, type Instance, makeInstance, runProgram } from '../support/instance.js';
import { hasPrograms, needs, spawn } from '../support/programs.js';
import { AUTHORITY, certificateFolder, SERVER } from '../support/servers/certificates.js';
import { type Model, overStdio } from './support.js';

const PASSWORD = 'a password of the test';
const AUTH = `auth: {user: ann, password: ${PASSWORD}}`;

let instance: Instance | null = null;
let model: Model | null = null;
let peer: Server | null = null;
afterEach(async () => {
  await model?.close();
  await instance?.remove();
  peer?.closeAllConnections();
  peer?.close();
  [instance, model, peer] = [null, null, null];
});

const start = async (server = ''): Promise<Instance> => {
  instance = await makeInstance({ startup: '[]', generators: {}, server });
  await instance.start();
  return instance;
};

const listening = (server: Server): Promise<AddressInfo> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo)));

const settingsOf = ({ folder }: Instance): readonly string[] => ['-c', join(folder, 'spate.yml')];
const originOf = ({ url }: Instance): string => url.replace(/\/api$/, '');

const ended = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const program = runProgram(['mcp', ...args], { env });
  const { code } = await program.exited;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
};

(hasPrograms('openssl') ? describe : describe.skip)(`spate mcp over TLS ${needs('openssl')}`, () => {
  test('trusts the authorities of NODE_EXTRA_CA_CERTS and says so when it trusts none', async () => {
    const files = certificateFolder();
    files.make('ca', { by: null, extensions: AUTHORITY });
    files.make('server', { extensions: SERVER });
    const tls = { cert: files.text('server.pem'), key: files.text('server.key') };
    peer = createTlsServer(tls, (_, response) => {
      response.setHeader('X-Spate-Version', '0');
      response.setHeader('Content-Type', 'application/json');
      response.end('"local"');
    });
    const { port } = await listening(peer);
    const url = ['--url', `https://localhost:${port}`];
    const refused = await ended(url);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/certificate has an unknown authority\. Name .* NODE_EXTRA_CA_CERTS\.\n$/);
    expect(await ended(url, { NODE_EXTRA_CA_CERTS: files.path('ca.pem') })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    files.remove();
  });
});

describe('spate mcp', () => {
  test('ends at once when no service answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await ended(['--url', url])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/No answer from Spate at .*: nothing listens there\. Start the service/),
    });
  });

  test.each(['ftp://x', 'localhost:9474', 'http://ann:secret@localhost', 'http://localhost/other'])(
    'refuses the address %s',
    async (url) => {
      const { code, stderr } = await ended(['--url', url]);
      expect(code).toBe(2);
      expect(stderr).toContain('--url must');
    },
  );

  test('refuses a server that is not Spate', async () => {
    peer = createServer((_, response) => response.end('<html>'));
    const { port } = await listening(peer);
    const { code, stderr } = await ended(['--url', `http://127.0.0.1:${port}`]);
    expect(code).toBe(1);
    expect(stderr).toContain('is not Spate');
  });

  test('ends with wrong credentials and takes those of the environment or of the settings', async () => {
    const made = await start(AUTH);
    const url = ['--url', originOf(made)];
    const wrong = { SPATE_API_USER: 'ann', SPATE_API_PASSWORD: 'wrong' };
    for (const env of [{}, wrong]) {
      const { code, stderr } = await ended(url, env);
      expect(code).toBe(1);
      expect(stderr).toMatch(/refuses the credentials\. Set SPATE_API_USER and SPATE_API_PASSWORD/);
    }
    expect((await ended(url, { SPATE_API_PASSWORD: 'x' })).stderr).toContain('without SPATE_API_USER');
    model = await overStdio(url, { SPATE_API_USER: 'ann', SPATE_API_PASSWORD: PASSWORD });
    expect(await model.call('list_generators')).toMatchObject({ isError: false });
    await model.close();
    model = await overStdio(settingsOf(made));
    expect(await model.call('list_generators')).toMatchObject({ isError: false });
  });

  test('only reads and previews without --allow-changes', async () => {
    model = await overStdio(settingsOf(await start('mcp: changes')));
    expect(await model.tools()).not.toContain('start_generator');
    expect(await model.call('start_generator', { id: 'web' })).toMatchObject({
      isError: true,
      value: { error: { code: 'forbidden', message: expect.stringContaining('--allow-changes') } },
    });
  });

  test('reports a service that died, and finds it again when it is back', async () => {
    const made = await start();
    model = await overStdio(settingsOf(made));
    expect(await model.call('list_generators')).toMatchObject({ isError: false });
    await made.kill('SIGKILL');
    expect(await model.call('list_generators')).toMatchObject({
      isError: true,
      value: { error: { code: 'unavailable', retryable: true } },
    });
    await made.start();
    expect(await model.call('list_generators')).toMatchObject({ isError: false });
  });

  test('reports a service that dies while a call runs', async () => {
    let calls = 0;
    peer = createServer(({ url }, response) => {
      response.setHeader('X-Spate-Version', '0');
      response.setHeader('Content-Type', 'application/json');
      if (url === '/api/auth/me') return response.end('"local"');
      calls++;
      return calls === 1 ? response.write('[{"id"', () => response.destroy()) : response.destroy();
    });
    const { port } = await listening(peer);
    model = await overStdio(['--url', `http://127.0.0.1:${port}`]);
    for (let call = 0; call < 2; call++)
      expect(await model.call('list_scenarios')).toMatchObject({
        isError: true,
        value: { error: { code: 'unavailable' } },
      });
  });

  test('goes on after garbage, writes only messages, and ends when its input closes', async () => {
    const made = await start();
    const child = spawn(process.execPath, [CLI, 'mcp', ...settingsOf(made)], { stdio: 'pipe' });
    let [out, err] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    const answered = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes('"id":7')) resolve();
      });
    });
    const code = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdin.write('garbage\n{"jsonrpc": "1.0"}\n\u0000\n[]\n');
    child.stdin.write('{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}\n');
    await answered;
    child.stdin.end();
    expect(await code).toBe(0);
    for (const line of out.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(err).toMatch(/^spate: /);
  });
});
