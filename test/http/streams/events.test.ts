import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  type Board,
  type BoardRow,
  type GeneratorState,
  makeBoard,
} from '../../../src/domain/stats/board.js';
import { NO_HEALTH } from '../../../src/domain/stats/health.js';
import { recordDuration } from '../../../src/domain/stats/histogram.js';
import { addTo, makeStats, type Stats } from '../../../src/domain/stats/stats.js';
import type { Auth } from '../../../src/http/access/auth.js';
import {
  type EventStreams,
  type EventStreamsOptions,
  eventStreams,
} from '../../../src/http/streams/events.js';
import type { Ask } from '../../../src/messages/ask.js';
import { type FakeClock, fakeClock } from '../../support/clocks/fakeClock.js';
import { right } from '../../support/either.js';
import { dataOf, type EventReader, eventReader } from '../../support/servers/eventSource.js';
import { LOCAL, oneUser, startServer } from '../support.js';

type State = GeneratorState & { readonly id: string };
interface StatsData {
  readonly generators: readonly { readonly id: string; readonly produced?: number }[];
}

const row = (phase: BoardRow['phase'], stats: Stats | null = null): BoardRow => ({
  phase,
  isUp: phase === 'running',
  reason: null,
  error_code: null,
  plugins: null,
  stats,
  startedAt: null,
  isLive: true,
  health: NO_HEALTH,
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const setUp = (
  more: Partial<EventStreamsOptions> = {},
): { readonly board: Board; readonly clock: FakeClock; readonly streams: EventStreams } => {
  const board = makeBoard();
  const clock = fakeClock();
  const streams = eventStreams({ board, clock, epoch: 'e1', past: () => new Map(), ...more });
  closing.push(streams.end);
  return { board, clock, streams };
};

const openRaw = (streams: EventStreams, ids: readonly string[] = [], last_event_id: string | null = null) => {
  const opened = streams.open({ ids, last_event_id, past: 0 });
  if (E.isLeft(opened)) throw new Error(opened.left.message);
  return opened.right;
};
const open = (...given: Parameters<typeof openRaw>): EventReader => eventReader(openRaw(...given));

const phases = (reader: EventReader): readonly string[] =>
  dataOf<State>(reader.events(), 'generator').map(({ id, phase }) => `${id} ${phase}`);

describe('state changes', () => {
  test('begin with what is there, then come as they happen', async () => {
    const { board, clock, streams } = setUp();
    board.noteGenerator('a', row('running'));
    board.noteGenerator('b', row('idle'));
    board.noteScenario('s', '"v1"');
    const reader = open(streams);
    await clock.settle();
    expect(phases(reader)).toEqual(['a running', 'b idle']);
    board.noteGenerator('a', { ...row('failed'), reason: 'no disk', error_code: 'unwritable' });
    board.noteGenerator('b', null);
    board.noteScenario('s', '"v2"');
    await clock.settle();
    expect(dataOf<State>(reader.events(), 'generator').slice(2)).toEqual([
      { id: 'a', phase: 'failed', is_up: false, reason: 'no disk', error_code: 'unwritable', ...NO_HEALTH },
      { id: 'b', phase: 'removed', is_up: false, reason: null, error_code: null, ...NO_HEALTH },
    ]);
    expect(dataOf(reader.events(), 'scenario')).toEqual([
      { name: 's', etag: '"v1"' },
      { name: 's', etag: '"v2"' },
    ]);
  });

  test('of other generators than the wanted ones are left out', async () => {
    const { board, clock, streams } = setUp();
    board.noteGenerator('a', row('idle'));
    board.noteGenerator('b', row('idle'));
    const reader = open(streams, ['b', 'later']);
    await clock.settle();
    for (const id of ['a', 'b', 'later']) board.noteGenerator(id, row('running'));
    board.noteScenario('s', null);
    await clock.settle();
    expect(phases(reader)).toEqual(['b idle', 'b running', 'later running']);
    expect(dataOf(reader.events(), 'scenario')).toEqual([{ name: 's', etag: null }]);
  });

  test('who comes back is told what has changed since', async () => {
    const { board, clock, streams } = setUp();
    for (const id of ['a', 'b', 'c']) board.noteGenerator(id, row('idle'));
    const first = open(streams);
    await clock.settle();
    const last = first.events().at(-1)?.id ?? null;
    await first.close();
    board.noteGenerator('a', row('running'));
    board.noteGenerator('a', row('stopped'));
    board.noteGenerator('b', null);
    const second = open(streams, [], last);
    await clock.settle();
    expect(phases(second)).toEqual(['a stopped', 'b removed']);
    expect(second.events().some(({ event }) => event === 'reset')).toBe(false);
  });

  test.each([
    ['of another instance', 'e0.2'],
    ['that is still to come', 'e1.99'],
    ['that is none', 'nonsense'],
  ])('who comes back with an id %s begins anew, and is told so first', async (_what, id) => {
    const { board, clock, streams } = setUp();
    board.noteGenerator('a', row('idle'));
    const reader = open(streams, [], id);
    await clock.settle();
    expect(reader.events().map(({ event }) => event)).toEqual(['', 'reset', 'generator']);
  });

  test('who missed that a generator went begins anew', async () => {
    const { board, clock, streams } = setUp();
    board.noteGenerator('stays', row('idle'));
    board.noteGenerator('goes', row('idle'));
    for (let i = 0; i < 1_001; i++) {
      board.noteGenerator(`short-${i}`, row('idle'));
      if (i === 0) board.noteGenerator('goes', null);
      board.noteGenerator(`short-${i}`, null);
    }
    const reader = open(streams, [], 'e1.2');
    await clock.settle();
    expect(reader.events().map(({ event }) => event)).toEqual(['', 'reset', 'generator']);
  });

  test('of more generators than fit into one piece all arrive, once', async () => {
    const { board, clock, streams } = setUp();
    const ids = Array.from({ length: 1_050 }, (_, index) => `g${index}`);
    for (const id of ids) board.noteGenerator(id, row('idle'));
    const reader = open(streams);
    await clock.settle();
    await clock.settle();
    expect(dataOf<State>(reader.events(), 'generator').map(({ id }) => id)).toEqual(ids);
  });
});

describe('statistics', () => {
  const produced = (reader: EventReader): readonly (readonly string[])[] =>
    dataOf<StatsData>(reader.events(), 'stats').map(({ generators }) =>
      generators.map(({ id, produced: count = 0 }) => `${id} ${count}`),
    );

  test('come at once, then every second for those whose counters have changed', async () => {
    const { board, clock, streams } = setUp();
    const [a, b] = [makeStats(1, 1), makeStats(1, 1)];
    board.noteGenerator('a', row('running', a));
    board.noteGenerator('b', row('running', b));
    board.noteGenerator('never', row('idle'));
    const reader = open(streams);
    await clock.settle();
    addTo(b, 'produced', 5);
    await clock.advanceMs(1_000);
    await clock.advanceMs(1_000);
    addTo(a, 'produced', 7);
    await clock.advanceMs(1_000);
    expect(produced(reader)).toEqual([['a 0', 'b 0'], ['b 5'], ['a 7']]);
  });

  test('leave out what is 0', async () => {
    const { board, clock, streams } = setUp();
    const stats = makeStats(1, 1);
    addTo(stats, 'dropped', 2);
    board.noteGenerator('a', row('running', stats));
    const reader = open(streams);
    await clock.settle();
    expect(dataOf(reader.events(), 'stats')).toEqual([
      { at: expect.stringMatching(/Z$/), generators: [{ id: 'a', dropped: 2 }] },
    ]);
  });

  test('include the lateness that 99 % of the events keep', async () => {
    const { board, clock, streams } = setUp();
    const stats = makeStats(1, 1);
    recordDuration(stats.lateness, 7, 3);
    board.noteGenerator('a', row('running', stats));
    const reader = open(streams);
    await clock.settle();
    expect(dataOf<StatsData>(reader.events(), 'stats')[0]?.generators).toEqual([
      { id: 'a', lateness_p99_us: 7 },
    ]);
  });

  test('are those of the wanted generators', async () => {
    const { board, clock, streams } = setUp();
    board.noteGenerator('a', row('running', makeStats(1, 1)));
    board.noteGenerator('b', row('running', makeStats(1, 1)));
    const reader = open(streams, ['b']);
    await clock.settle();
    expect(produced(reader)).toEqual([['b 0']]);
  });

  test('no counters are read without clients', async () => {
    const { board, clock, streams } = setUp();
    board.noteGenerator('a', row('running', makeStats(1, 1)));
    const reader = open(streams);
    await clock.settle();
    await reader.close();
    expect([streams.count(), board.isWatched()]).toEqual([0, false]);
    let looks = 0;
    const { rows } = board;
    Object.assign(board, {
      rows: () => {
        looks++;
        return rows();
      },
    });
    await clock.advanceMs(10_000);
    expect(looks).toBe(0);
  });
});

test('a quiet stream gets a comment now and then', async () => {
  const { clock, streams } = setUp();
  const reader = open(streams);
  await clock.advanceMs(31_000);
  expect(reader.events().filter(({ event }) => event === '')).toHaveLength(3);
});

test('a client that reads nothing gets the latest state of each, and the newest statistics only', async () => {
  const { board, clock, streams } = setUp();
  const stats = makeStats(1, 1);
  const iterator = openRaw(streams)[Symbol.asyncIterator]();
  await iterator.next();
  for (let i = 0; i < 10_000; i++) {
    board.noteGenerator(`g${i % 3}`, row(i % 2 === 0 ? 'running' : 'stopped', stats));
    if (i % 1_000 !== 0) continue;
    addTo(stats, 'produced', 1);
    await clock.advanceMs(1_000);
  }
  const text = Buffer.from((await iterator.next()).value as Uint8Array).toString();
  expect(text.match(/event: generator/g)).toHaveLength(3);
  expect(text.match(/event: stats/g)).toHaveLength(1);
  expect(text).toContain('"produced":10');
});

test('there is a limit of clients, and who goes makes room', async () => {
  const { streams } = setUp({ max_clients: 1 });
  const reader = open(streams);
  expect(streams.open({ ids: [], last_event_id: null, past: 0 })).toMatchObject({
    left: { code: 'too_many_requests' },
  });
  await reader.close();
  expect(E.isRight(streams.open({ ids: [], last_event_id: null, past: 0 }))).toBe(true);
});

test('a stream that asks for the past begins with the rates of the last seconds of its generators', async () => {
  const asked: number[] = [];
  const past = (seconds: number) => {
    asked.push(seconds);
    return new Map([
      ['a', [null, 1, 2]],
      ['b', [3]],
    ]);
  };
  const { clock, streams } = setUp({ past });
  const reader = eventReader(right(streams.open({ ids: ['a'], last_event_id: null, past: 60 })));
  await clock.settle();
  expect(dataOf(reader.events(), 'past')).toEqual([{ generators: [{ id: 'a', produced: [null, 1, 2] }] }]);
  const without = open(streams);
  await clock.settle();
  expect([dataOf(without.events(), 'past'), asked]).toEqual([[], [60]]);
});

describe('over HTTP', () => {
  type Chunks = AsyncIterable<Uint8Array>;
  const serve = async (through: (chunks: Chunks) => Chunks = (chunks) => chunks, auth: Auth = LOCAL) => {
    const { board, streams } = setUp();
    const server = await startServer({
      auth,
      ask: (async (_type: string, payload: Parameters<EventStreams['open']>[0]) =>
        E.map(through)(streams.open(payload))) as unknown as Ask,
    });
    return { board, streams, server };
  };

  test('has the headers of an event stream and resumes by Last-Event-ID', async () => {
    const { board, streams, server } = await serve();
    board.noteGenerator('a', row('idle'));
    board.noteGenerator('b', row('idle'));
    const response = await fetch(`${server.url}/api/events`, { headers: { 'last-event-id': 'e1.1' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    if (response.body === null) throw new Error('no body');
    const reader = eventReader(response.body);
    const events = await reader.until((all) => all.length > 1);
    expect(dataOf<State>(events, 'generator').map(({ id }) => id)).toEqual(['b']);
    streams.end();
    await reader.ended;
    await server.server.stop(1_000);
  });

  test('HEAD opens no stream', async () => {
    const { streams, server } = await serve();
    const response = await fetch(`${server.url}/api/events`, { method: 'HEAD' });
    expect([response.status, streams.count()]).toEqual([200, 0]);
    await server.server.stop(1_000);
  });

  test('it ends with the session of its reader', async () => {
    const { board, server } = await serve((chunks) => chunks, oneUser('ann', 'pw'));
    const login = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('ann:pw').toString('base64')}` },
    });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const response = await fetch(`${server.url}/api/events`, { headers: { cookie } });
    if (response.body === null) throw new Error('no body');
    const reader = eventReader(response.body);
    board.noteGenerator('a', row('idle'));
    await reader.until((all) => dataOf(all, 'generator').length === 1);
    await fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers: { cookie } });
    // Although nothing is sent.
    await reader.ended;
    board.noteGenerator('secret', row('idle'));
    expect(dataOf<State>(reader.events(), 'generator').map(({ id }) => id)).toEqual(['a']);
    await server.server.stop(1_000);
  });

  test('a client that goes away is forgotten', async () => {
    const { streams, server } = await serve();
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    expect(streams.count()).toBe(1);
    socket.destroy();
    while (streams.count() > 0) await new Promise((resolve) => setImmediate(resolve));
    await server.server.stop(1_000);
  });

  test('a client that stops reading is not written to any more, however much happens', async () => {
    let taken = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        taken += chunk.length;
        yield chunk;
      }
    };
    const { board, streams, server } = await serve((chunks) => counted(chunks));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.pause();
    const reason = 'x'.repeat(1_000);
    const change = async (rounds: number): Promise<void> => {
      for (let i = 0; i < rounds; i++) {
        for (const id of 'abcdefghij')
          board.noteGenerator(id, { ...row('failed'), reason: `${taken} ${i} ${reason}` });
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // 30 MB: more than the buffers of a connection hold.
    await change(3_000);
    const before = taken;
    await change(3_000);
    process.stderr.write(`a client that stopped reading was sent ${before} of 30,000,000 bytes\n`);
    expect(taken).toBe(before);
    streams.end();
    socket.destroy();
    await server.server.stop(1_000);
  });
});
