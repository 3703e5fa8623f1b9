import { afterEach, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { TailLimits, TailSample } from '../../../src/domain/events/tail.js';
import { type BoardRow, makeBoard } from '../../../src/domain/stats/board.js';
import { NO_HEALTH } from '../../../src/domain/stats/health.js';
import { tailStreams } from '../../../src/http/streams/tail.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { dataOf, eventReader } from '../../support/servers/eventSource.js';

const row = (phase: BoardRow['phase'], reason: string | null = null): BoardRow => ({
  phase,
  isUp: true,
  reason,
  error_code: null,
  plugins: null,
  stats: null,
  startedAt: null,
  isLive: true,
  health: NO_HEALTH,
});

const sample = (texts: readonly string[], counts: Partial<TailSample> = {}): TailSample => ({
  ...{ find: '', searched: 0, skipped: 0, found: 0 },
  heads: texts.map((text) => ({ text, bytes: Buffer.byteLength(text), is_cut: false })),
  ...counts,
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const setUp = (max_clients = 32) => {
  const board = makeBoard();
  const clock = fakeClock();
  const open = new Map<(sample: TailSample) => void, TailLimits>();
  const byId = new Map<string, (sample: TailSample) => void>();
  const streams = tailStreams({
    board,
    clock,
    max_clients,
    tails: {
      open: (id, limits, onSample) => {
        open.set(onSample, limits);
        byId.set(`${id} ${limits.find}`.trim(), onSample);
        return () => void open.delete(onSample);
      },
    },
  });
  closing.push(streams.end);
  board.noteGenerator('g', row('running'));
  const start = (rate = 10, max_bytes = 100) => {
    const opened = streams.open({ id: 'g', rate, max_bytes });
    if (E.isLeft(opened)) throw new Error(opened.left.message);
    return opened.right;
  };
  const give = (...texts: readonly string[]): void => {
    for (const onSample of open.keys()) onSample(sample(texts));
  };
  return { board, clock, open, byId, streams, start, give };
};

const texts = (reader: ReturnType<typeof eventReader>): readonly string[] =>
  dataOf<{ text: string }>(reader.events(), 'event').map(({ text }) => text);

test('events are sent unchanged, line breaks included; the phase comes first and on each change', async () => {
  const { board, clock, start, give } = setUp();
  const reader = eventReader(start());
  await clock.settle();
  give('one', 'two\nlines\r\n', 'ümlaut €');
  board.noteGenerator('other', row('failed'));
  await clock.settle();
  board.noteGenerator('g', row('failed', 'no disk'));
  await clock.settle();
  board.noteGenerator('g', null);
  await clock.settle();
  expect(texts(reader)).toEqual(['one', 'two\nlines\r\n', 'ümlaut €']);
  expect(dataOf(reader.events(), 'state')).toEqual([
    { phase: 'running', reason: null },
    { phase: 'failed', reason: 'no disk' },
    { phase: 'removed', reason: null },
  ]);
});

test('each client has its own limits', async () => {
  const { clock, start, give } = setUp();
  const slow = eventReader(start(2, 16));
  const fast = eventReader(start(1_000, 1_000));
  await clock.settle();
  const long = 'x'.repeat(100);
  give(long, 'b', 'c');
  await clock.advanceMs(500);
  give('d', 'e');
  await clock.settle();
  expect(texts(slow)).toEqual(['x'.repeat(16), 'b', 'd']);
  expect(dataOf(slow.events(), 'event')[0]).toEqual({ text: 'x'.repeat(16), is_cut: true });
  expect(texts(fast)).toEqual([long, 'b', 'c', 'd', 'e']);
});

test('nothing is copied for a client that has gone, and it makes room for another', async () => {
  const { clock, open, start, streams } = setUp(1);
  const reader = eventReader(start(7));
  await clock.settle();
  expect([...open.values()].map(({ rate }) => rate)).toEqual([7]);
  expect(streams.open({ id: 'g', rate: 1, max_bytes: 16 })).toMatchObject({
    left: { code: 'too_many_requests' },
  });
  await reader.close();
  expect([open.size, streams.count()]).toEqual([0, 0]);
  expect(E.isRight(streams.open({ id: 'g', rate: 1, max_bytes: 16 }))).toBe(true);
});

test('a missing generator cannot be tailed', () => {
  expect(setUp().streams.open({ id: 'x', rate: 1, max_bytes: 16 })).toMatchObject({
    left: { code: 'not_found' },
  });
});

test('a slow client gets the newest events and is told how many it missed', async () => {
  const { clock, start, give } = setUp();
  const iterator = start(1_000, 1_000)[Symbol.asyncIterator]();
  await iterator.next();
  for (let second = 0; second < 5; second++) {
    give(...Array.from({ length: 1_000 }, (_, index) => String(second * 1_000 + index)));
    await clock.advanceMs(1_000);
  }
  const text = Buffer.from((await iterator.next()).value as Uint8Array).toString();
  expect(text.startsWith('event: missed\ndata: {"count":4000}\n\n')).toBe(true);
  expect(text.match(/event: event/g)).toHaveLength(1_000);
  expect(text).toContain('"4999"');
});

test('what waits for a slow client is bounded in bytes too', async () => {
  const { clock, start, give } = setUp();
  const iterator = start(1_000, 1_000_000)[Symbol.asyncIterator]();
  await iterator.next();
  for (let i = 0; i < 10; i++) {
    give('x'.repeat(1_000_000));
    await clock.advanceMs(1_000);
  }
  const text = Buffer.from((await iterator.next()).value as Uint8Array).toString();
  expect(text).toContain('{"count":8}');
  expect(text.length).toBeLessThan(2_100_000);
});

test('a quiet stream gets a comment now and then, and ends when the service does', async () => {
  const { clock, start, streams } = setUp();
  const reader = eventReader(start());
  await clock.advanceMs(31_000);
  expect(reader.events().filter(({ event }) => event === '')).toHaveLength(3);
  streams.end();
  await reader.ended;
});

test('one stream carries several generators, each with its own limits, and one that comes later', async () => {
  const { board, clock, byId, open, streams } = setUp();
  const opened = streams.openAll({ ids: ['g', 'later'], rate: 2, max_bytes: 100 });
  if (E.isLeft(opened)) throw new Error(opened.left.message);
  const reader = eventReader(opened.right);
  await clock.settle();
  byId.get('g')?.(sample(['1', '2', '3']));
  board.noteGenerator('later', row('running'));
  byId.get('later')?.(sample(['first']));
  await clock.settle();
  expect(dataOf(reader.events(), 'event')).toEqual([
    { id: 'g', text: '1', is_cut: false },
    { id: 'g', text: '2', is_cut: false },
    { id: 'later', text: 'first', is_cut: false },
  ]);
  expect(dataOf(reader.events(), 'state')).toEqual([
    { id: 'g', phase: 'running', reason: null },
    { id: 'later', phase: 'removed', reason: null },
    { id: 'later', phase: 'running', reason: null },
  ]);
  expect(streams.count()).toBe(1);
  await reader.close();
  expect([open.size, streams.count()]).toEqual([0, 0]);
});

test('a search sends what it finds, and adds up what it has looked at', async () => {
  const { clock, byId, streams } = setUp();
  const opened = streams.open({ id: 'g', find: ' denied ', rate: 10, max_bytes: 100 });
  if (E.isLeft(opened)) throw new Error(opened.left.message);
  const reader = eventReader(opened.right);
  await clock.settle();
  const give = byId.get('g denied');
  give?.(sample(['access denied'], { searched: 900, skipped: 100, found: 1 }));
  give?.(sample([], { searched: 50 }));
  await clock.settle();
  expect(dataOf(reader.events(), 'event')).toEqual([{ text: 'access denied', is_cut: false }]);
  const totals = dataOf<{ searched: number; skipped: number; found: number }>(reader.events(), 'search');
  expect(totals.reduce((sum, { searched }) => sum + searched, 0)).toBe(950);
  expect(totals.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(100);
  expect(totals.reduce((sum, { found }) => sum + found, 0)).toBe(1);
});

test('several searches in one stream are told apart by their text; an empty one shows all events', async () => {
  const { clock, byId, open, streams } = setUp();
  const opened = streams.openAll({ ids: ['g'], find: ['', 'denied', 'denied '], rate: 10, max_bytes: 100 });
  if (E.isLeft(opened)) throw new Error(opened.left.message);
  const reader = eventReader(opened.right);
  await clock.settle();
  expect([...open.values()].map(({ find }) => find)).toEqual(['', 'denied']);
  byId.get('g')?.(sample(['any']));
  byId.get('g denied')?.(sample(['denied'], { searched: 5, found: 1 }));
  await clock.settle();
  expect(dataOf(reader.events(), 'event')).toEqual([
    { id: 'g', text: 'any', is_cut: false },
    { id: 'g', find: 'denied', text: 'denied', is_cut: false },
  ]);
  expect(dataOf(reader.events(), 'search')).toEqual([
    { id: 'g', find: 'denied', searched: 5, skipped: 0, found: 1 },
  ]);
});
