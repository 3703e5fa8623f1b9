import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { Caller } from '../../../src/domain/access/origin.js';
import { type Access, type Auth, type GateParts, makeAdmit } from '../../../src/http/access/auth.js';
import { guessLimiter } from '../../../src/http/access/rateLimit.js';
import { makeSessions } from '../../../src/http/access/sessions.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import {
  CONTRACT,
  LOCAL,
  memoryLog,
  oneUser,
  rawRequest,
  sendRaw,
  startServer,
  type TestServer,
} from '../support.js';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});
const start = async (auth: Auth): Promise<TestServer> => {
  const server = await startServer({ auth });
  running.push(server);
  return server;
};

const parts = (): GateParts => {
  const clock = fakeClock();
  return { sessions: makeSessions(clock, () => 'token'), limiter: guessLimiter(clock), log: memoryLog() };
};

const BASIC: Auth = oneUser('ann', 'p:w');
const header = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
const get = (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });

describe('with credentials set', () => {
  test('right credentials are served, with a colon in the password and the scheme in any case', async () => {
    const server = await start(BASIC);
    expect((await get(server, '/api/generators/', { authorization: header('ann:p:w') })).status).toBe(200);
    const lower = header('ann:p:w').replace('Basic', 'basic');
    expect((await get(server, '/api/generators/', { authorization: lower })).status).toBe(200);
  });

  test.each([
    ['none', undefined, 'missing'],
    ['another scheme', 'Digest abc', 'not supported'],
    ['no base64', 'Basic !!!', 'malformed'],
    ['nothing after the scheme', 'Basic', 'malformed'],
    ['more after the credentials', `${header('ann:p:w')} x`, 'malformed'],
    ['no colon', header('ann'), 'malformed'],
    ['wrong password', header('ann:nope'), 'wrong'],
    ['wrong user', header('bob:p:w'), 'wrong'],
    ['empty both', header(':'), 'wrong'],
    ['longer password', header('ann:p:w '), 'wrong'],
  ])('%s: 401 that says why and how', async (_name, authorization, reason) => {
    const server = await start(BASIC);
    const lines = authorization === undefined ? [] : [`Authorization: ${authorization}`];
    const { status, head, body } = await rawRequest(server.port, 'GET', '/api/generators/', lines);
    expect(status).toBe(401);
    expect(head).toMatch(/^www-authenticate: Basic realm="spate"/im);
    expect(JSON.parse(body)).toEqual({
      detail: expect.stringContaining(reason),
      code: 'unauthenticated',
    });
    expect(server.owner.asked).toEqual([]);
  });

  test('everything but health asks for them, unknown paths and pages too', async () => {
    const server = await start(BASIC);
    const paths = [
      '/',
      '/api',
      '/api/docs',
      '/api/openapi.json',
      '/nothing',
      ...CONTRACT.routes
        .filter(({ method, isOpen }) => method === 'get' && isOpen !== true)
        .map(({ path }) => `/api${path}`),
    ];
    for (const path of paths)
      expect([path, (await rawRequest(server.port, 'GET', path)).status]).toEqual([path, 401]);
    expect((await get(server, '/api/health')).status).toBe(200);
    expect((await get(server, '/api/health/')).status).toBe(200);
  });

  test('other names of the machine and proxies are fine', async () => {
    const server = await start(BASIC);
    const answer = await rawRequest(server.port, 'GET', '/api/generators/', [
      `Authorization: ${header('ann:p:w')}`,
      'X-Forwarded-For: 1.2.3.4',
    ]);
    expect(answer.status).toBe(200);
  });

  test('a page of another site cannot use the credentials that a browser keeps', async () => {
    const server = await start(BASIC);
    const headers = { authorization: header('ann:p:w'), origin: 'https://evil.com' };
    const response = await fetch(`${server.url}/api/generators/g/start`, { method: 'POST', headers });
    expect(response.status).toBe(403);
    expect(server.owner.asked).toEqual([]);
  });

  test('a refusal is logged without the credentials', async () => {
    const server = await start(BASIC);
    await get(server, '/api/generators/', { authorization: header('ann:secret') });
    expect(server.log.lines).toEqual([{ level: 'warning', message: 'The user or the password is wrong.' }]);
  });

  test('a stored hash that is malformed is found at start', async () => {
    expect(makeAdmit(oneUser('ann', 'scrypt$x'), parts())).toMatchObject({
      _tag: 'Left',
    });
  });
});

describe('without credentials', () => {
  test('a client of this machine is served', async () => {
    expect((await get(await start(LOCAL), '/api/generators/')).status).toBe(200);
  });

  test.each([
    ['forwarded by a proxy', 'X-Forwarded-For: 127.0.0.1'],
    ['forwarded, standard header', 'Forwarded: for=127.0.0.1'],
    ['a page whose name was made to resolve here', 'Host: evil.com'],
    ['a page of another site', 'Origin: https://evil.com'],
    ['a page on another port', 'Origin: http://localhost:1'],
    ['an image in a foreign page', 'Sec-Fetch-Site: cross-site'],
  ])('%s: 403 that says what to do', async (_name, line) => {
    const server = await start(LOCAL);
    const request = line.startsWith('Host')
      ? ['GET /api/health HTTP/1.1', line, 'Connection: close', '', '']
      : ['GET /api/health HTTP/1.1', 'Host: localhost', line, 'Connection: close', '', ''];
    const answer = await sendRaw(server.port, request.join('\r\n'));
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'forbidden' });
    if (/^(X-|Forwarded|Host)/.test(line)) {
      expect(answer.body).toContain('server.auth');
      expect(answer.body).toContain('SPATE_ALLOW_REMOTE_WITHOUT_AUTH=1');
    }
    expect(server.owner.asked).toEqual([]);
  });

  const caller: Caller = {
    method: 'GET',
    headers: { host: '10.0.0.5:9474' },
    remoteAddress: '10.0.0.9',
    isEncrypted: false,
  };
  const admitOf = (auth: Auth) => {
    const admit = makeAdmit(auth, parts());
    if (E.isLeft(admit)) throw new Error(admit.left.message);
    return admit.right;
  };
  const ANY: Access = { way: 'credentials', role: 'read' };
  const FORBIDDEN = { left: { error: { code: 'forbidden' } } };

  test('a remote client is not served, health neither', async () => {
    expect(await admitOf(LOCAL)(caller, ANY)).toMatchObject(FORBIDDEN);
    expect(await admitOf(LOCAL)(caller, { way: 'open', role: 'read' })).toMatchObject(FORBIDDEN);
  });

  test('a remote client that claims to be local is not served', async () => {
    const claims = { ...caller, headers: { host: 'localhost' } };
    expect(await admitOf(LOCAL)(claims, ANY)).toMatchObject(FORBIDDEN);
  });

  test('with the override everyone is served, other sites still not', async () => {
    const admit = admitOf({ kind: 'none', isRemoteAllowed: true });
    expect(await admit(caller, ANY)).toMatchObject({ right: { user: null } });
    const crossSite = { ...caller, headers: { ...caller.headers, origin: 'https://evil.com' } };
    expect(await admit(crossSite, ANY)).toMatchObject(FORBIDDEN);
  });
});
