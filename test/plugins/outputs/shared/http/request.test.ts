import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as net from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../../src/adapters/systemClock.js';
import { makeAgent } from '../../../../../src/plugins/outputs/shared/http/agent.js';
import {
  type HttpClient,
  type HttpReply,
  type HttpRequest,
  makeHttpClient,
} from '../../../../../src/plugins/outputs/shared/http/request.js';
import type { Clock } from '../../../../../src/ports/clock.js';
import { fakeClock } from '../../../../support/clocks/fakeClock.js';
import { right } from '../../../../support/either.js';
import { type Respond, type ScriptedHttp, scriptedHttp } from '../../../../support/servers/scriptedHttp.js';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const serve = async (respond?: Respond): Promise<ScriptedHttp> => {
  const server = await scriptedHttp(respond);
  closers.push(server.close);
  return server;
};

const clientOf = (port: number, clock: Clock = systemClock): HttpClient => {
  const agent = makeAgent({
    isTls: false,
    authority: `127.0.0.1:${port}`,
    tls: { rejectUnauthorized: true },
    proxy: null,
    connect_timeout_ms: 10_000,
    pool_maxsize: 4,
    clock,
  });
  const client = makeHttpClient(agent, clock);
  closers.push(client.close);
  return client;
};

const requestTo = (port: number, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: new URL(`http://127.0.0.1:${port}/in?a=b`),
  headers: { 'X-Test': 'yes' },
  body: [Buffer.from('one,'), Buffer.from('two')],
  signal: new AbortController().signal,
  limit_ms: 60_000,
  limit_name: 'request_timeout',
  ...more,
});

describe('a request', () => {
  test('sends method, address, headers and the pieces of the body; returns status, headers and text', async () => {
    const server = await serve((_, response) => void response.writeHead(418, { 'X-Reply': 'r' }).end('tea'));
    const reply = right(await clientOf(server.port).send(requestTo(server.port)));
    expect(reply).toMatchObject({ status: 418, text: 'tea', isCut: false, sent_bytes: 7 });
    expect(reply.headers['x-reply']).toBe('r');
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        url: '/in?a=b',
        body: 'one,two',
        headers: { 'x-test': 'yes', 'content-length': '7' },
      },
    ]);
  });

  test('is compressed on demand and says so', async () => {
    const server = await serve();
    const body = [Buffer.from('same '.repeat(10_000))];
    const reply = right(await clientOf(server.port).send(requestTo(server.port, { body, isGzip: true })));
    expect(server.seen).toMatchObject([
      { body: 'same '.repeat(10_000), bytes: reply.sent_bytes, headers: { 'content-encoding': 'gzip' } },
    ]);
    expect(reply.sent_bytes).toBeLessThan(5_000);
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s needs no body',
    async (method) => {
      const server = await serve();
      const reply = right(await clientOf(server.port).send(requestTo(server.port, { method, body: [] })));
      expect(reply.status).toBe(200);
      expect(server.seen).toMatchObject([{ method, body: '' }]);
    },
  );

  test('uses the connection of the one before, however long its reply was', async () => {
    const server = await serve((_, response) => void response.end('x'.repeat(3_000_000)));
    const client = clientOf(server.port);
    for (let round = 0; round < 5; round++) {
      const reply = right(await client.send(requestTo(server.port)));
      expect([reply.text.length, reply.isCut]).toEqual([65_536, true]);
    }
    const whole = right(await client.send(requestTo(server.port, { max_reply_bytes: 3_000_000 })));
    expect([whole.text.length, whole.isCut]).toEqual([3_000_000, false]);
    expect([server.seen.length, server.connections()]).toEqual([6, 1]);
  });

  test('a redirect is a reply as others', async () => {
    const server = await serve((_, response) => void response.writeHead(307, { Location: '/else' }).end());
    expect(right(await clientOf(server.port).send(requestTo(server.port)))).toMatchObject({
      status: 307,
      headers: { location: '/else' },
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a request without a reply', () => {
  test('to a closed port says so', async () => {
    const server = await serve();
    await server.close();
    expect(await clientOf(server.port).send(requestTo(server.port))).toMatchObject({
      left: { origin: 'ECONNREFUSED', isRetryable: true },
    });
  });

  test('ends after its limit, with the name of the limit', async () => {
    const clock = fakeClock();
    const server = await serve(() => {});
    const sending = clientOf(server.port, clock).send(requestTo(server.port));
    while (server.seen.length === 0) await clock.settle();
    await clock.advanceMs(60_000);
    expect(await sending).toMatchObject({
      left: { what: 'no reply within request_timeout (60 s)', isRetryable: true },
    });
  });

  test('ends with the signal, also while it waits for the rest of a reply; the client stays usable', async () => {
    const server = await serve((_, response) => void response.write('half'));
    const client = clientOf(server.port);
    const ending = new AbortController();
    const sending = client.send(requestTo(server.port, { signal: ending.signal }));
    while (server.seen.length === 0) await systemClock.yieldTurn();
    ending.abort();
    expect(await sending).toMatchObject({ left: { what: expect.stringContaining('ended') } });
    expect(await client.send(requestTo(server.port, { signal: ending.signal }))).toMatchObject({
      _tag: 'Left',
    });
    server.respond((_, response) => void response.end('fine'));
    expect(right(await client.send(requestTo(server.port))).text).toBe('fine');
    expect(server.seen).toHaveLength(2);
  });

  test('ends when the client closes; later ones start nothing', async () => {
    const server = await serve(() => {});
    const client = clientOf(server.port);
    const sending = client.send(requestTo(server.port));
    while (server.seen.length === 0) await systemClock.yieldTurn();
    client.close();
    expect(E.isLeft(await sending)).toBe(true);
    expect(E.isLeft(await client.send(requestTo(server.port)))).toBe(true);
    expect(server.seen).toHaveLength(1);
  });

  test('a half-sent body ends with a reset, not with an end that makes it look whole', async () => {
    const outcome: string[] = [];
    const server = net.createServer((socket) => {
      socket.once('data', () => socket.pause());
      socket
        .on('error', (error: NodeJS.ErrnoException) => outcome.push(error.code ?? ''))
        .on('end', () => outcome.push('end'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closers.push(() => server.close());
    const { port } = server.address() as net.AddressInfo;
    const ending = new AbortController();
    const connected = once(server, 'connection');
    const sending = clientOf(port).send(
      requestTo(port, { body: [randomBytes(30_000_000)], signal: ending.signal }),
    );
    const [socket] = (await connected) as [net.Socket];
    await once(socket, 'data');
    ending.abort();
    expect(E.isLeft(await sending)).toBe(true);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(outcome).toEqual(['ECONNRESET']);
  });
});

test('a server that replies before it has read the body is believed, and its connection is not used again', async () => {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 8\r\n\r\ntoo much');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => server.close());
  const { port } = server.address() as net.AddressInfo;
  const client = clientOf(port);
  for (let round = 0; round < 2; round++) {
    const reply: HttpReply = right(await client.send(requestTo(port, { body: [randomBytes(30_000_000)] })));
    expect([reply.status, reply.text]).toEqual([413, 'too much']);
  }
  expect(connections).toBe(2);
});
