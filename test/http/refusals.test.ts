import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ERRORS, type ErrorCode, failure } from '../../src/domain/errors.js';
import { BROKEN_PREVIEWS } from './requests/brokenPreviews.js';
import { BROKEN } from './requests/brokenRequests.js';
import { callApi, GLOBALS, INPUTS, PREVIEW, VALID } from './requests/validRequests.js';
import { CONFIG, defaultAnswers, startServer, type TestServer } from './support.js';

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

describe('broken requests', () => {
  test.each([...BROKEN, ...BROKEN_PREVIEWS])(
    '%s: %s %s is 422 with every problem and its place',
    async (_name, method, path, body, ...problems) => {
      const response = await call(method, path, body);
      expect(response.status).toBe(422);
      const { detail, ...rest } = (await response.json()) as {
        detail: { loc: string[]; type: string; msg: string }[];
      };
      expect(rest).toEqual({});
      expect(detail.map(({ loc, type }) => [loc.join('.'), type])).toEqual(problems);
      const keys = path.startsWith('/scenarios')
        ? ['loc', 'msg', 'type', 'input', 'ctx']
        : ['loc', 'msg', 'type'];
      for (const item of detail) expect(Object.keys(item)).toEqual(keys);
      expect(served.owner.asked).toEqual([]);
    },
  );

  test('a config that is refused is never shown again', async () => {
    const config = { ...CONFIG, event: { script: { path: 'p', password: 'hush' } } };
    const text = await (await call('POST', '/generator-configs/web', config)).text();
    expect(text).toContain('password');
    expect(text).not.toContain('hush');
  });

  test('bytes that are not UTF-8 are no JSON', async () => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const response = await fetch(`${served.url}/api${GLOBALS}`, { method: 'PATCH', body });
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'bad_format' }] });
  });
});

describe('what an owner refuses', () => {
  const simple = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status !== 422);

  test.each(simple)('%s is answered with its status, one sentence and the code', async (code) => {
    served.owner.refuse = failure(code, 'What it is and what to do.');
    const response = await call('GET', '/generators/g');
    expect(response.status).toBe(ERRORS[code].status);
    expect(await response.json()).toEqual({ detail: 'What it is and what to do.', code });
  });

  test.each(VALID)('%s: a refusal reaches the client', async (_id, method, path, body) => {
    served.owner.refuse = failure('not_found', 'Not here.');
    const response = await call(method, path, body);
    expect([response.status, await response.json()]).toEqual([
      404,
      { detail: 'Not here.', code: 'not_found' },
    ]);
  });

  test('a plugin that cannot be built is reported at its place in the body', async () => {
    const issues = [{ path: [0, 'cron', 'start'], type: 'bad_date', message: 'is no date' }];
    served.owner.refuse = failure('plugin_failed', 'Bad.', { issues });
    const response = await call('POST', PREVIEW, INPUTS);
    expect([response.status, await response.json()]).toEqual([
      422,
      { detail: [{ loc: ['body', '0', 'cron', 'start'], msg: 'is no date', type: 'bad_date' }] },
    ]);
  });

  test('a span that makes too many spans is reported at the query', async () => {
    const issues = [{ path: ['query', 'span'], type: 'out_of_range', message: 'too many' }];
    served.owner.refuse = failure('invalid', 'Bad.', { issues });
    expect(await (await call('POST', PREVIEW, INPUTS)).json()).toEqual({
      detail: [{ loc: ['query', 'span'], msg: 'too many', type: 'out_of_range' }],
    });
  });

  test('a stored file that is broken is reported at the name that leads to it', async () => {
    const issues = [{ path: ['event'], type: 'missing', message: 'is required', line: 4 }];
    served.owner.refuse = failure('invalid', 'Bad.', { file: 'web/generator.yml', issues });
    expect(await (await call('GET', '/generator-configs/web')).json()).toEqual({
      detail: [{ loc: ['path', 'name'], msg: 'web/generator.yml:4:1 event: is required', type: 'missing' }],
    });
  });

  test('what may work in a moment says when to try again', async () => {
    served.owner.refuse = failure('unavailable', 'Busy.');
    expect((await call('GET', '/health')).headers.get('retry-after')).toBe('1');
  });
});

describe('a client that prefers refusals as 200', () => {
  const refused = async (method: string, path: string, body?: unknown, headers = {}) => {
    served.owner.refuse = failure('not_found', 'Not here.');
    const response = await call(method, path, body, { Prefer: 'refusals=200', ...headers });
    expect(await response.json()).toEqual({ detail: 'Not here.', code: 'not_found' });
    return [response.status, response.headers.get('X-Spate-Status')];
  };

  test('gets them for reads and previews, with their status in a header', async () => {
    expect(await refused('GET', '/generators/g')).toEqual([200, '404']);
    expect(await refused('POST', PREVIEW, INPUTS)).toEqual([200, '404']);
    const invalid = await call('GET', '/generators/g?x=1', undefined, { Prefer: 'refusals=200' });
    expect([invalid.status, invalid.headers.get('X-Spate-Status')]).toEqual([200, '422']);
  });

  test('gets the status of changes, of passwords and of faults of the service', async () => {
    expect(await refused('DELETE', '/generators/g')).toEqual([404, null]);
    expect(await refused('GET', '/generators/g', undefined, { Authorization: 'Basic YTpi' })).toEqual([
      404,
      null,
    ]);
    served.owner.refuse = failure('unavailable', 'Not now.');
    expect((await call('GET', '/generators/g', undefined, { Prefer: 'refusals=200' })).status).toBe(503);
  });
});
