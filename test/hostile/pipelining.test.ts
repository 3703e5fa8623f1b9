import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../http/support.js';

const REQUESTS = 3_000;
const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const GLOBALS = '/api/scenarios/s/globals';
/** More than the buffers of both sockets. */
const LARGE = { globals: { a: 'x'.repeat(500_000) }, etag: 'v1' };

const open: { socket?: Socket; served: TestServer }[] = [];
afterEach(async () => {
  for (const { socket, served } of open.splice(0)) {
    socket?.destroy();
    await served.server.stop(0);
  }
});

const serve = async (config: Parameters<typeof startServer>[0] = {}) => {
  const served = await startServer(config);
  served.owner.answers['globals.read'] = LARGE;
  open.push({ served });
  return served;
};

const client = (served: TestServer): Socket => {
  const socket = connect(served.port, '127.0.0.1');
  socket.on('error', () => {});
  open.push({ socket, served });
  return socket;
};

/** Resolves after many requests of other connections: the server has settled. */
const settle = async ({ url }: TestServer): Promise<void> => {
  for (let i = 0; i < 50; i++) await (await fetch(`${url}/api/health`)).text();
};

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

describe('a client that sends thousands of requests and reads no answer', () => {
  test('has few of them handled, with the memory of one response', async () => {
    const served = await serve();
    const before = process.memoryUsage().rss;
    const socket = client(served).pause();
    socket.write(ask(GLOBALS).repeat(REQUESTS));
    await settle(served);
    expect(served.owner.asked.filter(({ type }) => type === 'globals.read').length).toBeLessThan(50);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test('costs nothing with the OpenAPI document: all responses share its bytes', async () => {
    const served = await serve();
    const before = process.memoryUsage();
    for (let i = 0; i < 20; i++) client(served).pause().write(ask('/api/openapi.json').repeat(500));
    await settle(served);
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(30_000_000);
  });

  test('is disconnected when too many requests of all clients wait', async () => {
    const served = await serve({ limits: { max_waiting_requests: 100 } });
    const socket = client(served).pause();
    socket.write(ask(GLOBALS).repeat(REQUESTS));
    await closed(socket.resume());
    expect((await fetch(`${served.url}/api/health`)).status).toBe(200);
  });

  test('is disconnected before others when the responses wait with too many bytes', async () => {
    const served = await serve({ limits: { max_unsent_bytes: 1_000_000 } });
    served.owner.answers['globals.read'] = { globals: { a: 'x'.repeat(8_000_000) }, etag: 'v1' };
    const slow = client(served).pause();
    slow.write(ask(GLOBALS));
    await settle(served);
    const gone = closed(slow.resume());
    expect((await fetch(`${served.url}/api/health`)).status).toBe(200);
    await gone;
  });
});

describe('a client that reads', () => {
  test('gets every answer, in order, however many requests it sent at once', async () => {
    const served = await serve();
    served.owner.answers['globals.read'] = { globals: { a: 'x'.repeat(20_000) }, etag: 'v1' };
    const socket = client(served);
    let answers = 0;
    let rest = '';
    const all = new Promise<void>((resolve) => {
      socket.setEncoding('latin1').on('data', (text: string) => {
        const parts = (rest + text).split('HTTP/1.1 200 OK');
        rest = parts.pop() ?? '';
        answers += parts.length;
        if (answers === REQUESTS && rest.endsWith('}')) resolve();
      });
    });
    socket.write(ask(GLOBALS).repeat(REQUESTS));
    await all;
    expect(served.owner.asked.filter(({ type }) => type === 'globals.read')).toHaveLength(REQUESTS);
  });

  test('that waited before it read gets every answer too', async () => {
    const served = await serve();
    const socket = client(served).pause();
    socket.write(ask(GLOBALS).repeat(40));
    await settle(served);
    let bytes = 0;
    const all = new Promise<void>((resolve) => {
      socket.resume().on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > 40 * 500_000 && chunk.at(-1) === '}'.charCodeAt(0)) resolve();
      });
    });
    await all;
    expect(bytes).toBeLessThan(40 * 502_000);
  });

  test('sends bodies behind one another', async () => {
    const served = await serve();
    const socket = client(served);
    const put = `PUT ${GLOBALS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100009\r\n\r\n{"a":"${'y'.repeat(100_000)}"} `;
    let text = '';
    const all = new Promise<void>((resolve) => {
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
        if (text.split('HTTP/1.1 ').length === 31) resolve();
      });
    });
    socket.write(put.repeat(30));
    await all;
    expect(served.owner.asked.filter(({ type }) => type === 'globals.change')).toHaveLength(30);
  });
});

test('the OpenAPI document has an entity tag: a current copy is not sent again', async () => {
  const served = await serve();
  const url = `${served.url}/api/openapi.json`;
  const first = await fetch(url);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  const again = await fetch(url, { headers: { 'if-none-match': `"other", W/${etag}` } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});
