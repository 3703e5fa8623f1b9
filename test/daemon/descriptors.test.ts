import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { connectionsOf } from '../../src/daemon/listener.js';
import { CLI, eventually, type Instance, makeInstance } from '../support/instance.js';
import { memoryLog } from '../support/logs.js';
import { spawn } from '../support/programs.js';

const CONFIG =
  'input: [timer: {seconds: 0.1, count: 1}]\nevent: {script: {path: s.mjs}}\noutput: [file: {path: out.log}]\n';

/** Opens files until none is free, and closes them once the file `free` exists. */
const HOG = `import { closeSync, existsSync, openSync } from 'node:fs';
const open = [];
let isDone = false;
export const produce = () => {
  if (existsSync(new URL('free', import.meta.url))) {
    isDone = true;
    for (const file of open.splice(0)) closeSync(file);
  }
  while (!isDone) try { open.push(openSync('/dev/null')); } catch { break; }
  return String(open.length);
};
`;

let stop: (() => Promise<unknown>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
});

/** Runs the service of an instance with few file descriptors. */
const startWith = async (
  open_files: number,
  generators: Readonly<Record<string, string>>,
  startup: string,
) => {
  const instance: Instance = await makeInstance({ startup, generators });
  const child = spawn(
    'sh',
    [
      '-c',
      `ulimit -n ${open_files}; exec "$@"`,
      'sh',
      process.execPath,
      CLI,
      'run',
      '-c',
      join(instance.folder, 'spate.yml'),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  const exited = once(child, 'close');
  stop = async () => {
    child.kill('SIGKILL');
    await exited;
    await instance.remove();
  };
  return { instance, exited, told: () => told };
};

const phaseOf = async (instance: Instance, id: string): Promise<unknown> => {
  const { body } = await instance.api('GET', `/generators/${id}/status`);
  return body;
};

const ready = (instance: Instance): Promise<true> =>
  eventually(
    async () =>
      instance.api('GET', '/ready').then(
        ({ status }) => (status === 200 ? true : null),
        () => null,
      ),
    'the service is ready',
  );

describe('few file descriptors', () => {
  test('leave half for generators: more silent connections than that end no generator and no health check', async () => {
    const { instance, told } = await startWith(
      160,
      { 'w/generator.yml': CONFIG, 'w/s.mjs': "export const produce = () => 'x'\n" },
      '- {id: w, path: w/generator.yml}\n',
    );
    await ready(instance);
    expect(told()).toContain('the process may open few files');
    const port = Number(new URL(instance.url).port);
    const open: Socket[] = [];
    for (let index = 0; index < 300; index++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      open.push(socket);
    }
    expect((await instance.api('GET', '/health')).status).toBe(200);
    expect((await instance.api('POST', '/generators/w/stop')).status).toBe(200);
    expect((await instance.api('POST', '/generators/w/start')).body).toBe(true);
    expect(await phaseOf(instance, 'w')).toMatchObject({ phase: 'running', restarts: 0 });
    for (const socket of open) socket.destroy();
  });

  test('are waited for: a generator that finds none backs off and starts once they are free', async () => {
    const { instance, told } = await startWith(
      160,
      {
        'hog/generator.yml': CONFIG,
        'hog/s.mjs': HOG,
        'w/generator.yml':
          'input: [static: {count: 1}]\nevent: {template: {mode: all, templates: [{t: {template: t.jinja}}]}}\noutput: [file: {path: out.log}]\n',
        'w/t.jinja': 'x',
      },
      '- {id: hog, path: hog/generator.yml, autostart: false}\n- {id: w, path: w/generator.yml, autostart: false}\n',
    );
    await ready(instance);
    // A connection that is open before the hog takes every descriptor.
    const port = Number(new URL(instance.url).port);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    let answers = '';
    socket.on('data', (chunk: Buffer) => {
      answers += chunk.toString();
    });
    const send = async (method: string, path: string, until: RegExp): Promise<void> => {
      answers = '';
      socket.write(`${method} /api${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
      await eventually(async () => (until.test(answers) ? true : null), `${method} ${path}: ${until}`).catch(
        (e) => {
          throw new Error(`${e.message}: ${answers} ${told()}`);
        },
      );
    };
    const until = async (path: string, wanted: RegExp): Promise<void> => {
      await eventually(async () => {
        await send('GET', path, /\}$/);
        return wanted.test(answers) ? true : null;
      }, `${path}: ${wanted}`);
    };
    await send('POST', '/generators/hog/start', /true$/);
    await until('/generators/hog/stats', /"produced":[1-9]/);
    await send('POST', '/generators/w/start', /"code":"exhausted"|false$/);
    await until('/generators/w/status', /"phase":"(backing_off|loading)".*"error_code":"exhausted"/);
    await writeFile(join(instance.folder, 'generators', 'hog', 'free'), '');
    await until('/generators/w/status', /"phase":"finished"/);
    socket.destroy();
  });

  test('at the start are no bug: the message says what to raise', async () => {
    const { exited, told } = await startWith(22, {}, '[]\n');
    const [code] = await exited;
    expect([code, told()]).toEqual([1, expect.stringMatching(/EMFILE.*ulimit -n/)]);
    expect(told()).not.toContain('bug');
  });

  test('bound connections, also those of the settings, and are spoken of', () => {
    const { log, lines } = memoryLog();
    expect(connectionsOf(null, 1_048_576, log)).toBe(1_000);
    expect(connectionsOf(4_000, 1_048_576, log)).toBe(4_000);
    expect(connectionsOf(null, null, log)).toBe(1_000);
    expect(connectionsOf(null, 1_024, log)).toBe(512);
    expect(lines).toEqual([]);
    expect(connectionsOf(null, 256, log)).toBe(128);
    expect(connectionsOf(4_000, 4_096, log)).toBe(2_048);
    expect(lines.map(({ level }) => level)).toEqual(['warning', 'warning']);
  });
});

describe('a client with as many connections as the service takes', () => {
  const FLOOD = '127.0.0.2';
  const OTHER = '127.0.0.3';

  /** A stream of events or of a log, from an address of this machine. */
  interface Follower {
    readonly text: () => string;
    readonly isOpen: () => boolean;
    readonly close: () => void;
  }

  const eventsFrom = (url: string, localAddress: string): Promise<Follower> =>
    new Promise((resolve, reject) => {
      const request = get(`${url}/events?id=w`, { localAddress, agent: false }, (response) => {
        let text = '';
        let isOpen = response.statusCode === 200;
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('error', () => undefined);
        response.on('close', () => {
          isOpen = false;
        });
        resolve({ text: () => text, isOpen: () => isOpen, close: () => request.destroy() });
      });
      request.on('error', reject);
    });

  const logFrom = async (url: string, localAddress: string): Promise<Follower> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/generators/w/logs`, { localAddress });
    let text = '';
    socket.on('message', (data) => {
      text += String(data);
    });
    await once(socket, 'open');
    socket.on('error', () => undefined);
    return {
      text: () => text,
      isOpen: () => socket.readyState === WebSocket.OPEN,
      close: () => socket.terminate(),
    };
  };

  const healthFrom = (url: string, localAddress: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(`${url}/health`, { localAddress, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });

  test.each([
    ['silent', ''],
    ['half requests', 'GET /api/health HTTP/1.1\r\nHost: local'],
    ['kept alive', 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('(%s) ends no stream of others, and they open more', async (_, text) => {
    const instance = await makeInstance({
      startup: '- {id: w, path: w/generator.yml}\n',
      generators: {
        'w/generator.yml': CONFIG,
        'w/s.mjs': "export const produce = () => { console.log('a line'); return 'x'; };\n",
      },
      server: 'max_connections: 30',
    });
    stop = () => instance.remove();
    await instance.start();
    const { url } = instance;
    await eventually(
      async () => ((await instance.api('GET', '/ready')).status === 200 ? true : null),
      'it is ready',
    );
    const follow = async (address: string) => [await eventsFrom(url, address), await logFrom(url, address)];
    const before = await follow('127.0.0.1');
    const port = Number(new URL(url).port);
    const flood: Socket[] = [];
    for (let index = 0; index < 90; index++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: FLOOD });
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      if (text !== '') socket.write(text);
      flood.push(socket);
    }
    const after = await follow(OTHER);
    for (const address of ['127.0.0.1', OTHER]) expect(await healthFrom(url, address)).toBe(200);
    const followers = [...before, ...after];
    const lengths = followers.map((one) => one.text().length);
    for (const [index, one] of followers.entries())
      await eventually(
        async () => (one.text().length > (lengths[index] ?? 0) ? true : null),
        `more for follower ${index}`,
      );
    expect(followers.map((one) => one.isOpen())).toEqual(followers.map(() => true));
    for (const one of followers) one.close();
    for (const socket of flood) socket.destroy();
  });
});
