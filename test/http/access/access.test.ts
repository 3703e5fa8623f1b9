import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PAGES } from '../../../src/contract/contract.js';
import { AUTH_ROUTES } from '../../../src/contract/routes/auth.js';
import type { Auth } from '../../../src/http/access/auth.js';
import { CONTRACT, oneUser, rawRequest, startServer, type TestServer } from '../support.js';

const AUTH: Auth = oneUser('ann', 'pw');

/** Everything that the service answers, as the contract lists it. */
const ROWS = [...CONTRACT.routes, ...AUTH_ROUTES, ...PAGES].map(({ id, method, path }) => ({
  id,
  method: method.toUpperCase(),
  path: `/api${path.replace(/\{\w+\+?\}/g, 'x')}`,
}));

/** Routes that are open on purpose. */
const OPEN = ['readHealth', 'readReadiness', 'logout'];

let served: TestServer;
beforeAll(async () => {
  served = await startServer({ auth: AUTH });
});
afterAll(() => served.server.stop(1_000));

const statusOf = async (method: string, path: string, headers: readonly string[] = []) =>
  (await rawRequest(served.port, method, path, headers)).status;

describe('without credentials', () => {
  const closed = ROWS.filter(({ id }) => !OPEN.includes(id));

  test('there are rows to look at, and no more exceptions than rows', () => {
    expect(closed.length).toBeGreaterThan(25);
    expect(ROWS.length - closed.length).toBe(OPEN.length);
  });

  test.each(closed)('$id refuses: $method $path', async ({ method, path }) => {
    expect(await statusOf(method, path)).toBe(401);
    expect(
      await statusOf(method, `${path}?x=1`, ['Cookie: session_id=x', 'Sec-Fetch-Site: same-origin']),
    ).toBe(401);
    expect(await statusOf(method, path, ['Cookie: session_id='])).toBe(401);
    expect(served.owner.asked).toEqual([]);
  });

  test.each(ROWS.filter(({ id }) => OPEN.includes(id)))(
    '$id answers: $method $path',
    async ({ method, path }) => {
      expect([401, 403]).not.toContain(await statusOf(method, path));
      served.owner.asked.length = 0;
    },
  );

  test.each(ROWS)('nothing of $id is told to pages of other sites', async ({ method, path }) => {
    expect(await statusOf(method, path, ['Origin: https://evil.com'])).toBe(403);
    expect(served.owner.asked).toEqual([]);
  });

  test.each(['HEAD', 'OPTIONS', 'PROPFIND', 'TRACE'])('%s refuses as well', async (method) => {
    expect(await statusOf(method, '/api/generators/')).toBe(401);
    expect(await statusOf(method, '/')).toBe(401);
    expect(await statusOf(method, '/nothing')).toBe(401);
  });
});

test('the rows that the document calls open are those that are', () => {
  const operations = Object.values(
    CONTRACT.openapi()['paths'] as Record<
      string,
      Record<string, { operationId: string; security?: unknown[] }>
    >,
  ).flatMap((methods) => Object.values(methods));
  const open = operations
    .filter(({ security }) => security?.length === 0)
    .map(({ operationId }) => operationId);
  expect(open.sort()).toEqual([...OPEN].sort());
});
