import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { WebSocket } from 'ws';
import { memoryLogTail } from '../../../src/adapters/logs/instanceLog.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import type { Auth } from '../../../src/http/access/auth.js';
import { logStreams } from '../../../src/http/streams/logStreams.js';
import { framesOf } from '../../../src/http/streams/sockets.js';
import type { Ask } from '../../../src/messages/ask.js';
import type { LogStart } from '../../../src/messages/observe.js';

import { type FakeClock, fakeClock } from '../../support/clocks/fakeClock.js';
import { CONTRACT, LOCAL, oneUser, startServer, type TestServer, VERSION } from '../support.js';

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(ending.splice(0).map((end) => end()));
});

/** A server whose logs are in memory: of the instance, of `g`, and of `quiet`, which has none. */
const serve = async (
  auth: Auth = LOCAL,
  max_clients = 64,
): Promise<
  TestServer & {
    readonly logs: ReturnType<typeof memoryLogTail>;
    readonly clock: FakeClock;
    readonly count: () => number;
  }
> => {
  const logs = memoryLogTail();
  const clock = fakeClock();
  const start = ({
    id,
    from_bytes,
  }: {
    readonly id: string | null;
    readonly from_bytes: number;
  }): Result<LogStart> => {
    if (id === 'broken') return E.left(failure('unreadable', 'no such luck'));
    if (id !== null && id !== 'g' && id !== 'quiet') return E.right({ kind: 'unknown' });
    if (!logs.has(id)) return E.right({ kind: 'empty' });
    return E.right({ kind: 'there', open: (onMore) => logs.open(id, { from_bytes, onMore }) });
  };
  const ask = (async (_type: string, payload: Parameters<typeof start>[0]) =>
    start(payload)) as unknown as Ask;
  const streams = logStreams({ routes: CONTRACT.routes, ask, clock, version: VERSION, max_clients });
  const server = await startServer({ auth, ask, upgrade: streams.upgrade });
  ending.push(async () => {
    streams.end();
    await Promise.all([server.server.stop(5_000), clock.advanceMs(1_000)]);
  });
  return { ...server, logs, clock, count: streams.count };
};

/** A client that collects what it gets. */
const follow = (port: number, path: string, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(`ws://localhost:${port}/api${path}`, { headers });
  const frames: string[] = [];
  let look = (): void => {};
  socket.on('message', (data, isBinary) => {
    frames.push(isBinary ? 'binary' : String(data));
    look();
  });
  const refused = new Promise<number>((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
    });
    socket.on('error', () => {});
  });
  const closed = new Promise<string>((resolve) =>
    socket.on('close', (code, reason) => resolve(`${code} ${String(reason)}`)),
  );
  const until = (text: string): Promise<string> =>
    new Promise((resolve) => {
      look = () => {
        if (frames.join('').endsWith(text)) resolve(frames.join(''));
      };
      look();
    });
  return { socket, frames, refused, closed, until };
};

describe('a log over a WebSocket', () => {
  test('begins with its last lines and goes on as it grows', async () => {
    const { port, logs } = await serve();
    for (const line of ['first\n', 'second €\n', 'third\n']) logs.add('g', line);
    const { until } = follow(port, '/generators/g/logs?end_offset=17');
    await until('second €\nthird\n');
    logs.add('g', 'fourth\n');
    logs.add(null, 'not mine\n');
    logs.add('g', 'fifth\n');
    expect(await until('fifth\n')).toBe('second €\nthird\nfourth\nfifth\n');
  });

  test('with offset 0 has new lines only', async () => {
    const { port, logs, count } = await serve();
    logs.add(null, 'old\n');
    const { socket, until } = follow(port, '/instance/logs/main?end_offset=0');
    await once(socket, 'open');
    while (count() === 0) await new Promise((resolve) => setImmediate(resolve));
    logs.add(null, 'new\n');
    expect(await until('new\n')).toBe('new\n');
  });

  test('comes in text frames of at most 8,192 characters', async () => {
    const { port, logs } = await serve();
    const line = `${'ab😀'.repeat(6_000)}\n`;
    logs.add('g', line);
    const { frames, until } = follow(port, '/generators/g/logs?end_offset=1000000');
    expect(await until('\n')).toBe(line);
    expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(8_192);
    expect(frames.length).toBe(3);
  });

  test('frames never split a character', () => {
    const text = `x${'😀'.repeat(10_000)}`;
    const frames = framesOf(text);
    expect(frames.join('')).toBe(text);
    expect(frames.every((frame) => Buffer.from(frame).toString() === frame)).toBe(true);
    expect(framesOf('')).toEqual([]);
  });

  test('a client that does not read blocks no one and learns how much it missed', async () => {
    const { port, logs } = await serve();
    logs.add('g', 'begin\n');
    const { socket, frames, until } = follow(port, '/generators/g/logs');
    await until('begin\n');
    socket.pause();
    const line = `${'x'.repeat(1_000)}\n`;
    for (let i = 0; i < 20_000; i++) {
      logs.add('g', line);
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    logs.add('g', 'end\n');
    socket.resume();
    const text = await until('end\n');
    const gaps = [...text.matchAll(/\[(\d+) lines missed/g)].map(([, count]) => Number(count));
    const whole = text.split('\n').filter((each) => each.length === 1_000).length;
    process.stderr.write(`a paused client got ${frames.length} frames and missed ${gaps.join('+')} lines\n`);
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.reduce((a, b) => a + b, 0) + whole).toBe(20_000);
  });

  test('a client that goes away is forgotten', async () => {
    const { port, logs, count } = await serve();
    logs.add('g', 'x\n');
    const { socket, until } = follow(port, '/generators/g/logs');
    await until('x\n');
    expect(count()).toBe(1);
    socket.terminate();
    while (count() > 0) await new Promise((resolve) => setImmediate(resolve));
    logs.add('g', 'y\n');
  });

  test('a client that gives no sign of life is cut', async () => {
    const { port, logs, clock, count } = await serve();
    logs.add('g', 'x\n');
    const { socket, until } = follow(port, '/generators/g/logs');
    await until('x\n');
    const pinged = once(socket, 'ping');
    await clock.advanceMs(30_000);
    await pinged;
    // The answer is on its way; one more round trip on the same connection shows that it has come.
    const answered = once(socket, 'pong');
    socket.ping();
    await answered;
    await clock.advanceMs(30_000);
    expect(count()).toBe(1);
    socket.pause();
    await clock.advanceMs(30_000);
    await clock.advanceMs(30_000);
    while (count() > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test('a client that sends more than a little is closed', async () => {
    const { port, logs } = await serve();
    logs.add('g', 'x\n');
    const { socket, until, closed } = follow(port, '/generators/g/logs');
    await until('x\n');
    socket.send('hello');
    socket.send('x'.repeat(2_000));
    expect(await closed).toMatch(/^1009/);
  });
});

describe('close codes', () => {
  test.each([
    ['/generators/nobody/logs', '1008 there is no generator "nobody"'],
    ['/generators/quiet/logs', '1013 nothing logged yet: try again later'],
    ['/generators/broken/logs', '1011 no such luck'],
  ])('%s: %s', async (path, expected) => {
    const { port } = await serve();
    expect(await follow(port, path).closed).toBe(expected);
  });

  test('1001 when the service stops; who does not answer is cut', async () => {
    const { port, logs, count } = await serve();
    logs.add('g', 'x\n');
    const polite = follow(port, '/generators/g/logs');
    const deaf = follow(port, '/generators/g/logs');
    await Promise.all([polite.until('x\n'), deaf.until('x\n')]);
    deaf.socket.pause();
    await Promise.all(ending.splice(0).map((end) => end()));
    expect(await polite.closed).toBe('1001 the service is stopping');
    expect(count()).toBe(0);
    deaf.socket.terminate();
  });

  test('1008 at once when the session ends', async () => {
    const { port, url, logs } = await serve(oneUser('ann', 'pw'));
    logs.add('g', 'x\n');
    const login = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('ann:pw').toString('base64')}` },
    });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const { until, closed } = follow(port, '/generators/g/logs', {
      cookie,
      origin: `http://localhost:${port}`,
    });
    await until('x\n');
    await fetch(`${url}/api/auth/logout`, { method: 'POST', headers: { cookie } });
    expect(await closed).toBe('1008 the session has ended: log in again');
  });
});

describe('handshakes', () => {
  test('need credentials as every other request does', async () => {
    const { port } = await serve(oneUser('ann', 'pw'));
    expect(await follow(port, '/generators/g/logs').refused).toBe(401);
  });

  test('of pages of other sites are refused', async () => {
    const { port } = await serve();
    expect(await follow(port, '/generators/g/logs', { origin: 'https://evil.com' }).refused).toBe(403);
  });

  test.each([
    ['/generators/g/logs?end_offset=x', 422],
    ['/generators/g/logs?end_offset=-1', 422],
    ['/generators/g/logs?other=1', 422],
    ['/generators/a%2Fb/logs', 422],
    ['/generators/g', 404],
    ['/nowhere', 404],
  ])('%s is %d', async (path, status) => {
    const { port } = await serve();
    expect(await follow(port, path).refused).toBe(status);
  });

  test('beyond the limit are rejected until a client leaves', async () => {
    const { port, logs, count } = await serve(LOCAL, 1);
    logs.add('g', 'x\n');
    const first = follow(port, '/generators/g/logs');
    await first.until('x\n');
    expect(await follow(port, '/generators/g/logs').refused).toBe(429);
    first.socket.close();
    await first.closed;
    while (count() > 0) await new Promise((resolve) => setImmediate(resolve));
    await follow(port, '/generators/g/logs').until('x\n');
  });

  test('without an upgrade are told what the path is for', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/api/generators/g/logs`);
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(await response.json()).toMatchObject({ code: 'upgrade_required' });
  });

  test('carry the version', async () => {
    const { port, logs } = await serve();
    logs.add('g', 'x\n');
    const { socket } = follow(port, '/generators/g/logs');
    const [response] = (await once(socket, 'upgrade')) as [{ headers: Record<string, string> }];
    expect(response.headers['x-spate-version']).toBe(VERSION);
  });
});
