import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { left, right } from '../../../support/either.js';
import type { Respond } from '../../../support/servers/scriptedHttp.js';
import { never } from '../support.js';
import { closeAll, openOutput, serve, tryOpen } from './support.js';

afterEach(closeAll);

const status =
  (code: number, text = '', headers: Readonly<Record<string, string>> = {}): Respond =>
  (_, response) =>
    void response.writeHead(code, headers).end(text);

/** Refuses the items that the condition names. */
const refusing =
  (code: number, isRefused: (body: string) => boolean): Respond =>
  ({ body }, response) =>
    void response.writeHead(isRefused(body) ? code : 200).end(isRefused(body) ? 'not this one' : '');

describe('opening', () => {
  test('connects and sends nothing', async () => {
    const server = await serve();
    const output = await openOutput({ url: server.url });
    expect(server.seen).toEqual([]);
    expect(output).toMatchObject({ isBulk: true, isOrdered: false });
  });

  test('fails when nothing listens, and names the address without its query', async () => {
    const server = await serve();
    await server.close();
    const error = left(await tryOpen({ url: `${server.url}/in?token=secret` }));
    expect(error).toMatchObject({
      code: 'output_failed',
      message: `cannot open ${server.url}/in: the connection was refused (ECONNREFUSED). Check \`url\`, and that the server is running and reachable.`,
    });
  });

  test('fails with the reason for a name that is none and a certificate that is missing', async () => {
    expect(left(await tryOpen({ url: 'http://no-such-host.invalid/' })).message).toMatch(
      /host name.*\(E[A-Z_]+\). Check `url`/,
    );
    expect(left(await tryOpen({ url: 'https://127.0.0.1:1/', ca_cert: 'missing.pem' }))).toMatchObject({
      code: 'unreadable',
    });
  });
});

describe('a batch', () => {
  test('of one item is one request, with method, headers and credentials', async () => {
    const server = await serve(status(201));
    const output = await openOutput(
      {
        ...{
          url: `${server.url}/in/{date}/{generator}?day={dd}`,
          method: 'PUT',
          username: 'u',
          password: 'p',
        },
        headers: { 'Content-Type': 'application/json', 'X-Generator': '{generator} {{x}}' },
      },
      { clock: fakeClock(Date.UTC(2025, 0, 9) * 1_000) },
    );
    expect(await output.write(textBatch(['[{"a": 1}]']), never)).toEqual(
      E.right({ written: 1, failed: 0, bytes: 10 }),
    );
    expect(server.seen).toMatchObject([
      {
        method: 'PUT',
        url: '/in/2025-01-09/web?day=09',
        body: '[{"a": 1}]',
        headers: {
          authorization: 'Basic dTpw',
          'content-type': 'application/json',
          'x-generator': 'web {x}',
        },
      },
    ]);
  });

  test('of many items has a request for each, `concurrency` at once', async () => {
    const waiting: (() => void)[] = [];
    const server = await serve((_, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 3) for (const reply of waiting.splice(0)) reply();
    });
    const output = await openOutput({ url: server.url, concurrency: 3 });
    const events = Array.from({ length: 48 }, (_, i) => `event ${i}`);
    expect(await output.write(textBatch(events), never)).toMatchObject({ right: { written: 48, failed: 0 } });
    expect(new Set(server.seen.map(({ body }) => body))).toEqual(new Set(events));
    expect([server.seen.length, server.mostAtOnce(), server.connections()]).toEqual([48, 3, 3]);
  });

  test('with `concurrency: 1` keeps the order', async () => {
    const server = await serve();
    const output = await openOutput({ url: server.url, concurrency: 1 });
    const events = Array.from({ length: 30 }, (_, i) => `event ${i}`);
    right(await output.write(textBatch(events), never));
    expect(output.isOrdered).toBe(true);
    expect(server.seen.map(({ body }) => body)).toEqual(events);
  });

  test('can be joined and compressed', async () => {
    const server = await serve();
    const output = await openOutput({
      ...{ url: server.url, batching: 'joined', max_batch_bytes: 50_000, concurrency: 1 },
      ...{ compression: 'gzip', bearer_token: 'token' },
    });
    const events = Array.from({ length: 10_000 }, (_, i) => `event ${i}`);
    const result = right(await output.write(textBatch(events), never));
    expect(server.seen.map(({ body }) => body).join('')).toBe(`${events.join('\n')}\n`);
    expect(server.seen).toHaveLength(3);
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer token',
      'content-encoding': 'gzip',
    });
    expect(result).toEqual({
      written: 10_000,
      failed: 0,
      bytes: server.seen.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  });

  test('without items is no request', async () => {
    const server = await serve();
    const output = await openOutput({ url: server.url });
    expect(await output.write(textBatch([]), never)).toEqual(E.right({ written: 0, failed: 0, bytes: 0 }));
    expect(server.seen).toEqual([]);
  });
});

describe('a status', () => {
  test.each([
    [200, 'written'],
    [204, 'written'],
    [301, 'rejected'],
    [400, 'rejected'],
    [401, 'rejected'],
    [404, 'rejected'],
    [413, 'rejected'],
    [408, 'output_failed'],
    [425, 'output_failed'],
    [429, 'output_failed'],
    [500, 'output_failed'],
    [503, 'output_failed'],
  ])('%d means %s', async (code, outcome) => {
    const server = await serve(status(code, 'the reason'));
    const output = await openOutput({ url: `${server.url}/in` });
    const result = await output.write(textBatch(['a', 'b']), never);
    if (outcome === 'written') expect(result).toMatchObject({ right: { written: 2 } });
    else {
      expect(left(result)).toMatchObject({
        code: outcome,
        message: expect.stringContaining(
          `cannot send to ${server.url}/in: the reason (HTTP status ${code}). `,
        ),
      });
    }
  });

  test('only those of `success_code` are a success, only those of `retry_status` are retried', async () => {
    const server = await serve(status(200));
    const output = await openOutput({ url: server.url, success_code: 201, retry_status: [404, '2xx'] });
    expect(left(await output.write(textBatch(['a']), never)).code).toBe('output_failed');
    server.respond(status(500));
    expect(left(await output.write(textBatch(['a']), never)).code).toBe('rejected');
    server.respond(status(201));
    right(await output.write(textBatch(['a']), never));
  });

  test('a redirect is not followed', async () => {
    const server = await serve(status(307, '', { Location: 'https://other.example.org/' }));
    const output = await openOutput({ url: server.url });
    expect(left(await output.write(textBatch(['a']), never)).message).toContain(
      'the server redirects to https://other.example.org/ (HTTP status 307). Redirects are not followed',
    );
    expect(server.seen).toHaveLength(1);
  });

  test('secrets that the server echoes are masked', async () => {
    const server = await serve(status(403, 'token sesame-open of key-in-query is unknown'));
    const output = await openOutput({
      url: `${server.url}?api_key=key-in-query`,
      bearer_token: 'sesame-open',
    });
    expect(left(await output.write(textBatch(['a']), never)).message).toContain(
      'token *** of *** is unknown',
    );
  });
});

describe('a batch of which some requests fail', () => {
  const EVENTS = Array.from({ length: 20 }, (_, i) => `${i}`);

  test('says which items are missing and whether a retry helps', async () => {
    const server = await serve(({ body }, response) => {
      const code = body === '3' || body === '7' ? 400 : body === '11' ? 503 : 200;
      response.writeHead(code).end(`status ${code}`);
    });
    const output = await openOutput({ url: server.url });
    const { missed = [], ...rest } = right(await output.write(textBatch(EVENTS), never));
    expect(rest).toMatchObject({ written: 17, failed: 0 });
    expect(missed.map(({ items, reason }) => [items, reason.code])).toEqual([
      [[3, 7], 'rejected'],
      [[11], 'output_failed'],
    ]);
  });

  test('a failed joined request misses all its items', async () => {
    const server = await serve(refusing(400, (body) => body.includes('7')));
    const output = await openOutput({ url: server.url, batching: 'joined', max_batch_bytes: 10 });
    const { written, missed = [] } = right(await output.write(textBatch(EVENTS), never));
    expect(missed.map(({ items }) => items)).toEqual([[5, 6, 7, 8, 9, 16, 17, 18]]);
    expect(written).toBe(12);
  });

  test('all refused for different reasons: each has its own', async () => {
    const server = await serve(({ body }, response) => void response.writeHead(400).end(`bad ${body}`));
    const output = await openOutput({ url: server.url });
    const { written, missed = [] } = right(await output.write(textBatch(['a', 'b']), never));
    expect(written).toBe(0);
    expect(missed.map(({ items, reason }) => [items, reason.message.includes('bad b')])).toEqual([
      [[0], false],
      [[1], true],
    ]);
  });

  test('a server that fails again and again is not asked for each item', async () => {
    const server = await serve(status(503));
    const output = await openOutput({ url: server.url, concurrency: 2 });
    const many = textBatch(Array.from({ length: 1_000 }, (_, i) => `${i}`));
    expect(left(await output.write(many, never)).code).toBe('output_failed');
    expect(server.seen.length).toBeLessThanOrEqual(6);
    server.respond(status(200));
    expect(right(await output.write(many, never)).written).toBe(1_000);
  });

  test('a server that refuses one in three is asked for each item', async () => {
    const server = await serve(refusing(503, (body) => Number(body) % 3 === 0));
    const output = await openOutput({ url: server.url, concurrency: 1 });
    const { written, missed } = right(await output.write(textBatch(EVENTS), never));
    expect(written).toBe(13);
    expect(missed).toMatchObject([{ items: [0, 3, 6, 9, 12, 15, 18] }]);
  });
});

describe('Retry-After', () => {
  test('holds back the next request for as long as the server says', async () => {
    const clock = fakeClock();
    const server = await serve(status(429, 'slow down', { 'Retry-After': '7' }));
    const output = await openOutput({ url: server.url, concurrency: 1 }, { clock });
    expect(left(await output.write(textBatch(['a']), never)).code).toBe('output_failed');
    server.respond(status(200));
    const writing = output.write(textBatch(['a']), never);
    await clock.advanceMs(6_999);
    expect(server.seen).toHaveLength(1);
    await clock.advanceMs(1);
    expect(await writing).toMatchObject({ right: { written: 1 } });
  });

  test('a wait ends with the signal', async () => {
    const server = await serve(status(429, '', { 'Retry-After': '3600' }));
    const output = await openOutput({ url: server.url });
    expect(E.isLeft(await output.write(textBatch(['a']), never))).toBe(true);
    const ending = new AbortController();
    const writing = output.write(textBatch(['a']), ending.signal);
    ending.abort();
    expect(left(await writing).code).toBe('output_failed');
    expect(server.seen).toHaveLength(1);
  });
});

test('request_timeout ends a request', async () => {
  const clock = fakeClock();
  const server = await serve(() => {});
  const output = await openOutput({ url: server.url, request_timeout: 3 }, { clock });
  const writing = output.write(textBatch(['a']), never);
  while (server.seen.length === 0) await clock.settle();
  await clock.advanceMs(3_000);
  expect(left(await writing)).toMatchObject({
    code: 'output_failed',
    message: expect.stringContaining('no reply within request_timeout (3 s)'),
  });
});

test('a write that is aborted ends, and the output stays usable', async () => {
  const server = await serve(() => {});
  const output = await openOutput({ url: server.url });
  const ending = new AbortController();
  const writing = output.write(textBatch(['a', 'b', 'c']), ending.signal);
  while (server.seen.length < 3) await new Promise(setImmediate);
  ending.abort();
  expect(left(await writing).code).toBe('output_failed');
  server.respond(status(200));
  expect(right(await output.write(textBatch(['a']), never)).written).toBe(1);
});

test('a closed output ends requests in flight and takes no more', async () => {
  const server = await serve(() => {});
  const output = await openOutput({ url: server.url });
  const writing = output.write(textBatch(['a']), never);
  while (server.seen.length === 0) await new Promise(setImmediate);
  right(await output.close());
  expect(E.isLeft(await writing)).toBe(true);
  expect(left(await output.write(textBatch(['a']), never)).message).toContain('the output is closed');
});
