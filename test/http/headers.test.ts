import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { docsPage, startPage } from '../../src/http/documents.js';
import { securityHeaders } from '../../src/http/headers.js';
import { CONTRACT, sendRaw, startServer, type TestServer, VERSION } from './support.js';

const COMMON = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
};
const DATA = { 'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'", ...COMMON };
const STRICT = { 'Strict-Transport-Security': 'max-age=15552000' };

let served: TestServer;
beforeAll(async () => {
  // The UI is not built: its address shows where the API is described.
  const files = { page: async () => null, asset: async () => null };
  served = await startServer({ ui: { files, drawNonce: () => 'nonce' } });
});
afterAll(() => served.server.stop(1_000));

/** Headers of an answer that are not about its content or its connection. */
const headersOf = (head: string): Record<string, string> =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
      .filter(([name]) => !/^(content-(type|length)|date|connection|keep-alive)$/i.test(name)),
  );
const get = async (path: string) =>
  headersOf(
    (await sendRaw(served.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).head,
  );

describe('the headers of an answer', () => {
  const own = { 'X-Spate-Version': VERSION, 'Cache-Control': 'no-store' };

  /** What stays the same while the service runs may be kept, if it is asked for each time. */
  const fixed = { ...own, 'Cache-Control': 'no-cache', ETag: expect.stringMatching(/^"[\w-]{43}"$/) };

  test('of the OpenAPI document: nothing is shown or framed', async () => {
    expect(await get('/api/openapi.json')).toEqual({ ...DATA, ...fixed });
  });

  test.each(['/api/health', '/api/nothing'])('%s: nothing is shown, framed or kept', async (path) => {
    expect(await get(path)).toEqual({ ...DATA, ...own });
  });

  test('what is no request is answered with them too', async () => {
    const { head } = await sendRaw(served.port, 'nonsense\r\n\r\n');
    expect(headersOf(head)).toEqual({ ...DATA, ...own });
  });

  test.each(['/', '/api/docs'])('%s: one style sheet and nothing else', async (path) => {
    expect(await get(path)).toEqual({
      ...COMMON,
      ...fixed,
      'Content-Security-Policy': expect.stringMatching(
        /^default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';style-src 'sha256-[A-Za-z0-9+/]{43}='$/,
      ),
    });
  });

  test.each([
    ['/', startPage(VERSION)],
    ['/api/docs', docsPage(CONTRACT.openapi())],
  ])('%s: the style sheet is the one that its policy names', async (path, html) => {
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map((match) => match[1] ?? '');
    const hashes = styles.map((style) => createHash('sha256').update(style).digest('base64'));
    expect(hashes).toHaveLength(1);
    expect((await get(path))['Content-Security-Policy']).toContain(`'sha256-${hashes[0]}'`);
    expect(html).not.toMatch(/ style=/);
  });

  test('only over TLS browsers are told to come back over TLS', () => {
    expect(securityHeaders(false)).toEqual(DATA);
    expect(securityHeaders(true)).toEqual({ ...DATA, ...STRICT });
  });
});
