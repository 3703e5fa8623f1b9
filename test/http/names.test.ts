import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONTRACT, rawRequest, sendRaw, startServer, type TestServer } from './support.js';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.server.stop(1_000));

/** Names that must never get further than the decoder, as they stand in the request line. */
const ATTACKS: readonly (readonly [name: string, raw: string])[] = [
  ['dot', '.'],
  ['dot dot', '..'],
  ['encoded dot dot', '%2e%2e'],
  ['half encoded dot dot', '.%2E'],
  ['encoded slash', 'a%2Fb'],
  ['climbing with encoded slashes', '..%2f..%2fetc%2fpasswd'],
  ['encoded backslash', '..%5c..'],
  ['backslash', 'a\\b'],
  ['double-encoded dot dot', '%252e%252e'],
  ['double-encoded slash', 'a%252fb'],
  ['NUL', 'a%00b'],
  ['newline', 'a%0d%0aX-Evil:1'],
  ['leading dot', '.git'],
  ['overlong UTF-8', '%c0%ae%c0%ae'],
  ['half a character', '%e4'],
  ['surrogate', '%ed%a0%80'],
  ['lone percent', '%'],
  ['bad hex', '%zz'],
  ['256 bytes', 'x'.repeat(256)],
];

const named = CONTRACT.routes.filter((route) => 'name' in route.params || 'id' in route.params);

describe('a name that is not a plain path segment is a 422 at the path, on every endpoint', () => {
  test('every endpoint with a name is tried', () => {
    expect(named.length).toBeGreaterThanOrEqual(16);
  });

  test.each(named.map((route) => [route.method.toUpperCase(), route.path] as const))(
    '%s %s',
    async (method, path) => {
      const parameter = path.includes('{name}') ? 'name' : 'id';
      for (const [attack, raw] of ATTACKS) {
        const target = `/api${path.replace(`{${parameter}}`, raw).replace('{key}', 'k').replace('{filepath+}', 'f')}`;
        const answer = await rawRequest(server.port, method, target);
        expect([attack, answer.status]).toEqual([attack, 422]);
        const { detail } = JSON.parse(answer.body) as { detail: { loc: string[] }[] };
        expect(detail[0]?.loc).toEqual(['path', parameter]);
      }
      expect(server.owner.asked).toEqual([]);
    },
  );

  test.each(['/generators//start', '/secrets//', '/generator-configs//file/f'])(
    'an empty name is no path: %s',
    async (path) => {
      expect((await rawRequest(server.port, 'POST', `/api${path}`)).status).toBe(404);
      expect(server.owner.asked).toEqual([]);
    },
  );

  test('dot segments are not resolved: what they would lead to is not reached', async () => {
    const up = await rawRequest(server.port, 'GET', '/api/generator-configs/../health');
    expect(up.status).toBe(404);
    const absolute = await rawRequest(server.port, 'GET', 'http://localhost/api/generator-configs/..');
    expect(absolute.status).toBe(422);
    expect(server.owner.asked).toEqual([]);
  });

  test('a key of the globals in bad encoding is reported at the key', async () => {
    const answer = await rawRequest(server.port, 'DELETE', '/api/scenarios/s/globals/%ff');
    expect(JSON.parse(answer.body)).toMatchObject({ detail: [{ loc: ['path', 'key'], type: 'bad_format' }] });
  });
});

describe('what is no request is answered in JSON all the same', () => {
  test.each([
    ['nonsense', 'hello\r\n\r\n', 400],
    ['a bad content length', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['huge headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_name, request, status) => {
    const answer = await sendRaw(server.port, request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String), code: expect.any(String) });
    expect(answer.head).toContain('X-Spate-Version: 1.2.3');
  });
});
