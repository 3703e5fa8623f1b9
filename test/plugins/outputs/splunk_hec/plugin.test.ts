import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc } from '../../../../src/domain/time/zone.js';
import type { Output } from '../../../../src/plugins/kit.js';
import { hecPlugin } from '../../../../src/plugins/outputs/splunk_hec/plugin.js';
import { type Respond, type ScriptedHttp, scriptedHttp } from '../../../support/servers/scriptedHttp.js';
import { never, outputContext } from '../support.js';
import { hecParams } from './support.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const TOKEN = 'f00-secret-f00';

/** Replies to the check of `open` as Splunk does, then as told. */
const collector = async (
  respond: Respond = (_, response) => void response.end('{"text":"Success","code":0}'),
) => {
  const server = await scriptedHttp((request, response) => {
    if (request.body === '') {
      response.writeHead(400);
      return void response.end('{"text":"No data","code":5}');
    }
    respond(request, response);
  });
  closers.push(server.close);
  return server;
};

const json =
  (status: number, body: JsonObject, headers: Record<string, string> = {}): Respond =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(JSON.stringify(body));
  };

const tryOpen = async (server: Pick<ScriptedHttp, 'url'>, params: JsonObject = {}) => {
  const { context, lines } = outputContext('/');
  const result = await hecPlugin.open(hecParams({ url: server.url, token: TOKEN, ...params }), {
    ...context,
    zone: utc,
  });
  if (E.isRight(result)) closers.push(result.right.close);
  return { result, lines };
};

const open = async (server: Pick<ScriptedHttp, 'url'>, params: JsonObject = {}): Promise<Output> => {
  const { result } = await tryOpen(server, params);
  if (E.isLeft(result)) throw new Error(result.left.message);
  return result.right;
};

const ABCD = textBatch(['a', 'b', 'c', 'd']);

describe('a batch', () => {
  test('is one POST with the token and a channel of its own', async () => {
    const server = await collector();
    const output = await open(server, { sourcetype: '_json' });
    const written = await output.write(textBatch(['{"a":1}', 'text']), never);
    const { method, url, headers, body, bytes } = server.seen[1] ?? server.seen[0] ?? ({} as never);
    expect(written).toEqual(E.right({ written: 2, failed: 0, bytes }));
    expect([method, url]).toEqual(['POST', '/services/collector/event']);
    expect(headers.authorization).toBe(`Splunk ${TOKEN}`);
    expect(headers['x-splunk-request-channel']).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(body.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: expect.any(Number), sourcetype: '_json', event: { a: 1 } },
      { time: expect.any(Number), sourcetype: '_json', event: 'text' },
    ]);
  });

  test('is compressed if the config says so', async () => {
    const server = await collector();
    const output = await open(server, { compression: 'gzip' });
    const written = await output.write(textBatch(Array.from({ length: 100 }, () => 'same')), never);
    expect(server.seen[1]?.headers['content-encoding']).toBe('gzip');
    expect(server.seen[1]?.body.split('\n')).toHaveLength(100);
    expect(written).toMatchObject({ right: { written: 100, bytes: server.seen[1]?.bytes } });
  });

  test('of the endpoint raw is its lines, with metadata in the query; a path in front is kept', async () => {
    const server = await collector();
    const url = `${server.url}/splunk/services/collector/event`;
    const output = await open({ url }, { endpoint: 'raw', index: 'lab', host: 'a b' });
    await output.write(ABCD, never);
    expect(server.seen[1]).toMatchObject({
      url: '/splunk/services/collector/raw?host=a+b&index=lab',
      body: 'a\nb\nc\nd\n',
    });
  });

  test('without a valid event is not sent; those that have no envelope are logged and count as failed', async () => {
    const server = await collector();
    const { result, lines } = await tryOpen(server, { content: 'json' });
    if (E.isLeft(result)) throw new Error(result.left.message);
    expect(await result.right.write(textBatch(['x', '']), never)).toEqual(
      E.right({ written: 0, failed: 2, bytes: 0 }),
    );
    expect(await result.right.write(textBatch(['x', '1']), never)).toMatchObject({
      right: { written: 1, failed: 1 },
    });
    expect(lines).toHaveLength(3);
    expect(server.seen).toHaveLength(2);
  });
});

describe('an event that Splunk rejects', () => {
  const invalid = (code: number, at: number) =>
    json(400, { text: 'as told', code, 'invalid-event-number': at });

  test.each([6, 12, 13, 15])(
    'with code %i is rejected alone; those before are written, those after again',
    async (code) => {
      const server = await collector(invalid(code, 1));
      const output = await open(server);
      expect(await output.write(ABCD, never)).toMatchObject({
        right: {
          written: 1,
          failed: 0,
          missed: [
            { items: [1], reason: { code: 'rejected', message: expect.stringContaining('as told') } },
            { items: [2, 3], reason: { code: 'output_failed' } },
          ],
        },
      });
    },
  );

  test('has the position of the batch, also behind events without an envelope', async () => {
    const output = await open(await collector(invalid(6, 1)));
    expect(await output.write(textBatch(['', 'a', '', 'b']), never)).toMatchObject({
      right: { written: 1, failed: 2, missed: [{ items: [3] }] },
    });
  });

  test('leaves those before it unconfirmed with acknowledgements', async () => {
    const ack: Respond = (request, response) =>
      (request.url.includes('/ack') ? json(200, { acks: { 0: false } }) : invalid(6, 1))(request, response);
    const output = await open(await collector(ack), { acknowledge: true });
    expect(await output.write(ABCD, never)).toMatchObject({
      right: {
        written: 0,
        missed: [{ items: [1] }, { items: [0, 2, 3], reason: { code: 'output_failed' } }],
      },
    });
  });

  test('for its own index has a number that is one ahead; a constant index is wrong for all', async () => {
    const server = await collector(invalid(7, 1));
    const pointed = await open(server, { index: '{/i}' });
    expect(await pointed.write(ABCD, never)).toMatchObject({
      right: { written: 0, missed: [{ items: [0] }, {}] },
    });
    const constant = await open(server, { index: 'lab' });
    expect(await constant.write(ABCD, never)).toMatchObject({ left: { code: 'rejected' } });
  });

  test('with a number that the batch does not have makes the whole batch rejected', async () => {
    const output = await open(await collector(invalid(6, 4)));
    expect(await output.write(ABCD, never)).toMatchObject({ left: { code: 'rejected' } });
  });
});

describe('a reply', () => {
  test.each([
    [403, 1, 'rejected'],
    [401, 2, 'rejected'],
    [401, 3, 'rejected'],
    [403, 4, 'rejected'],
    [400, 5, 'rejected'],
    [400, 6, 'rejected'],
    [400, 7, 'rejected'],
    [500, 8, 'output_failed'],
    [503, 9, 'output_failed'],
    [400, 10, 'rejected'],
    [400, 11, 'rejected'],
    [400, 14, 'rejected'],
    [400, 16, 'rejected'],
    [503, 18, 'output_failed'],
    [503, 19, 'output_failed'],
    [503, 20, 'output_failed'],
    [400, 21, 'rejected'],
    [400, 22, 'rejected'],
    [503, 23, 'output_failed'],
    [429, 24, 'output_failed'],
    [429, 26, 'output_failed'],
  ])('%i with code %i is %s', async (status, code, expected) => {
    const output = await open(await collector(json(status, { text: 'as told', code })));
    expect(await output.write(ABCD, never)).toMatchObject({
      left: { code: expected, message: expect.stringContaining(`as told (HEC code ${code}`) },
    });
  });

  test('of a proxy goes by its status', async () => {
    const server = await collector((_, response) => {
      response.writeHead(413);
      response.end('<html><title>413 Request Entity Too Large</title></html>');
    });
    const output = await open(server);
    expect(await output.write(ABCD, never)).toMatchObject({
      left: {
        code: 'rejected',
        message: expect.stringMatching(/Too Large \(HTTP status 413\).*batch\.size/),
      },
    });
  });

  test('that echoes the token does not show it', async () => {
    const output = await open(await collector(json(403, { text: `Invalid token ${TOKEN}`, code: 4 })));
    const written = await output.write(ABCD, never);
    expect(JSON.stringify(written)).toContain('Invalid token ***');
  });

  test('with Retry-After holds the next request back', async () => {
    let count = 0;
    const server = await collector((request, response) => {
      count += 1;
      const respond =
        count === 1 ? json(503, { text: 'busy', code: 9 }, { 'Retry-After': '1' }) : json(200, { code: 0 });
      respond(request, response);
    });
    const output = await open(server);
    expect(E.isLeft(await output.write(ABCD, never))).toBe(true);
    const ending = new AbortController();
    const waiting = output.write(ABCD, ending.signal);
    await new Promise((resolve) => setImmediate(resolve));
    expect(count).toBe(1);
    ending.abort();
    expect(await waiting).toMatchObject({ left: { code: 'output_failed' } });
    expect(count).toBe(1);
    expect(await output.write(ABCD, never)).toMatchObject({ right: { written: 4 } });
  });
});

describe('acknowledgements', () => {
  /** Confirms at the third question. */
  const confirming =
    (questions: string[]): Respond =>
    (request, response) => {
      if (!request.url.includes('/ack'))
        return json(200, { text: 'Success', code: 0, ackId: 7 })(request, response);
      questions.push(`${request.url} ${request.body} ${request.headers['x-splunk-request-channel']}`);
      const { acks } = JSON.parse(request.body) as { acks: readonly number[] };
      json(200, { acks: { [String(acks[0])]: questions.length > 3 } })(request, response);
    };

  test('are asked for in the channel of the batch until the indexers confirm', async () => {
    const questions: string[] = [];
    const server = await collector(confirming(questions));
    const output = await open(server, { acknowledge: true, ack_interval: 0.01 });
    expect(await output.write(ABCD, never)).toMatchObject({ right: { written: 4 } });
    const channel = server.seen.find(({ body }) => body.includes('event'))?.headers[
      'x-splunk-request-channel'
    ];
    expect(questions.slice(1)).toEqual(
      Array.from(
        { length: 3 },
        () => `/services/collector/ack?channel=${String(channel)} {"acks":[7]} ${String(channel)}`,
      ),
    );
  });

  test('use a channel for one request at a time: ids of a restarted server are not mistaken', async () => {
    const server = await collector(confirming([]));
    const output = await open(server, { acknowledge: true, ack_interval: 0.01 });
    await Promise.all([output.write(ABCD, never), output.write(ABCD, never)]);
    await output.write(ABCD, never);
    const used = server.seen
      .filter(({ body }) => body.includes('event'))
      .map(({ headers }) => headers['x-splunk-request-channel']);
    expect(new Set(used.slice(0, 2)).size).toBe(2);
    expect(used.slice(0, 2)).toContain(used[2]);
    expect(output.isOrdered).toBe(false);
  });

  test('with a fixed channel keep writes from overlapping', async () => {
    const channel = '11111111-2222-3333-4444-555555555555';
    const server = await collector(confirming([]));
    const output = await open(server, { acknowledge: true, channel, ack_interval: 0.01 });
    expect(output.isOrdered).toBe(true);
    await output.write(ABCD, never);
    expect(new Set(server.seen.map(({ headers }) => headers['x-splunk-request-channel']))).toEqual(
      new Set([channel]),
    );
  });

  test('that a stop cuts off leave the batch unconfirmed, and the output usable', async () => {
    const questions: string[] = [];
    const server = await collector(confirming(questions));
    const output = await open(server, { acknowledge: true, ack_interval: 30 });
    const ending = new AbortController();
    const waiting = output.write(ABCD, ending.signal);
    while (!server.seen.some(({ body }) => body.includes('event'))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    ending.abort();
    expect(await waiting).toMatchObject({ left: { code: 'output_failed' } });
  });

  test('without an ackId in the reply are unconfirmed', async () => {
    const server = await collector((request, response) =>
      json(200, request.url.includes('/ack') ? { acks: {} } : { text: 'Success', code: 0 })(
        request,
        response,
      ),
    );
    const output = await open(server, { acknowledge: true });
    expect(await output.write(ABCD, never)).toMatchObject({
      left: { code: 'output_failed', message: expect.stringContaining('no ackId') },
    });
  });
});

describe('opening', () => {
  test.each([
    [{}, 403, { text: 'Invalid token', code: 4 }, /Invalid token.*Check `token`/],
    [{}, 503, { text: 'Server is busy', code: 9 }, /busy/],
    [{}, 404, {}, /HTTP status 404/],
  ])('%j fails on %i %j', async (params, status, body, message) => {
    const server = await scriptedHttp(json(status, body));
    closers.push(server.close);
    const { result } = await tryOpen(server, params);
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(message) },
    });
  });

  test('with acknowledgements finds a token that has none', async () => {
    const server = await collector(json(400, { text: 'ACK is disabled', code: 14 }));
    const { result } = await tryOpen(server, { acknowledge: true });
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(/ACK is disabled.*Turn on indexer/) },
    });
  });

  test('fails when nothing listens', async () => {
    const server = await collector();
    await server.close();
    const { result } = await tryOpen(server);
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringContaining('refused') },
    });
  });
});
