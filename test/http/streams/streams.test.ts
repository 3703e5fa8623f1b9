import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { Ask } from '../../../src/messages/ask.js';
import { CONFIG, rawRequest, signal, startServer, type TestServer } from '../support.js';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});
const start = async (config: Parameters<typeof startServer>[0] = {}): Promise<TestServer> => {
  const server = await startServer(config);
  running.push(server);
  return server;
};

const EXPORT = '/api/generator-configs/web/export';
const PREVIEW = '/api/preview/web/input-plugins/generate';
const MIB = 1_048_576;

const onDestroy =
  (gone: { readonly fire: () => void }) =>
  (_error: Error | null, done: (error: null) => void): void => {
    gone.fire();
    done(null);
  };

/** Asks on a bare connection and reads nothing but the first bytes. */
const openRequest = async (port: number, request: string) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  await once(socket, 'data');
  socket.pause();
  return socket;
};

const exportRequest = `GET ${EXPORT} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const body = JSON.stringify(CONFIG.input);
const previewRequest = `POST ${PREVIEW} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('export', () => {
  test('a large archive arrives whole', async () => {
    const server = await start();
    const chunk = Buffer.alloc(MIB, 7);
    server.owner.answers['configs.export'] = Readable.from([chunk, chunk, chunk, chunk, chunk]);
    const bytes = await (await fetch(`${server.url}${EXPORT}`)).arrayBuffer();
    expect(bytes.byteLength).toBe(5 * MIB);
  });

  test('a client that goes away ends the archive, even while it waits for more', async () => {
    const server = await start();
    const gone = signal();
    const source = new Readable({ read: () => {}, destroy: onDestroy(gone) });
    source.push('PK');
    server.owner.answers['configs.export'] = source;
    const socket = await openRequest(server.port, exportRequest);
    socket.destroy();
    await gone.done;
    expect(source.destroyed).toBe(true);
    expect(server.log.lines).toEqual([]);
  });

  test('a client that goes away before its archive is there ends it too', async () => {
    const asked = signal();
    const gone = signal();
    const answer = signal();
    const source = new Readable({ read: () => {}, destroy: onDestroy(gone) });
    const server = await start({
      ask: (async () => {
        asked.fire();
        await answer.done;
        return E.right(source);
      }) as unknown as Ask,
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(exportRequest);
    await asked.done;
    socket.resetAndDestroy();
    // One more round trip on another connection, so that the server has seen the end of the first.
    await rawRequest(server.port, 'GET', '/nothing');
    answer.fire();
    await gone.done;
    expect(source.destroyed).toBe(true);
  });

  test('an archive that fails at once is an error like any other', async () => {
    const server = await start();
    server.owner.answers['configs.export'] = new Readable({
      read() {
        this.destroy(new Error('disk'));
      },
    });
    const response = await fetch(`${server.url}${EXPORT}`);
    expect(response.status).toBe(500);
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(await response.json()).toMatchObject({ code: 'bug' });
    expect(server.log.lines).toEqual([{ level: 'critical', message: expect.stringContaining('disk') }]);
  });

  test('an archive that fails half way is never taken for a whole one', async () => {
    const server = await start();
    const source = new Readable({ read: () => {} });
    source.push('PK');
    server.owner.answers['configs.export'] = source;
    const response = await fetch(`${server.url}${EXPORT}`);
    source.destroy(new Error('disk'));
    await expect(response.text()).rejects.toThrow();
  });

  test('HEAD makes no archive', async () => {
    const server = await start();
    const source = new Readable({ read: () => {} });
    server.owner.answers['configs.export'] = source;
    const response = await fetch(`${server.url}${EXPORT}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain('web.zip');
    expect(source.destroyed).toBe(true);
  });
});

describe('preview', () => {
  test('a client that reads nothing stops the making, one that goes away ends it', async () => {
    const server = await start();
    const ended = signal();
    // Far more than the buffers of a socket hold.
    const size = 200;
    let made = 0;
    const source = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (; made < size; made += 1) yield Buffer.alloc(MIB);
      } finally {
        ended.fire();
      }
    };
    server.owner.answers['preview.timestamps'] = source();
    const socket = await openRequest(server.port, previewRequest);
    await rawRequest(server.port, 'GET', '/nothing');
    expect(made).toBeLessThan(size);
    socket.destroy();
    await ended.done;
    expect(made).toBeLessThan(size);
  });

  test('an empty answer is an empty body', async () => {
    const server = await start();
    server.owner.answers['preview.timestamps'] = (async function* () {})();
    const response = await fetch(`${server.url}${PREVIEW}`, { method: 'POST', body: Buffer.from(body) });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

test('an owner that throws is a bug: 500 without its text, and the log has it', async () => {
  const server = await start({
    ask: () => {
      throw new Error('secret detail');
    },
  });
  const response = await fetch(`${server.url}/api/health`);
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'bug' });
  expect(text).not.toContain('secret detail');
  expect(server.log.lines).toEqual([
    { level: 'critical', message: expect.stringContaining('secret detail') },
  ]);
});
