import { chmod, mkdir, readdir } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LOADERS } from '../../src/plugins/loaders.js';
import { freePort } from '../support/instance.js';
import { fakeIo, folderWith, spate } from './support.js';

// Jest fails when modules with a package in common are first loaded side by side, as the command does.
beforeAll(async () => {
  for (const load of Object.values(LOADERS.output)) await load();
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Port of a server; every connection gets `onConnection`. */
const listening = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const config = (...outputs: readonly string[]): string => `input:
  - timer: {seconds: 1, count: 1}
event:
  script: {path: produce.js}
output:
${outputs.map((output) => `  - ${output}\n`).join('')}`;

const check = async (files: Readonly<Record<string, string>>, line: string) => {
  const cwd = await folderWith(files);
  const result = await spate(`check ${line}`, fakeIo({ cwd }));
  return { ...result, cwd, out: result.out.replaceAll(cwd, '.') };
};

describe('outputs that can be opened', () => {
  test('are opened, get nothing and are closed again', async () => {
    const received: string[] = [];
    let ended = 0;
    const sink = createServer((socket) => {
      socket.on('data', (bytes) => received.push(String(bytes)));
      socket.on('close', () => ended++);
      socket.resume();
    });
    const port = await listening(sink);
    const { code, out, err } = await check(
      { 'g/generator.yml': config(`tcp: {host: 127.0.0.1, port: ${port}}`, 'stdout: {}') },
      '--connect g',
    );
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'g: output 1 tcp: ok\ng: output 2 stdout: ok\n',
      err: 'spate: 2 outputs can be opened.\n',
    });
    await new Promise<void>((resolve) => sink.close(() => resolve()));
    expect({ received, ended }).toEqual({ received: [], ended: 1 });
  });

  test('of an HTTP server count without a request', async () => {
    let requests = 0;
    const server = createHttpServer((_, reply) => {
      requests++;
      reply.end();
    });
    const port = await listening(server);
    const { code, out } = await check(
      { 'generator.yml': config(`http: {url: "http://127.0.0.1:${port}/in"}`) },
      '--connect .',
    );
    expect({ code, out, requests }).toEqual({ code: 0, out: '.: output 1 http: ok\n', requests: 0 });
  });

  test('that are files are not made, nor emptied', async () => {
    const { code, cwd } = await check(
      { 'generator.yml': config('file: {path: out/a.log}', 'file: {path: "logs/{date}.log"}') },
      '--connect generator.yml',
    );
    expect(code).toBe(0);
    expect(await readdir(cwd)).toEqual(['generator.yml']);
  });
});

describe('outputs that cannot be opened', () => {
  test('are told with the reason, beside those that can', async () => {
    const port = await freePort();
    const { code, out, err } = await check(
      { 'generator.yml': config(`tcp: {host: 127.0.0.1, port: ${port}}`, 'stdout: {}') },
      '--connect generator.yml',
    );
    expect(code).toBe(1);
    expect(out).toMatch(
      /^generator\.yml: output 1 tcp: .*ECONNREFUSED.*\ngenerator\.yml: output 2 stdout: ok\n$/,
    );
    expect(err).toBe('spate: 1 output cannot be opened, 1 can.\n');
  });

  test('within the time limit are given up: a server that is silent', async () => {
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined)));
    const { code, out } = await check(
      { 'generator.yml': config(`redis: {host: 127.0.0.1, port: ${port}, key: x, connect_timeout: 60}`) },
      '--connect --timeout 1 generator.yml',
    );
    expect(code).toBe(1);
    expect(out).toBe('generator.yml: output 1 redis: nothing answered within 1 s\n');
  });

  test('are folders in place of files, and folders that nobody may write', async () => {
    const cwd = await folderWith({
      'generator.yml': config(
        'file: {path: folder}',
        'file: {path: closed/x.log}',
        'file: {path: generator.yml/x}',
      ),
    });
    await mkdir(join(cwd, 'folder'));
    await mkdir(join(cwd, 'closed'));
    await chmod(join(cwd, 'closed'), 0o555);
    const { code, out } = await spate('check --connect generator.yml', fakeIo({ cwd }));
    expect(code).toBe(1);
    expect(out).toContain('output 1 file: ');
    expect(out).toContain('folder is a directory');
    expect(out).toContain('generator.yml is not a directory');
    // Root may write everywhere.
    if (process.getuid?.() !== 0) expect(out).toMatch(/output 2 file: .*closed cannot be written/);
  });

  test('of a config with a mistake are not opened', async () => {
    const { code, out } = await check(
      { 'generator.yml': config('tcp: {hots: x}') },
      '--connect generator.yml',
    );
    expect(code).toBe(1);
    expect(out).toContain("unknown key 'hots'. Did you mean 'host'?");
  });
});

describe('an instance', () => {
  test('stands for the entries of its startup list, each with its parameters', async () => {
    const port = await freePort();
    const { code, out } = await check(
      {
        'settings/spate.yml':
          'server: {}\ngeneration: {}\nlog: {}\npath: {logs: logs, startup: startup.yml, generators_dir: ../generators, keyring_cryptfile: keyring}\n',
        'settings/startup.yml': `- {id: a, path: web/generator.yml, params: {port: ${port}}}\n- {id: b, path: none/generator.yml}\n`,
        'generators/web/generator.yml': config(
          "tcp: {host: 127.0.0.1, port: '${params.port}'}",
          'stdout: {}',
        ),
      },
      '--connect settings/spate.yml',
    );
    expect(code).toBe(1);
    expect(out).toMatch(
      /^a: output 1 tcp: .*\na: output 2 stdout: ok\nb: cannot read .*none\/generator\.yml/,
    );
  });
});

test('without --connect the command says what to do', async () => {
  const { code, err } = await check({ 'generator.yml': config('stdout: {}') }, 'generator.yml');
  expect(code).toBe(2);
  expect(err).toContain('give --connect');
});
