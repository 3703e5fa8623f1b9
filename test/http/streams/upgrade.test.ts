import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Admission, Auth } from '../../../src/http/access/auth.js';
import { LOCAL, oneUser, sendRaw, startServer, type TestServer } from '../support.js';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});

const AUTH: Auth = oneUser('ann', 'pw');
const RIGHT = `Authorization: Basic ${Buffer.from('ann:pw').toString('base64')}`;

/** A server that takes over every connection that is let in, says so, and ends it. */
const start = async (auth: Auth = AUTH) => {
  const admitted: Admission[] = [];
  const server = await startServer({
    auth,
    upgrade: (_request, socket, _head, admission) => {
      admitted.push(admission);
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    },
  });
  running.push(server);
  const ask = (...headers: readonly string[]) =>
    sendRaw(
      server.port,
      [
        'GET /api/x HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        ...headers,
        '',
        '',
      ].join('\r\n'),
    );
  const cookie = async (): Promise<string> => {
    const response = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { authorization: RIGHT.slice('Authorization: '.length) },
    });
    return `Cookie: ${(response.headers.get('set-cookie') ?? '').split(';')[0]}`;
  };
  return { ...server, admitted, ask, cookie };
};

describe('a request for a WebSocket', () => {
  test('passes with credentials, and says who it is', async () => {
    const { ask, admitted } = await start();
    expect((await ask(RIGHT)).status).toBe(101);
    expect(admitted.map(({ user }) => user)).toEqual(['ann']);
  });

  test('is refused without, in the form of every other error', async () => {
    const { ask, admitted } = await start();
    const { status, head, body } = await ask();
    expect([status, JSON.parse(body)]).toEqual([
      401,
      { detail: expect.stringContaining('missing'), code: 'unauthenticated' },
    ]);
    expect(head).toMatch(/www-authenticate: basic/i);
    expect(admitted).toEqual([]);
  });

  test('passes with a session from a page of this service only', async () => {
    const { ask, cookie, port } = await start();
    const session = await cookie();
    expect((await ask(session, 'Origin: http://localhost')).status).toBe(101);
    expect((await ask(session, 'Sec-Fetch-Site: same-origin')).status).toBe(101);
    expect((await ask(session)).status).toBe(403);
    expect((await ask(session, `Origin: http://localhost:${port + 1}`)).status).toBe(403);
    expect((await ask(session, 'Origin: https://evil.com')).status).toBe(403);
  });

  test('of a page of another site is refused with credentials too', async () => {
    const { ask } = await start();
    expect((await ask(RIGHT, 'Origin: https://evil.com')).status).toBe(403);
  });

  test('learns when its session expires', async () => {
    const { ask, cookie, admitted, url } = await start();
    const session = await cookie();
    await ask(session, 'Sec-Fetch-Site: same-origin');
    const [admission] = admitted;
    expect(admission?.isStillAdmitted()).toBe(true);
    await fetch(`${url}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: session.slice('Cookie: '.length) },
    });
    expect(admission?.isStillAdmitted()).toBe(false);
  });

  test('without credentials in the settings is served on this machine', async () => {
    const { ask } = await start(LOCAL);
    expect((await ask()).status).toBe(101);
    expect((await ask('X-Forwarded-For: 1.2.3.4')).status).toBe(403);
  });

  test('with too many headers is refused', async () => {
    const { ask } = await start();
    expect((await ask(RIGHT, ...Array.from({ length: 100 }, (_, i) => `X-${i}: 1`))).status).toBe(431);
  });
});

test('connections that were taken over are closed when the service stops', async () => {
  let take = (): void => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  const { server, port } = await startServer({ upgrade: take });
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  );
  socket.on('error', () => {});
  socket.resume();
  const closed = once(socket, 'close');
  await taken;
  await server.stop(10);
  await closed;
});

describe('a request for another protocol', () => {
  const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
  const GLOBALS = '/api/scenarios/s/globals';
  const put = (more: string): string =>
    `PUT ${GLOBALS} HTTP/1.1\r\nHost: localhost\r\n${RIGHT}\r\nContent-Length: 7\r\n${more}\r\n{"a":1}`;
  const last = `GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

  test('is answered like a plain request, body and next requests included', async () => {
    const { port, owner } = await start();
    const first = `GET /api/generators/g HTTP/1.1\r\nHost: localhost\r\n${RIGHT}\r\n${H2C}\r\n`;
    const { head, body } = await sendRaw(port, `${first}${put(H2C)}${put('')}${last}`);
    expect(`${head}${body}`.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(4).fill('HTTP/1.1 200'));
    const bodies = owner.asked.filter(({ type }) => type === 'globals.change');
    expect([owner.asked.length, bodies.map(({ payload }) => payload)]).toEqual([
      4,
      Array(2).fill(expect.objectContaining({ change: { kind: 'replace', values: { a: 1 } } })),
    ]);
  });

  test('needs the same credentials', async () => {
    const { port, owner } = await start();
    const { status } = await sendRaw(
      port,
      `GET /api/generators/g HTTP/1.1\r\nHost: localhost\r\n${H2C}\r\n${last}`,
    );
    expect([status, owner.asked.map(({ type }) => type)]).toEqual([401, ['instance.health']]);
  });

  test('whose body comes later gets its answer', async () => {
    const { port, owner } = await start();
    const [head = '', body = ''] = put(H2C).split(/(?<=\r\n\r\n)/);
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    await once(socket, 'connect');
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(body);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200/);
    expect(owner.asked).toHaveLength(1);
  });
});

test('a service that takes no WebSockets answers such a request as any other', async () => {
  const served = await startServer();
  running.push(served);
  const answer = await sendRaw(
    served.port,
    'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'.replace(
      'Connection: Upgrade',
      'Connection: Upgrade, close',
    ),
  );
  expect(answer.status).toBe(200);
});
