import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callApi } from './requests/validRequests.js';
import { startServer, type TestServer } from './support.js';

let served: TestServer;
beforeAll(async () => {
  served = await startServer();
});
afterAll(() => served.server.stop(1_000));
beforeEach(() => {
  served.owner.asked.length = 0;
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi(served.url, method, path, body, headers);

describe('the former path of resent dead letters', () => {
  test('does the same, and says in a header that it goes', async () => {
    const former = await call('POST', '/generators/g/replay-dead-letters');
    const present = await call('POST', '/generators/g/resend-dead-letters');
    expect([former.status, await former.json()]).toEqual([200, await present.json()]);
    expect(former.headers.get('x-spate-warning')).toMatch(/^Former path of `resend-dead-letters`/);
    expect(present.headers.get('x-spate-warning')).toBe(null);
    const asked = ['dead_letters.resend', 'dead_letters.resend'];
    expect(served.owner.asked.map(({ type }) => type)).toEqual(asked);
  });
});

describe('generators and the startup list', () => {
  test.each([
    ['POST', '/generators/a%20b', 'path.id'],
    ['POST', '/generators/%C3%A4', 'path.id'],
    ['POST', `/generators/${'x'.repeat(129)}`, 'path.id'],
    ['POST', '/startup/a%20b', 'path.id'],
    ['POST', `/scenarios/${'x'.repeat(129)}/generators/g`, 'path.name'],
    ['POST', '/scenarios/%20/generators/g', 'path.name'],
    ['POST', '/scenarios/s/generators/a%2Fb', 'path.generator_id'],
    ['DELETE', '/scenarios/s/generators/a%5Cb', 'path.generator_id'],
  ])('%s %s is refused at %s', async (method, path, loc) => {
    const answer = await call(method, path, method === 'POST' ? { path: 'a.yml' } : undefined);
    expect(answer.status).toBe(422);
    const { detail } = (await answer.json()) as {
      readonly detail: readonly { readonly loc: readonly string[] }[];
    };
    expect(detail.map((problem) => problem.loc.join('.'))).toEqual([loc]);
    expect(served.owner.asked).toEqual([]);
  });

  test.each([
    ['/generators/g', '[]'],
    ['/startup/g', 'null'],
    ['/generators/group-actions/bulk-start', '[]'],
    ['/generators/group-actions/bulk-stop', '{}'],
    ['/generators/group-actions/bulk-restart', '[1]'],
    ['/generators/group-actions/bulk-delete', '"g"'],
    ['/startup/group-actions/bulk-delete', '[]'],
  ])('POST %s with %s is no request', async (path, body) => {
    expect((await call('POST', path, body)).status).toBe(422);
    expect(served.owner.asked).toEqual([]);
  });

  test('problems that the owner finds are at their place in the body, without its values', async () => {
    served.owner.refuse = {
      code: 'invalid',
      message: 'x',
      issues: [{ path: ['batch', 'size'], type: 'out_of_range', message: 'must be at least 1' }],
    };
    const answer = await call('POST', '/startup/g', { path: 'a.yml', batch: { size: 0 } });
    served.owner.refuse = null;
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { detail: [{ loc: ['body', 'batch', 'size'], msg: 'must be at least 1', type: 'out_of_range' }] },
    ]);
  });

  test('an entry has a tag, and If-Match is passed on', async () => {
    expect((await call('GET', '/startup/g')).headers.get('etag')).toBe('"e1"');
    const put = await call('PUT', '/startup/g', { path: 'a.yml' }, { 'if-match': '"e1"' });
    expect(put.headers.get('etag')).toBe('"e2"');
    await call('DELETE', '/startup/g', undefined, { 'if-match': '"e2"' });
    expect(served.owner.asked.slice(1).map(({ payload }) => payload)).toMatchObject([
      { if_match: '"e1"' },
      { if_match: '"e2"' },
    ]);
  });

  test('the tag of one key of the globals is that of the whole state', async () => {
    expect((await call('GET', '/scenarios/s/globals/k')).headers.get('etag')).toBe('"v1"');
  });

  test('methods that a group does not know are refused with those it does', async () => {
    const answer = await call('DELETE', '/generators/group-actions/bulk-start');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });
});
