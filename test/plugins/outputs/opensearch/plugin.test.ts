import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { opensearchSpec } from '../../../../src/plugins/outputs/opensearch/spec.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { left, right } from '../../../support/either.js';
import { startFakeOpensearch } from '../../../support/servers/fakeOpensearch.js';
import type { ProgramServer } from '../../../support/servers/programServer.js';
import { scriptedHttp } from '../../../support/servers/scriptedHttp.js';
import { never } from '../support.js';
import { closeAll, onClose, openOutput, tryOpen } from './support.js';

const COUNT = 1_000;
const EVENTS = Array.from({ length: COUNT }, (_, n) => JSON.stringify({ n, text: `té ${n}` }));

let server: ProgramServer;
let host = '';

beforeAll(async () => {
  server = await startFakeOpensearch();
  host = `http://127.0.0.1:${server.port}`;
});
beforeEach(() => server.reset());
afterEach(closeAll);
afterAll(() => server.remove());

const requests = (): readonly string[] =>
  readFileSync(join(server.folder, 'requests'), 'utf8').trim().split('\n');
const arrived = (): readonly string[] => server.arrived().split('\n').slice(0, -1);

describe('a batch', () => {
  test('is one bulk request to the index of the day, path prefix and pipeline included', async () => {
    const clock = fakeClock(Date.UTC(2025, 0, 9) * 1_000);
    const output = await openOutput(
      { hosts: [`${host}/search/`], index: '{generator}-é{yyyy.MM.dd}', pipeline: 'geo ip' },
      clock,
    );
    const result = right(await output.write(textBatch(EVENTS), never));
    const body_bytes = Buffer.byteLength(EVENTS.map((event) => `{"index":{}}\n${event}\n`).join(''));
    expect(result).toEqual({ written: COUNT, failed: 0, bytes: body_bytes });
    expect(arrived()).toEqual(EVENTS);
    expect(requests()).toEqual([
      'GET /search/',
      'POST /search/web-%C3%A92025.01.09/_bulk?pipeline=geo%20ip&filter_path=errors,items.*.status,items.*.error.type,items.*.error.reason',
    ]);
  });

  test('whose index or ID is a value of the event has them in the line of each', async () => {
    const clock = fakeClock(Date.UTC(2025, 0, 9) * 1_000);
    const other = await scriptedHttp(
      (_, response) => void response.end('{"errors": false, "items": [{}, {}]}'),
    );
    onClose(other.close);
    const events = ['{"a":"x","id":7}', '{"b":1}', '{"a":"y.z"}', 'no JSON'];
    const lines = async (params: JsonObject): Promise<readonly [string | undefined, readonly unknown[]]> => {
      const output = await openOutput({ hosts: [other.url], ...params }, clock);
      expect(right(await output.write(textBatch(events), never))).toMatchObject({
        written: 2,
        missed: [
          { items: [1, 3], reason: { code: 'unroutable', message: expect.stringContaining(' at /a. ') } },
        ],
      });
      const { url, body = '' } = other.seen.at(-1) ?? {};
      const found = body.trim().split('\n');
      return [url, found.filter((_, line) => line % 2 === 0).map((line) => JSON.parse(line))];
    };
    const [url, actions] = await lines({ index: '{/a}-{yyyy}', document_id: '{/id}', op_type: 'create' });
    expect(url).toMatch(/^\/_bulk\?/);
    expect(actions).toEqual([{ create: { _index: 'x-2025', _id: '7' } }, { create: { _index: 'y.z-2025' } }]);
    const [, plain] = await lines({ index: '{/a}' });
    expect(plain).toEqual([{ index: { _index: 'x' } }, { index: { _index: 'y.z' } }]);
  });

  test('with IDs only names its index in the address', async () => {
    const output = await openOutput({ hosts: [host], index: 'logs', document_id: '{/n}' });
    expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(COUNT);
    expect(arrived()).toEqual(EVENTS);
    expect(requests().at(-1)).toMatch(/^POST \/logs\/_bulk/);
  });

  test('without an index for any event is unroutable, and sends nothing', async () => {
    const output = await openOutput({ hosts: [host], index: '{/gone}' });
    expect(left(await output.write(textBatch(EVENTS), never))).toMatchObject({
      code: 'unroutable',
      message: expect.stringContaining('no text, number or boolean at /gone'),
    });
    expect(requests()).toEqual(['GET /']);
  });

  test('is compressed on demand', async () => {
    const output = await openOutput({ hosts: [host], compression: 'gzip' });
    const { bytes, written } = right(await output.write(textBatch(EVENTS), never));
    expect(written).toBe(COUNT);
    expect(bytes).toBeLessThan(EVENTS.join('').length / 2);
    expect(arrived()).toEqual(EVENTS);
  });

  test('into a data stream is created, not indexed', async () => {
    server.control({ dataStream: 'logs' });
    const output = await openOutput({ hosts: [host], op_type: 'create' });
    expect(right(await output.write(textBatch(EVENTS), never))).toMatchObject({ written: COUNT });
    const wrong = await openOutput({ hosts: [host] });
    expect(left(await wrong.write(textBatch(['{}', '{}']), never))).toMatchObject({
      code: 'rejected',
      message: expect.stringContaining('op_type of create'),
    });
  });

  test('without items is no request', async () => {
    const output = await openOutput({ hosts: [host] });
    expect(right(await output.write(textBatch([]), never)).written).toBe(0);
    expect(requests()).toEqual(['GET /']);
  });
});

describe('events one by one', () => {
  test('those that meet a full queue are to be sent again, those that break the mapping are rejected', async () => {
    server.control({ unmapped: '"n":(3|5),', busyEvery: 100 });
    const output = await openOutput({ hosts: [host] });
    const { written, failed, missed = [] } = right(await output.write(textBatch(EVENTS), never));
    const busy = Array.from({ length: 10 }, (_, i) => i * 100 + 99);
    expect([written, failed]).toEqual([COUNT - 12, 0]);
    const of = (code: string) => missed.filter(({ reason }) => reason.code === code);
    expect(of('output_failed')).toMatchObject([
      {
        items: busy,
        reason: { message: expect.stringMatching(/rejected_execution_exception: .*\(status 429\)/) },
      },
    ]);
    expect(of('rejected').flatMap(({ items }) => items)).toEqual([3, 5]);
    expect(of('rejected')[0]?.reason.message).toContain(
      `cannot index into ${host}: mapper_parsing_exception: failed to parse field [n] of type [long]`,
    );
    const missing = new Set([...busy, 3, 5]);
    expect(arrived()).toEqual(EVENTS.filter((_, n) => !missing.has(n)));
  });

  test('empty ones and those with a line break are rejected, and the others keep their positions', async () => {
    server.control({ unmapped: '"n":4' });
    const output = await openOutput({ hosts: [host] });
    const batch = textBatch(['{"n":0}', '{"n":\n1}', '', '{"n":3}', '{"n":4}']);
    const { written, missed } = right(await output.write(batch, never));
    expect(written).toBe(2);
    expect(missed).toMatchObject([
      {
        items: [1, 2],
        reason: { code: 'unroutable', message: expect.stringContaining('a line break. Set `formatter') },
      },
      {
        items: [4],
        reason: { code: 'rejected', message: expect.stringContaining('mapper_parsing_exception') },
      },
    ]);
    expect(arrived()).toEqual(['{"n":0}', '{"n":3}']);
    expect(left(await output.write(textBatch(['a\nb']), never)).code).toBe('unroutable');
  });
});

describe('a whole request', () => {
  test.each([
    [
      { isBusy: true },
      'output_failed',
      /circuit_breaking_exception: \[parent\].*HTTP status 429.*overloaded/,
    ],
    [{ isReadOnly: true }, 'rejected', /security_exception: no permissions.*HTTP status 403/],
    [{ password: 'other' }, 'rejected', /Unauthorized \(HTTP status 401\). Check the credentials/],
    [{ isDown: true }, 'output_failed', /503 Service Unavailable \(HTTP status 503\)/],
  ])('%j is %s', async (control, code, message) => {
    const output = await openOutput({ hosts: [host] });
    server.control(control);
    expect(left(await output.write(textBatch(EVENTS), never))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    server.control({});
    expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(COUNT);
  });

  test.each([
    ['not JSON', /is not JSON.*Check that `hosts`/],
    ['{"took": 1}', /lacks `errors` or `items`/],
    ['{"errors": false, "items": []}', /has 0 results for 1 events/],
    ['{"errors": true, "items": [{"index": {}}]}', /a result without a status/],
  ])('the reply %s is none of a bulk request', async (reply, message) => {
    const other = await scriptedHttp((_, response) => void response.end(reply));
    onClose(other.close);
    const output = await openOutput({ hosts: [other.url] });
    expect(left(await output.write(textBatch(['{}']), never))).toMatchObject({
      code: 'output_failed',
      message: expect.stringMatching(message),
    });
  });

  test('Retry-After holds back the next one', async () => {
    const clock = fakeClock();
    const other = await scriptedHttp();
    onClose(other.close);
    const output = await openOutput({ hosts: [other.url] }, clock);
    other.respond((_, response) => void response.writeHead(429, { 'Retry-After': '4' }).end());
    expect(E.isLeft(await output.write(textBatch(['{}']), never))).toBe(true);
    other.respond((_, response) => void response.end('{"errors": false, "items": [{}]}'));
    const writing = output.write(textBatch(['{}']), never);
    await clock.advanceMs(3_999);
    expect(other.seen).toHaveLength(2);
    await clock.advanceMs(1);
    expect(right(await writing).written).toBe(1);
  });
});

describe('hosts', () => {
  test('are used in turn', async () => {
    const other = await startFakeOpensearch();
    onClose(other.remove);
    const output = await openOutput({ hosts: [host, `http://127.0.0.1:${other.port}`] });
    for (const event of EVENTS.slice(0, 10)) right(await output.write(textBatch([event]), never));
    expect(arrived()).toHaveLength(5);
    expect(other.arrived().trim().split('\n')).toHaveLength(5);
  });

  test('that are down are skipped, and used again when they are back', async () => {
    const clock = fakeClock();
    const other = await startFakeOpensearch();
    onClose(other.remove);
    const output = await openOutput({ hosts: [host, `http://127.0.0.1:${other.port}`] }, clock);
    await server.kill();
    other.control({ isDown: true });
    expect(left(await output.write(textBatch(EVENTS), never)).code).toBe('output_failed');
    other.control({});
    for (let round = 0; round < 4; round++) {
      expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(COUNT);
    }
    await server.start();
    await clock.advanceMs(10_000);
    for (let round = 0; round < 4; round++) right(await output.write(textBatch(EVENTS), never));
    expect(arrived()).toHaveLength(2 * COUNT);
  });

  test('one that is down does not keep the output from opening', async () => {
    const other = await startFakeOpensearch();
    onClose(other.remove);
    await other.kill();
    const output = await openOutput({ hosts: [`http://127.0.0.1:${other.port}`, host] });
    expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(COUNT);
  });
});

test.each(opensearchSpec.examples.map(({ title, params }): readonly [string, JsonObject] => [title, params]))(
  'the example "%s" of the README delivers',
  async (_, { api_key, ...params }) => {
    server.control(api_key === undefined ? { password: 'open sesame' } : { apiKey: 'keyvalue' });
    const credentials =
      api_key === undefined ? { username: 'writer', password: 'open sesame' } : { api_key: 'keyvalue' };
    const output = await openOutput({ ...params, ...credentials, hosts: [host] });
    expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(COUNT);
    expect(arrived()).toEqual(EVENTS);
  },
);

describe('opening', () => {
  test.each([
    [{ username: 'writer', password: 'open sesame' }, {}],
    [{ bearer_token: 'x', headers: { Authorization: 'ApiKey keyvalue' } }, { apiKey: 'keyvalue' }],
    [{ api_key: 'keyvalue' }, { apiKey: 'keyvalue' }],
  ])('with %j reaches a server that asks for credentials', async (params, control) => {
    server.control({ ...(Object.keys(control).length === 0 ? { password: 'open sesame' } : control) });
    const output = await openOutput({ hosts: [host], ...params });
    expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(COUNT);
  });

  test('with wrong credentials fails, without showing them', async () => {
    server.control({ password: 'open sesame' });
    const error = left(await tryOpen({ hosts: [host], username: 'writer', password: 'not it' }));
    expect(error).toMatchObject({
      code: 'output_failed',
      message: `cannot open ${host}: Unauthorized (HTTP status 401). Check the credentials.`,
    });
  });

  test('fails when no host is up', async () => {
    await server.kill();
    expect(left(await tryOpen({ hosts: [host] }))).toMatchObject({
      code: 'output_failed',
      message: expect.stringMatching(/refused \(ECONNREFUSED\). Check `hosts`/),
    });
    await server.start();
  });
});

test('an aborted write ends, and the output stays usable', async () => {
  const output = await openOutput({ hosts: [host] });
  server.freeze();
  const ending = new AbortController();
  const writing = output.write(textBatch(EVENTS), ending.signal);
  ending.abort();
  expect(left(await writing).code).toBe('output_failed');
  server.thaw();
  expect(right(await output.write(textBatch(EVENTS), never)).written).toBe(COUNT);
});
