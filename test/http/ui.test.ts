import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { builtUi } from '../../src/adapters/files/uiFiles.js';
import { rawRequest, startServer, type TestServer } from './support.js';

const PAGE = '<!doctype html><meta name="csp-nonce" content="__NONCE__"><script src="/assets/a.js"></script>';
const HTML = { Accept: 'text/html,*/*' };

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'spate-ui-'));
  fs.mkdirSync(join(folder, 'assets'));
  fs.writeFileSync(join(folder, 'index.html'), PAGE);
  fs.writeFileSync(join(folder, 'assets', 'a.js'), 'plain');
  fs.writeFileSync(join(folder, 'assets', 'a.js.br'), 'brotli');
  fs.writeFileSync(join(folder, 'assets', 'a.js.gz'), 'gzip');
  fs.writeFileSync(join(folder, 'assets', 'packed.js.gz'), gzipSync('unpacked'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});
const start = async (from = folder): Promise<TestServer> => {
  let drawn = 0;
  const server = await startServer({ ui: { files: builtUi(from), drawNonce: () => `nonce${++drawn}` } });
  running.push(server);
  return server;
};

test('every page has a nonce of its own, which its policy names, and nothing else may run', async () => {
  const { url } = await start();
  for (const nonce of ['nonce1', 'nonce2']) {
    const response = await fetch(`${url}/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(PAGE.replace('__NONCE__', nonce));
  }
});

test('an address inside of the UI shows its page to a browser, and is not there for others', async () => {
  const { url } = await start();
  expect(await (await fetch(`${url}/r/web/deep`, { headers: HTML })).text()).toContain('assets/a.js');
  expect((await fetch(`${url}/r/web/deep`)).status).toBe(404);
  expect((await fetch(`${url}/api/nothing`, { headers: HTML })).status).toBe(404);
});

test.each([
  ['br, gzip', 'brotli', 'br'],
  ['gzip', 'gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip', 'gzip'],
  ['identity', 'plain', null],
])(
  'a file for a client that takes %s is sent as %s and kept for a year',
  async (accepted, body, encoding) => {
    const { port } = await start();
    const answer = await rawRequest(port, 'GET', '/assets/a.js', [`Accept-Encoding: ${accepted}`]);
    expect(answer.body).toBe(body);
    expect(answer.head).toContain('Cache-Control: max-age=31536000, immutable\r\n');
    expect(answer.head).toContain('Vary: Accept-Encoding\r\n');
    expect(/Content-Encoding: (\w+)/.exec(answer.head)?.[1] ?? null).toBe(encoding);
  },
);

test('a file that the build keeps compressed only is unpacked for a client that takes no encoding', async () => {
  const { port } = await start();
  const answer = await rawRequest(port, 'GET', '/assets/packed.js', ['Accept-Encoding: identity']);
  expect(answer.body).toBe('unpacked');
  expect(answer.head).not.toContain('Content-Encoding');
});

test('nothing is written to a page', async () => {
  const answer = await rawRequest((await start()).port, 'POST', '/');
  expect(answer.status).toBe(405);
  expect(answer.head).toContain('Allow: GET, HEAD, OPTIONS\r\n');
});

test.each(['/assets/b.js', '/assets/', '/assets/..%2findex.html', '/assets/.sources', '/assets/a.txt'])(
  '%s is not there',
  async (path) => {
    const { port } = await start();
    expect((await rawRequest(port, 'GET', path)).status).toBe(404);
  },
);

test('a service whose UI is not built says where the API is described', async () => {
  const { url } = await start(join(folder, 'missing'));
  expect(await (await fetch(`${url}/`, { headers: HTML })).text()).toContain('/api/docs');
  expect((await fetch(`${url}/r/web`, { headers: HTML })).status).toBe(404);
});
