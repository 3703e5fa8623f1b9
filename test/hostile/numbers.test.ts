import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CONFIG, startServer, type TestServer } from '../http/support.js';

let served: TestServer;
beforeAll(async () => {
  served = await startServer();
});
afterAll(() => served.server.stop(1_000));
beforeEach(() => {
  served.owner.asked.length = 0;
});

const GLOBALS = '/scenarios/s/globals';
const send = async (method: string, path: string, body: string, type = 'application/json') => {
  const response = await fetch(`${served.url}/api${path}`, {
    method,
    body,
    headers: { 'content-type': type },
  });
  return { status: response.status, body: (await response.json()) as { detail: unknown } };
};

describe('a number that would lose digits is refused at its path, and nothing changes', () => {
  test.each([
    ['PATCH', GLOBALS, '{"a": {"b": [1, 9007199254740993]}}', ['a', 'b', '1']],
    ['PUT', GLOBALS, '{"a": 1e999}', ['a']],
    [
      'POST',
      '/startup/g',
      '{"path": "g/generator.yml", "params": {"id": -9007199254740995}}',
      ['params', 'id'],
    ],
    [
      'POST',
      '/generator-configs/g',
      JSON.stringify(CONFIG).replace('"count":1', '"count":12345678901234567891'),
      ['input', '0', 'cron', 'count'],
    ],
    ['PATCH', '/preview/g/event-plugin/template/state/shared', '{"n": 10000000000000000001}', ['n']],
    ['POST', '/preview/g/versatile-datetime/normalize', '{"value": 1e400, "timezone": "UTC"}', ['value']],
  ])('%s %s %s', async (method, path, body, place) => {
    const answer = await send(method, path, body);
    if (answer.status === 404) throw new Error(`no such path: ${path}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', ...place], type: 'out_of_range' }] },
    });
    expect(served.owner.asked).toEqual([]);
  });

  test('a merge patch too', async () => {
    const answer = await send('PATCH', GLOBALS, '{"a": 9007199254740993}', 'application/merge-patch+json');
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'a'] }] } });
  });

  test('the largest integers that keep their digits, and digits in quotes, are taken', async () => {
    const globals = { a: 2 ** 53, b: -(2 ** 53), c: '9007199254740993', d: 0.1 };
    expect((await send('PUT', GLOBALS, JSON.stringify(globals))).status).toBe(200);
    expect(served.owner.asked).toMatchObject([{ payload: { change: { values: globals } } }]);
  });
});
