import { afterEach, describe, expect, test } from '@jest/globals';
import type { Auth } from '../../../src/http/access/auth.js';
import { SESSION_LIMITS } from '../../../src/http/access/sessions.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { LOCAL, oneUser, rawRequest, startServer, type TestServer } from '../support.js';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});

const AUTH: Auth = oneUser('ann', 'p:w');
const basic = (credentials: string) => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
});
const RIGHT = basic('ann:p:w');

const start = async (config: Parameters<typeof startServer>[0] = {}) => {
  const server = await startServer({ auth: AUTH, ...config });
  running.push(server);
  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api${path}`, { method, headers });
  /** Logs in; the cookie as a browser sends it back. */
  const logIn = async (headers: Record<string, string> = {}): Promise<{ readonly cookie: string }> => {
    const response = await call('POST', '/auth/login', { ...RIGHT, ...headers });
    expect(response.status).toBe(200);
    return { cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  return { ...server, call, logIn };
};

describe('logging in', () => {
  test('answers the name of the user and sets a cookie that scripts cannot read', async () => {
    const { call } = await start();
    const response = await call('POST', '/auth/login', RIGHT);
    expect([response.status, await response.json()]).toEqual([200, 'ann']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^session_id=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('behind a proxy with HTTPS the cookie stays with HTTPS', async () => {
    const { call } = await start();
    const response = await call('POST', '/auth/login', { ...RIGHT, 'x-forwarded-proto': 'https' });
    expect(response.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('every session has an id of its own', async () => {
    const { logIn } = await start();
    const cookies = await Promise.all(Array.from({ length: 20 }, () => logIn()));
    expect(new Set(cookies.map(({ cookie }) => cookie)).size).toBe(20);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['without a header', {}, /missing.*Basic/],
    ['with another scheme', { authorization: 'Digest x' }, /not supported/],
    ['with a token', { authorization: 'Bearer x' }, /A token cannot log in/],
    ['with a wrong password', basic('ann:no'), /wrong/],
  ])('%s: 401 that says why, no cookie, and how to send credentials', async (_name, headers, reason) => {
    const { port } = await start();
    // `fetch` says that it is a page, as one does.
    const lines = Object.entries(headers).map(([name, text]) => `${name}: ${text}`);
    const { status, head, body } = await rawRequest(port, 'POST', '/api/auth/login', lines);
    expect(status).toBe(401);
    expect(JSON.parse(body)).toEqual({ detail: expect.stringMatching(reason), code: 'unauthenticated' });
    expect(head).toMatch(/^www-authenticate: Basic /im);
    expect(head).not.toMatch(/^set-cookie/im);
  });

  test('a session is not enough to begin another one', async () => {
    const { call, logIn } = await start();
    const response = await call('POST', '/auth/login', {
      ...(await logIn()),
      'sec-fetch-site': 'same-origin',
    });
    expect(response.status).toBe(401);
  });

  test('again ends the session of before', async () => {
    const { call, logIn } = await start();
    const first = await logIn();
    const second = await logIn(first);
    expect((await call('GET', '/auth/me', first)).status).toBe(401);
    expect((await call('GET', '/auth/me', second)).status).toBe(200);
  });

  test('an unknown parameter is rejected and starts no session', async () => {
    const { call } = await start();
    const response = await call('POST', '/auth/login?remember=1', RIGHT);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([422, null]);
  });

  test('the log says who came and went, and shows no session', async () => {
    const { call, logIn, log } = await start();
    const { cookie } = await logIn();
    await call('POST', '/auth/logout', { cookie });
    expect(log.lines.map(({ message }) => message)).toEqual(['a session started', 'a session ended']);
    expect(JSON.stringify(log.lines)).not.toContain(cookie.slice('session_id='.length));
  });
});

describe('a session', () => {
  test('reads what credentials read', async () => {
    const { call, logIn } = await start();
    const session = await logIn();
    expect(await (await call('GET', '/auth/me', session)).json()).toBe('ann');
    expect((await call('GET', '/generators/', session)).status).toBe(200);
    expect((await call('GET', '/docs', session)).status).toBe(200);
  });

  test('changes something only from a page of this service', async () => {
    const { call, logIn, owner, url } = await start();
    const session = await logIn();
    const from = (headers: Record<string, string>) =>
      call('POST', '/generators/g/start', { ...session, ...headers });
    const silent = await from({});
    expect(silent.status).toBe(403);
    expect(await silent.json()).toMatchObject({ detail: expect.stringContaining('Sec-Fetch-Site') });
    expect((await from({ origin: 'https://evil.com' })).status).toBe(403);
    expect((await from({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await from({ 'sec-fetch-site': 'none' })).status).toBe(403);
    expect(owner.asked).toEqual([]);
    expect((await from({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await from({ origin: url })).status).toBe(200);
  });

  test('does not count beside an Authorization header', async () => {
    const { call, logIn } = await start();
    const session = await logIn();
    expect((await call('GET', '/auth/me', { ...session, ...basic('ann:no') })).status).toBe(401);
    expect((await call('POST', '/generators/g/start', { ...session, ...RIGHT })).status).toBe(200);
  });

  test('that is not known is told apart from none', async () => {
    const { call } = await start();
    const unknown = await call('GET', '/auth/me', { cookie: `session_id=${'x'.repeat(43)}` });
    expect([unknown.status, await unknown.json()]).toEqual([
      401,
      { detail: expect.stringMatching(/session is unknown or has expired/), code: 'unauthenticated' },
    ]);
    expect(await (await call('GET', '/auth/me')).json()).toMatchObject({
      detail: expect.stringMatching(/missing/),
    });
  });

  test('works beside another cookie of the same name', async () => {
    const { call, logIn } = await start();
    const { cookie } = await logIn();
    expect((await call('GET', '/auth/me', { cookie: `session_id=theirs; ${cookie}` })).status).toBe(200);
  });

  test('ends an hour after its last request', async () => {
    const clock = fakeClock();
    const { call, logIn } = await start({ clock });
    const session = await logIn();
    await clock.advanceMs(SESSION_LIMITS.idle_ms - 1);
    expect((await call('GET', '/auth/me', session)).status).toBe(200);
    await clock.advanceMs(SESSION_LIMITS.idle_ms);
    expect((await call('GET', '/auth/me', session)).status).toBe(401);
  });

  test('ends with its server without a session store', async () => {
    const first = await start();
    const session = await first.logIn();
    const second = await start();
    expect((await second.call('GET', '/auth/me', session)).status).toBe(401);
  });

  test.each([
    ['a program', [], 'Basic realm="spate", charset="UTF-8"'],
    ['a navigation', ['Sec-Fetch-Mode: navigate'], 'Basic realm="spate", charset="UTF-8"'],
    ['fetch of a page', ['Sec-Fetch-Mode: cors'], 'Session realm="spate"'],
    ['fetch of a page with no-cors', ['Sec-Fetch-Mode: no-cors'], 'Session realm="spate"'],
    ['a page of an old browser', ['X-Requested-With: XMLHttpRequest'], 'Session realm="spate"'],
  ])('missing for %s: asked for %j with %s', async (_name, headers, challenge) => {
    const { port } = await start();
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/login'],
    ] as const) {
      const { status, head } = await rawRequest(port, method, path, headers);
      expect([status, /^www-authenticate: (.*)$/im.exec(head)?.[1]]).toEqual([401, challenge]);
    }
  });
});

describe('logging out', () => {
  test('ends the session and deletes the cookie', async () => {
    const { call, logIn } = await start();
    const session = await logIn();
    const response = await call('POST', '/auth/logout', session);
    expect([response.status, await response.json()]).toEqual([200, null]);
    expect(response.headers.get('set-cookie')).toMatch(/^session_id=; Max-Age=0; Path=\/; HttpOnly/);
    expect((await call('GET', '/auth/me', session)).status).toBe(401);
  });

  test('leaves other sessions alone', async () => {
    const { call, logIn } = await start();
    const [mine, other] = [await logIn(), await logIn()];
    await call('POST', '/auth/logout', mine);
    expect((await call('GET', '/auth/me', other)).status).toBe(200);
  });

  test('without a cookie does nothing, and asks for no credentials', async () => {
    const { call } = await start();
    const response = await call('POST', '/auth/logout');
    expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
  });

  test('is not done by pages of other sites', async () => {
    const { call, logIn } = await start();
    const session = await logIn();
    expect((await call('POST', '/auth/logout', { ...session, origin: 'https://evil.com' })).status).toBe(403);
    expect((await call('GET', '/auth/me', session)).status).toBe(200);
  });
});

test('without credentials in the settings no login is needed', async () => {
  const { call } = await start({ auth: LOCAL });
  for (const [method, path] of [
    ['POST', '/auth/login'],
    ['GET', '/auth/me'],
    ['POST', '/auth/logout'],
  ] as const) {
    const response = await call(method, path);
    expect([response.status, await response.json(), response.headers.get('set-cookie')]).toEqual([
      200,
      path === '/auth/logout' ? null : 'local',
      null,
    ]);
  }
});
