import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { placeholder } from './requests/brokenRequests.js';
import { callApi, GLOBALS, INPUTS, PREVIEW, VALID } from './requests/validRequests.js';
import { CONFIG, CONTRACT, defaultAnswers, startServer, type TestServer, VERSION } from './support.js';

let served: TestServer;
beforeAll(async () => {
  served = await startServer();
});
afterAll(() => served.server.stop(1_000));
beforeEach(() => {
  served.owner.asked.length = 0;
  served.owner.refuse = null;
  served.owner.answers = { ...defaultAnswers(), 'configs.export': Readable.from([Buffer.from('PK')]) };
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi(served.url, method, path, body, headers);

describe('an answer', () => {
  const ageOf = async (stateAge: () => number | null): Promise<string | null> => {
    const { server, url } = await startServer({ stateAge });
    const response = await callApi(url, 'GET', '/instance/info');
    await server.stop(1_000);
    return response.headers.get('age');
  };

  test('says how old it is when this node has lost the cluster', async () => {
    expect(await ageOf(() => 12)).toBe('12');
    expect(await ageOf(() => null)).toBe(null);
  });
});

describe('every route, used right', () => {
  test('the table below has every route', () => {
    expect(VALID.map(([id]) => id).sort()).toEqual(CONTRACT.routes.map(({ id }) => id).sort());
  });

  test.each(VALID)('%s: %s %s', async (_id, method, path, body, asked, status, answer) => {
    const response = await call(method, path, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-spate-version')).toBe(VERSION);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const text = await response.text();
    expect(answer === 'PK' ? text : JSON.parse(text)).toEqual(answer);
    expect(served.owner.asked).toEqual([asked]);
  });

  test.each(VALID)(
    '%s is the same with the slash at the end the other way round',
    async (_id, method, path, body, asked, status) => {
      const [route = '', query] = path.split('?');
      const other = route.endsWith('/') ? route.slice(0, -1) : `${route}/`;
      const response = await call(method, query === undefined ? other : `${other}?${query}`, body);
      expect(response.redirected).toBe(false);
      expect(response.status).toBe(status);
      expect(served.owner.asked).toEqual([asked]);
      await response.text();
    },
  );

  test('defaults of the preview', async () => {
    await (await call('POST', PREVIEW, INPUTS)).text();
    expect(served.owner.asked[0]?.payload).toMatchObject({
      size: 1000,
      skip_past: true,
      timezone: 'UTC',
      span: null,
    });
  });

  test('bounds of the preview size are inclusive', async () => {
    for (const size of [1, 1_000_000]) {
      served.owner.answers = defaultAnswers();
      expect((await call('POST', `${PREVIEW}?size=${size}`, INPUTS)).status).toBe(200);
    }
  });

  test('a service that runs alone says that it has no cluster', async () => {
    served.owner.answers = { ...defaultAnswers(), 'cluster.read': null };
    expect(await (await call('GET', '/cluster')).json()).toEqual({ enabled: false });
  });

  test('an export says under which name to save it', async () => {
    const response = await call('GET', '/generator-configs/web/export');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="web.zip"');
    expect(await response.text()).toBe('PK');
  });

  test('a config may hold placeholders anywhere inside', async () => {
    const config = {
      ...CONFIG,
      input: [{ cron: { expression: placeholder('e'), count: placeholder('n') } }],
    };
    expect((await call('POST', '/generator-configs/web', config)).status).toBe(201);
    expect(served.owner.asked[0]?.payload).toEqual({ name: 'web', config });
  });

  test('HEAD answers as GET does, without the body', async () => {
    const response = await call('HEAD', '/generators/g');
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
    expect(await response.text()).toBe('');
  });

  test('a body that a route does not take is ignored', async () => {
    expect(
      (await call('POST', '/generators/g/start', 'no JSON', { 'content-type': 'text/plain' })).status,
    ).toBe(200);
  });
});

describe('globals', () => {
  test('the entity tag is sent, before and after a change', async () => {
    expect((await call('GET', GLOBALS)).headers.get('etag')).toBe('"v1"');
    expect((await call('PATCH', GLOBALS, {})).headers.get('etag')).toBe('"v2"');
  });

  test.each([
    ['PATCH', GLOBALS, {}],
    ['PUT', GLOBALS, {}],
    ['DELETE', GLOBALS, undefined],
    ['DELETE', `${GLOBALS}/k`, undefined],
  ])('%s %s passes If-Match on', async (method, path, body) => {
    await call(method, path, body, { 'if-match': '"v1"' });
    expect(served.owner.asked[0]?.payload).toMatchObject({ if_match: '"v1"' });
  });

  test('a merge patch is told by its media type, with parameters and in any case', async () => {
    await call(
      'PATCH',
      GLOBALS,
      { a: null },
      { 'content-type': 'Application/Merge-Patch+JSON; charset=utf-8' },
    );
    expect(served.owner.asked[0]?.payload).toMatchObject({ change: { kind: 'rfc7386' } });
  });

  test('__proto__ and constructor are keys like any other', async () => {
    await call('PATCH', GLOBALS, '{"__proto__": {"x": 1}, "constructor": 2}');
    const payload = served.owner.asked[0]?.payload as { change: { values: object } } | undefined;
    const patch = payload?.change.values ?? {};
    expect(Object.keys(patch)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(patch)).toBe(Object.prototype);
    expect(JSON.stringify(patch)).toBe('{"__proto__":{"x":1},"constructor":2}');
  });

  test('problems show the offending value and a context', async () => {
    const response = await call('PATCH', GLOBALS, [1]);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [
        { loc: ['body'], msg: 'must be an object, not a list', type: 'wrong_type', input: [1], ctx: {} },
      ],
    });
  });
});
