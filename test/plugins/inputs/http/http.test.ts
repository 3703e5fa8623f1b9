import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { readGenerated, readStat } from '../../../../src/domain/stats/stats.js';
import { DRAIN, runPipeline } from '../../../../src/pipeline/run.js';
import { httpPlugin } from '../../../../src/plugins/inputs/http/plugin.js';
import type { Input } from '../../../../src/plugins/kit.js';
import { buildInput, NOW } from '../../../support/pipelines/inputs.js';
import {
  listInput,
  memoryOutput,
  partsOf,
  plainFormatter,
} from '../../../support/pipelines/pipelineParts.js';

/** A port that was free a moment ago. */
const freePort = async (): Promise<number> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly allow: string | undefined;
}

const send = (
  port: number,
  path: string,
  body: string | null = null,
  {
    method = 'POST',
    type = 'application/json',
    headers = {},
    at = '127.0.0.1',
  }: {
    readonly method?: string;
    readonly type?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly at?: string;
  } = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: at,
        port,
        path,
        method,
        agent: false,
        headers: { ...(body === null ? {} : { 'content-type': type }), ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => {
          const { allow } = response.headers;
          resolve({ status: response.statusCode ?? 0, body: text === '' ? '' : JSON.parse(text), allow });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });

const generate = (port: number, count: number): Promise<Reply> =>
  send(port, '/generate', JSON.stringify({ count }));

const inputAt = async (port: number, more: object = {}): Promise<Input> =>
  (await buildInput(httpPlugin, { host: '127.0.0.1', port, ...more })) as Input;

const running: { readonly drain: () => void; readonly ended: Promise<unknown> }[] = [];

interface Given {
  readonly others?: readonly Input[];
  readonly isLive?: boolean;
  readonly size?: number;
  readonly before?: Parameters<typeof memoryOutput>[0];
}

/** A pipeline over these inputs; `ready` resolves once they listen. */
const start = (inputs: readonly Input[], { isLive = false, size = 10_000, before, ...more }: Given = {}) => {
  const output = memoryOutput(before);
  const all = [...inputs, ...(more.others ?? [])];
  const draining = new AbortController();
  const { parts, clock } = partsOf({
    inputs: all,
    outputs: [output],
    more: { isLive, draining, batch: { size, delay: 1 } },
  });
  let onReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const ended = runPipeline({
    ...parts,
    builders: {
      inputs: all.map((input) => async () => E.right(input)),
      producer: async () => E.right(parts.producer),
      formatters: [async () => E.right(plainFormatter)],
      outputs: [async () => E.right(output)],
    },
    outputLog: () => parts.log,
    deadLetters: () => null,
    start: () => ({ now: NOW, skipPast: false }),
    checkpoint: null,
    onRunning: onReady,
  });
  const run = { output, clock, stats: parts.stats, ready, ended, drain: () => draining.abort(DRAIN) };
  running.push(run);
  return run;
};

afterEach(async () => {
  for (const { drain, ended } of running.splice(0)) {
    drain();
    await ended;
  }
});

describe('an http input', () => {
  test('makes as many events as are asked for, and ends with /stop', async () => {
    const port = await freePort();
    const { output, ready, ended, stats } = start([await inputAt(port)]);
    await ready;
    expect(await generate(port, 3)).toEqual({ status: 201, body: null, allow: undefined });
    expect((await generate(port, 2)).status).toBe(201);
    expect(await send(port, '/stop')).toEqual({ status: 200, body: null, allow: undefined });
    expect(await ended).toEqual(E.right('completed'));
    expect(output.events.length).toBe(5);
    expect(readGenerated(stats, 0)).toBe(5);
    expect(readStat(stats, 'produced')).toBe(5);
    await expect(generate(port, 1)).rejects.toThrow(/ECONNREFUSED/);
  });

  test('each request is a batch of its own, split at the size, with the time it is taken', async () => {
    const port = await freePort();
    const { output, ready, ended, clock } = start([await inputAt(port)], { size: 4, isLive: true });
    await ready;
    const now = clock.now();
    await generate(port, 2);
    await generate(port, 9);
    await send(port, '/stop');
    await ended;
    expect(output.batches.map(({ count }) => count)).toEqual([2, 4, 4, 1]);
    expect(new Set(output.events)).toEqual(new Set([String(now)]));
  });

  test('flows at once beside a schedule that waits', async () => {
    const port = await freePort();
    const arrived: (() => void)[] = [];
    const before = async (): Promise<void> => arrived.shift()?.();
    const later = listInput([Number.MAX_SAFE_INTEGER - 1]);
    const { output, ready, ended, drain } = start([await inputAt(port)], {
      isLive: true,
      others: [later],
      before,
    });
    await ready;
    const first = new Promise<void>((resolve) => {
      arrived.push(resolve);
    });
    await generate(port, 1);
    await first;
    drain();
    expect(await ended).toEqual(E.right('drained'));
    expect(output.events.length).toBe(1);
  });

  test('two inputs listen from the start, and one may stop', async () => {
    const [one, two] = [await freePort(), await freePort()];
    const { output, ready, ended, stats } = start([await inputAt(one), await inputAt(two)]);
    await ready;
    expect((await generate(two, 2)).status).toBe(201);
    expect((await send(two, '/stop')).status).toBe(200);
    expect((await generate(two, 2)).status).toBe(409);
    expect((await generate(one, 1)).status).toBe(201);
    await send(one, '/stop');
    await ended;
    expect(output.events.length).toBe(3);
    expect([readGenerated(stats, 0), readGenerated(stats, 1)]).toEqual([1, 2]);
  });

  test('refuses more than the pending requests, and finishes those when it stops', async () => {
    const port = await freePort();
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { output, ready, ended, drain } = start([await inputAt(port, { max_pending_requests: 2 })], {
      before: () => gate,
    });
    await ready;
    // Ten batches are in flight, one waits to be one, two are pending.
    const statuses: number[] = [];
    for (let i = 0; i < 15; i++) statuses.push((await generate(port, 1)).status);
    expect(statuses).toEqual([...new Array(13).fill(201), 429, 429]);
    expect((await generate(port, 1)).body).toEqual({ detail: expect.stringContaining('pending') });
    drain();
    expect(await generate(port, 1)).toMatchObject({ status: 409, body: { detail: 'the input is stopping' } });
    open();
    expect(await ended).toEqual(E.right('drained'));
    expect(output.events.length).toBe(13);
  });

  test('a generator that is exhausted ends it', async () => {
    const port = await freePort();
    const { ready, ended, drain } = start([await inputAt(port)]);
    await ready;
    drain();
    expect(await ended).toEqual(E.right('drained'));
    await expect(generate(port, 1)).rejects.toThrow(/ECONNREFUSED/);
  });

  test('silent connections make room for others, the oldest first, and take no more than a hundred descriptors', async () => {
    const port = await freePort();
    const { ready } = start([await inputAt(port)]);
    await ready;
    const silent: Socket[] = [];
    for (let count = 0; count < 150; count++) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      silent.push(socket);
    }
    // One of them, in the middle, has not been silent: it stays.
    silent[60]?.write('POST /generate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    silent[60]?.write('Content-Length: 11\r\n\r\n{"count":1}');
    if (silent[60] !== undefined) await once(silent[60], 'data');
    for (let count = 0; count < 20; count++) expect((await generate(port, 1)).status).toBe(201);
    const closed = () => silent.filter((socket) => socket.closed).length;
    while (closed() < 51) await once(silent.find((socket) => !socket.closed) as Socket, 'close');
    expect(silent[60]?.closed).toBe(false);
    expect(silent.slice(-70).filter((socket) => socket.closed)).toEqual([]);
    for (const socket of silent) socket.destroy();
  });

  test('a port in use fails the start, and the other port is free again', async () => {
    const [one, two] = [await freePort(), await freePort()];
    const holder = createServer().listen(two, '127.0.0.1');
    await once(holder, 'listening');
    const { ended } = start([await inputAt(one), await inputAt(two)]);
    expect(await ended).toMatchObject(
      E.left({ code: 'plugin_failed', message: expect.stringMatching(/EADDRINUSE/) }),
    );
    await expect(generate(one, 1)).rejects.toThrow(/ECONNREFUSED/);
    holder.close();
  });

  test('building it opens nothing: previews do not take the port', async () => {
    const port = await freePort();
    expect((await inputAt(port)).fill(new Float64Array(3))).toBe(0);
    await expect(generate(port, 1)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('its answers', () => {
  const json = 'application/json';
  test.each<[string, string, string | null, object, number, RegExp]>([
    ['no body', '/generate', null, {}, 422, /content type/],
    ['no JSON', '/generate', '{', {}, 422, /must be JSON/],
    ['another content type', '/generate', '{"count":1}', { type: 'text/plain' }, 422, /content type/],
    ['a list', '/generate', '[1]', {}, 422, /object/],
    ['no count', '/generate', '{}', {}, 422, /count must be/],
    ['zero', '/generate', '{"count":0}', {}, 422, /count must be/],
    ['a fraction', '/generate', '{"count":1.5}', {}, 422, /count must be/],
    ['text', '/generate', '{"count":"1"}', {}, 422, /count must be/],
    ['too many', '/generate', '{"count":1000001}', {}, 422, /at most 1000000\. Send several.*max_count/],
    ['a page', '/generate', '{"count":1}', { headers: { origin: 'http://evil.example' } }, 403, /web pages/],
    ['a page that stops', '/stop', null, { headers: { origin: 'http://evil.example' } }, 403, /web pages/],
    ['a form', '/stop', null, { headers: { 'sec-fetch-site': 'cross-site' } }, 403, /web pages/],
    [
      'a page after DNS rebinding',
      '/generate',
      '{"count":1}',
      {
        headers: {
          origin: 'http://evil.example:8070',
          host: 'evil.example:8070',
          'sec-fetch-site': 'same-origin',
        },
      },
      403,
      /web pages/,
    ],
    ['a foreign Host', '/generate', '{"count":1}', { headers: { host: 'evil.example' } }, 403, /Host header/],
    ['a foreign Host that stops', '/stop', null, { headers: { host: 'evil.example' } }, 403, /Host header/],
    ['true', '/generate', '{"count":true}', {}, 422, /count must be/],
    ['another key', '/generate', '{"count":1,"more":2}', {}, 422, /unknown key "more"/],
    ['a long body', '/generate', `{"count":1${' '.repeat(20_000)}}`, {}, 422, /at most/],
    ['another path', '/other', '{"count":1}', {}, 404, /generate/],
    ['the root', '/', null, { method: 'GET' }, 404, /generate/],
    ['GET /generate', '/generate', null, { method: 'GET' }, 405, /POST/],
    ['DELETE /stop', '/stop', null, { method: 'DELETE' }, 405, /POST/],
  ])('%s', async (_, path, body, how, status, detail) => {
    const port = await freePort();
    const { ready, output } = start([await inputAt(port)]);
    await ready;
    const reply = await send(port, path, body, { type: json, ...how });
    expect(reply).toMatchObject({ status, body: { detail: expect.stringMatching(detail) } });
    expect(reply.allow).toBe(status === 405 ? 'POST' : undefined);
    expect(output.events).toEqual([]);
  });

  test.each<[number, number]>([
    [5, 201],
    [6, 422],
  ])('with max_count: 5, a count of %d has the status %d', async (count, status) => {
    const port = await freePort();
    const { ready } = start([await inputAt(port, { max_count: 5 })]);
    await ready;
    expect((await generate(port, count)).status).toBe(status);
  });

  test('a refused stop stops nothing, and a request by the name localhost is served', async () => {
    const port = await freePort();
    const { ready, output, ended } = start([await inputAt(port)]);
    await ready;
    expect((await send(port, '/stop', null, { headers: { origin: 'null' } })).status).toBe(403);
    const host = `localhost:${port}`;
    expect((await send(port, '/generate', '{"count":1}', { headers: { host } })).status).toBe(201);
    await send(port, '/stop', null, { headers: { 'sec-fetch-site': 'none' } });
    await ended;
    expect(output.events).toHaveLength(1);
  });

  test('without host, only this machine is served', async () => {
    const port = await freePort();
    const { ready } = start([(await buildInput(httpPlugin, { port })) as Input]);
    await ready;
    // Another address of the same machine: a server on 0.0.0.0 would answer there, too.
    await expect(send(port, '/stop', null, { at: '127.0.0.2' })).rejects.toThrow(/ECONNREFUSED/);
  });

  test.each([
    [{}, /port is required/],
    [{ port: 0 }, /port must be at least 1/],
    [{ port: 65_536 }, /port must be at most 65535/],
    [{ port: 1, max_count: 0 }, /max_count must be at least 1/],
    [{ port: 1, host: '' }, /host must not be empty/],
    [{ port: 1, max_pending_requests: 0 }, /max_pending_requests must be at least 1/],
  ])('%j is refused', async (params, problem) => {
    expect(await buildInput(httpPlugin, params)).toMatch(problem);
  });
});
