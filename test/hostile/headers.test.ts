import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sendRaw, startServer, type TestServer } from '../http/support.js';

let served: TestServer;
beforeAll(async () => {
  served = await startServer();
});
afterAll(() => served.server.stop(1_000));
beforeEach(() => {
  served.owner.asked.length = 0;
});

const OWN = 'Host: localhost';
const send = (lines: readonly string[], body = '') =>
  sendRaw(served.port, `${lines.join('\r\n')}\r\n\r\n${body}`);

const PATH = '/api/scenarios/s/globals';
const put = (...headers: readonly string[]) => [`PUT ${PATH} HTTP/1.1`, OWN, ...headers];
const get = (...headers: readonly string[]) => [`GET ${PATH} HTTP/1.1`, ...headers];
const WEBSOCKET = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

describe('an ambiguous request is 400, and its connection closes', () => {
  const cases: readonly (readonly [name: string, lines: readonly string[], body?: string])[] = [
    ['two Host headers, the first its own', get(OWN, 'Host: evil.example')],
    ['two Host headers, the second its own', get('Host: evil.example', OWN)],
    ['the same Host header twice', get(OWN, OWN)],
    ['no Host header', get()],
    ['a Host that is no host', get('Host: localhost/@evil.example')],
    ['a Host with a blank', get('Host: local host')],
    ['two Host headers of a WebSocket', get(OWN, 'Host: evil.example', ...WEBSOCKET)],
    ['two Authorization headers', get(OWN, 'Authorization: Basic YTpi', 'authorization: Basic Yzpk')],
    ['two Origin headers', get(OWN, 'Origin: http://localhost', 'Origin: http://evil.example')],
    [
      'two content types',
      put('Content-Type: application/json', 'Content-Type: text/plain', 'Content-Length: 2'),
      '{}',
    ],
    ['two content lengths', put('Content-Length: 2', 'Content-Length: 3'), '{} '],
    ['the same content length twice', put('Content-Length: 2', 'Content-Length: 2'), '{}'],
    ['a list of content lengths', put('Content-Length: 2, 2'), '{}'],
    ['a length and chunks', put('Content-Length: 2', 'Transfer-Encoding: chunked'), '0\r\n\r\n'],
    ['chunks in HTTP/1.0', [`PUT ${PATH} HTTP/1.0`, OWN, 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a coding of the body that is not chunks', put('Transfer-Encoding: gzip'), '{}'],
    ['a header over two lines', get('Host: localhost', ' .evil.example')],
    ['a blank before the colon', get('Host : localhost')],
    ['a user in an absolute target', [`GET http://ann@localhost${PATH} HTTP/1.1`, OWN]],
  ];

  test.each(cases.map(([name, lines, body = '']) => ({ name, lines, body })))(
    '$name',
    async ({ lines, body }) => {
      const answer = await send(lines, body);
      expect(answer.status).toBe(400);
      expect(answer.head).toMatch(/^connection: close$/im);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid' });
      expect(served.owner.asked).toEqual([]);
    },
  );
});

describe('the host of an absolute target', () => {
  const absolute = (host: string, header: string) =>
    send([`GET http://${host}${PATH} HTTP/1.1`, `Host: ${header}`, 'Connection: close']);

  test('must name this machine, not the header', async () => {
    expect((await absolute('evil.example', 'localhost')).status).toBe(403);
    expect((await absolute('localhost', 'evil.example')).status).toBe(200);
  });

  test('is compared with the origin', async () => {
    const from = (origin: string) =>
      send([
        `GET http://localhost${PATH} HTTP/1.1`,
        'Host: evil.example',
        `Origin: ${origin}`,
        'Connection: close',
      ]);
    expect((await from('http://evil.example')).status).toBe(403);
    expect((await from('http://localhost')).status).toBe(200);
  });
});

test('a request of HTTP/1.0 needs no Host, and is judged without one', async () => {
  expect((await send(['GET /api/health HTTP/1.0'])).status).toBe(403);
});
