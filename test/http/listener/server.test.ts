import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Ask } from '../../../src/messages/ask.js';
import { eventually } from '../../support/instance.js';
import { CONFIG, CONTRACT, rawRequest, sendRaw, startServer, type TestServer } from '../support.js';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});
const start = async (config: Parameters<typeof startServer>[0] = {}): Promise<TestServer> => {
  const server = await startServer(config);
  running.push(server);
  return server;
};

const GLOBALS = '/api/scenarios/s/globals';
const MIB = 1_048_576;

describe('paths and methods', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/nothing',
    '/API/health',
    '/api/Health',
    '/api//health',
    '/apix/health',
  ])('%s is 404 in JSON', async (path) => {
    const answer = await rawRequest((await start()).port, 'GET', path);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toEqual({
      detail: expect.stringContaining('/api/docs'),
      code: 'not_found',
    });
  });

  test.each([
    ['DELETE', '/api/generator-configs/', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/instance/settings', 'GET, HEAD, OPTIONS, PUT'],
    ['GET', '/api/generators/g/start', 'OPTIONS, POST'],
    ['HEAD', '/api/generators/g/start', 'OPTIONS, POST'],
    ['PATCH', '/api/docs', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/api/health', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/api/health', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const answer = await rawRequest((await start()).port, method, path);
    expect(answer.status).toBe(405);
    expect(answer.head).toContain(`Allow: ${allow}\r\n`);
    if (method !== 'HEAD') expect(JSON.parse(answer.body)).toMatchObject({ code: 'method_not_allowed' });
  });

  test('OPTIONS says what is allowed and opens nothing to other sites', async () => {
    const { url, owner } = await start();
    const response = await fetch(`${url}${GLOBALS}`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(owner.asked).toEqual([]);
  });

  test('OPTIONS of everything, and a target with its authority, get an answer', async () => {
    const { port } = await start();
    expect((await rawRequest(port, 'OPTIONS', '*')).status).toBe(404);
    expect((await rawRequest(port, 'GET', 'http://localhost/api/health')).status).toBe(200);
  });

  test('nothing tells what the service is built with', async () => {
    const { head } = await rawRequest((await start()).port, 'GET', '/api/health');
    expect(head).not.toMatch(/express|x-powered-by|node/i);
  });

  test('without the UI there is nothing at /, and the API and its pages are as ever', async () => {
    const { url, port } = await start({ ui: null });
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
      expect([method, (await rawRequest(port, method, '/')).status]).toEqual([method, 404]);
    const response = await fetch(`${url}/`);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
    for (const path of ['/api/docs', '/api/openapi.json', '/api/health'])
      expect((await fetch(`${url}${path}`)).status).toBe(200);
  });

  test('the document and the pages are served', async () => {
    const { url } = await start();
    expect(await (await fetch(`${url}/api/openapi.json`)).json()).toEqual(CONTRACT.openapi());
    for (const path of ['/api/docs', '/api/docs/']) {
      const response = await fetch(`${url}${path}`);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await response.text()).toContain('/api/openapi.json');
    }
  });
});

describe('media types', () => {
  const send = async (headers: Record<string, string>, path = GLOBALS, method = 'PATCH') => {
    const { url, owner } = await start();
    // A byte body has no content type of its own.
    const body = Buffer.from(path === GLOBALS ? '{}' : JSON.stringify(CONFIG));
    return { response: await fetch(`${url}${path}`, { method, headers, body }), owner };
  };

  test.each([
    [{}],
    [{ 'content-type': 'application/json' }],
    [{ 'content-type': 'APPLICATION/JSON ; Charset="UTF-8"' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'identity' }],
  ])('%j is taken', async (headers) => {
    expect((await send(headers)).response.status).toBe(200);
  });

  test.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'text/json' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/jsonx' }],
    [{ 'content-type': 'application/json; charset=latin1' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('%j is 415', async (headers) => {
    const { response, owner } = await send(headers);
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
    expect(owner.asked).toEqual([]);
  });

  test('a merge patch is taken by globals only', async () => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    expect((await send(headers)).response.status).toBe(200);
    expect((await send(headers, '/api/generator-configs/web', 'PUT')).response.status).toBe(415);
  });
});

describe('sizes', () => {
  const jsonOf = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

  test('a body of exactly the limit is taken', async () => {
    const { url } = await start();
    expect((await fetch(`${url}${GLOBALS}`, { method: 'PUT', body: Buffer.from(jsonOf(MIB)) })).status).toBe(
      200,
    );
  });

  test.each([
    ['PATCH', GLOBALS],
    ['PUT', GLOBALS],
    ['POST', '/api/generator-configs/web'],
    ['PUT', '/api/generator-configs/web'],
    ['PUT', '/api/instance/settings'],
    ['POST', '/api/preview/web/input-plugins/generate'],
  ])('one byte more is 413: %s %s', async (method, path) => {
    const { url, owner } = await start();
    const response = await fetch(`${url}${path}`, { method, body: Buffer.from(jsonOf(MIB + 1)) });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ detail: expect.stringContaining('1048576'), code: 'too_large' });
    expect(owner.asked).toEqual([]);
  });

  test('a body without a length is counted while it comes', async () => {
    const { port } = await start();
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const head = `PATCH ${GLOBALS} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await sendRaw(port, `${head}${chunk.repeat(17)}0\r\n\r\n`);
    expect(answer.status).toBe(413);
  });
});

describe('depth', () => {
  const JSON_ROWS = CONTRACT.routes.flatMap(({ method, path, body }) =>
    body?.kind === 'json'
      ? [[method.toUpperCase(), `/api${path.replace(/\{\w+\+?\}/g, 'x')}`, body.limit_bytes] as const]
      : [],
  );

  test.each(JSON_ROWS)('%s %s: brackets up to the limit of %d bytes', async (method, path, bytes) => {
    const { url, owner, log } = await start();
    const half = bytes / 2;
    for (const body of ['['.repeat(bytes), '{"a":'.repeat(bytes / 5), '['.repeat(half) + ']'.repeat(half)]) {
      const response = await fetch(`${url}${path}`, { method, body: Buffer.from(body) });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'too_deep' }] });
    }
    expect([owner.asked, log.lines]).toEqual([[], []]);
  });

  test.each([
    ['brackets in texts', JSON.stringify({ a: '[{"\\'.repeat(1_000), b: '\\"['.repeat(500) })],
    ['many lists beside each other', JSON.stringify({ a: Array(1_000).fill([[]]) })],
  ])('%s are no depth', async (_name, body) => {
    const { url } = await start();
    expect((await fetch(`${url}${GLOBALS}`, { method: 'PUT', body: Buffer.from(body) })).status).toBe(200);
  });
});

test('headers that are too large are refused', async () => {
  const { port, owner } = await start();
  const answer = await rawRequest(port, 'GET', '/api/health', [`X-Long: ${'x'.repeat(20_000)}`]);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    431,
    { detail: expect.stringContaining('too large'), code: 'too_large' },
  ]);
  expect(owner.asked).toEqual([]);
});

describe('when all connections are in use', () => {
  const LIMITS = { max_connections: 10, reserved_connections: 0 };
  const HALF_BODY = `PUT ${GLOBALS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;

  /** Connections of a client with an address of its own, in the order in which the server has them. */
  const silent = async (port: number, count: number, localAddress: string, text = ''): Promise<Socket[]> => {
    const open: Socket[] = [];
    for (let index = 0; index < count; index++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      if (text !== '') socket.write(text);
      open.push(socket);
    }
    return open;
  };
  /** Requests that are not answered, each under way before the next connects. */
  const held = () => {
    let count = 0;
    const ask = (() => {
      count++;
      return new Promise(() => undefined);
    }) as unknown as Ask;
    const request = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const busy = async (port: number, wanted: number, localAddress: string): Promise<Socket[]> => {
      const open: Socket[] = [];
      for (let index = 0; index < wanted; index++) {
        const before = count;
        open.push(...(await silent(port, 1, localAddress, request)));
        await eventually(async () => (count > before ? true : null), 'a request under way');
      }
      return open;
    };
    return { ask, busy };
  };
  const end = (sockets: readonly Socket[]): void => {
    for (const socket of sockets) socket.destroy();
  };

  test.each([
    ['silent connections', ''],
    ['half requests', 'GET /api/health HTTP/1.1\r\nHost: local'],
    ['half bodies', HALF_BODY],
  ])('%s of one client make room for others, the oldest first', async (_what, text) => {
    const { port } = await start({ limits: LIMITS });
    const open = await silent(port, 10, '127.0.0.2', text);
    const [oldest, newest] = [open[0], open.at(-1)];
    for (let turn = 0; turn < 3; turn++)
      expect((await rawRequest(port, 'GET', '/api/health')).status).toBe(200);
    await eventually(async () => (oldest?.closed === true ? true : null), 'the oldest is closed');
    expect(newest?.closed).toBe(false);
    end(open);
  });

  test('requests under way stay, however many silent connections come, and then no client is taken', async () => {
    const { ask, busy } = held();
    const { port } = await start({ limits: LIMITS, ask });
    const under = await busy(port, 5, '127.0.0.3');
    const idle = await silent(port, 40, '127.0.0.2');
    under.push(...(await busy(port, 5, '127.0.0.4')));
    const [refused] = await silent(port, 1, '127.0.0.5');
    await eventually(async () => (refused?.closed === true ? true : null), 'one more is closed');
    expect(under.map(({ closed }) => closed)).toEqual(under.map(() => false));
    end([...under, ...idle]);
  });

  test('a client with more than half of all loses its oldest to another one', async () => {
    const { ask, busy } = held();
    const { port } = await start({ limits: LIMITS, ask });
    const greedy = await busy(port, 10, '127.0.0.2');
    const others = await busy(port, 1, '127.0.0.3');
    await eventually(async () => (greedy[0]?.closed === true ? true : null), 'the oldest is closed');
    expect([...greedy.slice(1), ...others].filter(({ closed }) => closed)).toEqual([]);
    end([...greedy, ...others]);
  });

  test('this machine has some in reserve', async () => {
    const { ask, busy } = held();
    const { port } = await start({ limits: { max_connections: 4, reserved_connections: 2 }, ask });
    const under = await busy(port, 6, '127.0.0.2');
    const [refused] = await silent(port, 1, '127.0.0.2');
    await eventually(async () => (refused?.closed === true ? true : null), 'one more is closed');
    expect(under.filter(({ closed }) => closed)).toEqual([]);
    end(under);
  });
});

test('too many headers are refused, never dropped: the last could be the one of a proxy', async () => {
  const { port, owner } = await start();
  const some = (count: number): string[] => Array.from({ length: count }, (_, i) => `X-${i}: 1`);
  expect((await rawRequest(port, 'GET', '/api/health', some(98))).status).toBe(200);
  const answer = await rawRequest(port, 'GET', '/api/health', [...some(98), 'X-Forwarded-For: 1.2.3.4']);
  expect(answer.status).toBe(431);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'too_large' });
  expect(owner.asked).toHaveLength(1);
});

describe('slow and silent clients', () => {
  test('headers that do not come are answered 408 and the connection is closed', async () => {
    const { port } = await start({
      limits: { headers_timeout_ms: 20, request_timeout_ms: 40, check_interval_ms: 10 },
    });
    const answer = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: local');
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'timed_out' });
  });

  test('a body that does not come is answered 408', async () => {
    const { port } = await start({
      limits: { headers_timeout_ms: 20, request_timeout_ms: 40, check_interval_ms: 10 },
    });
    const answer = await sendRaw(
      port,
      `PATCH ${GLOBALS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{`,
    );
    expect(answer.status).toBe(408);
  });

  test('a client that goes away in the middle of its body asks nothing', async () => {
    const { port, owner, log } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.end(`PATCH ${GLOBALS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{`);
    socket.resume();
    await once(socket, 'close');
    expect(owner.asked).toEqual([]);
    expect(log.lines).toEqual([]);
  });
});
