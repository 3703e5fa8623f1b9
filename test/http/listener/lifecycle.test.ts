import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { drawToken } from '../../../src/adapters/entropy.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { makeServer } from '../../../src/http/listener/server.js';
import type { Ask, Requests } from '../../../src/messages/ask.js';
import {
  CONTRACT,
  LOCAL,
  memoryLog,
  memoryUploads,
  rawRequest,
  sendRaw,
  startServer,
  type TestServer,
  VERSION,
} from '../support.js';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});
const start = async (config: Parameters<typeof startServer>[0] = {}): Promise<TestServer> => {
  const server = await startServer(config);
  running.push(server);
  return server;
};

/** An owner that answers only when told to. */
const slowOwner = () => {
  let answer = (): void => {};
  let asked = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const ask: Ask = (type) =>
    new Promise((resolve) => {
      const health = { status: 'ok', uptime_seconds: 1 } as unknown as Requests[typeof type]['answer'];
      answer = () => resolve(E.right(health));
      asked();
    });
  return { ask, isAsked, answer: () => answer() };
};

describe('start and stop', () => {
  test('an address in use is an error that names it', async () => {
    const { port } = await start();
    const second = makeServer({
      host: '127.0.0.1',
      port,
      auth: LOCAL,
      tls: null,
      drawToken,
      routes: CONTRACT.routes,
      openapi: CONTRACT.openapi,
      ask: slowOwner().ask,
      uploads: memoryUploads(),
      log: memoryLog(),
      clock: systemClock,
      version: VERSION,
    });
    expect(await second.start()).toMatchObject({
      left: { code: 'unavailable', message: expect.stringContaining(`127.0.0.1:${port}`) },
    });
    await second.stop(0);
  });

  test('a request at work is answered, a connection at rest is closed, then nothing listens', async () => {
    const owner = slowOwner();
    const { port, server } = await start({ ask: owner.ask });
    const idle = connect(port, '127.0.0.1');
    const idleClosed = once(idle, 'close');
    idle.resume();
    const working = rawRequest(port, 'GET', '/api/health').catch(() => null);
    await owner.isAsked;
    const stopped = server.stop(60_000);
    await idleClosed;
    owner.answer();
    expect((await working)?.status).toBe(200);
    await stopped;
    await expect(sendRaw(port, 'x')).rejects.toThrow('ECONNREFUSED');
  });

  test('a kept connection is closed after the answer under way', async () => {
    const owner = slowOwner();
    const { port, server } = await start({ ask: owner.ask });
    const kept = sendRaw(port, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await owner.isAsked;
    const stopped = server.stop(60_000);
    owner.answer();
    expect((await kept).status).toBe(200);
    await stopped;
  });

  test('a second request on a connection is turned away once the service stops', async () => {
    const owner = slowOwner();
    const { port, server } = await start({ ask: owner.ask });
    const request = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.write(request);
    await owner.isAsked;
    const stopped = server.stop(60_000);
    socket.write(request);
    owner.answer();
    await once(socket, 'close');
    await stopped;
    expect(received.match(/HTTP\/1.1 (\d+)/g)?.[0]).toBe('HTTP/1.1 200');
    expect(received).not.toContain('HTTP/1.1 500');
  });

  test('what is not done at the deadline is cut', async () => {
    const owner = slowOwner();
    const { port, server } = await start({ ask: owner.ask });
    const working = sendRaw(port, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n').catch(() => null);
    await owner.isAsked;
    await server.stop(1);
    expect((await working)?.status ?? Number.NaN).toBeNaN();
  });

  test('stopping twice, or before the start, is harmless', async () => {
    const { server } = await start();
    await Promise.all([server.stop(1_000), server.stop(1_000)]);
    await server.stop(1_000);
  });
});
