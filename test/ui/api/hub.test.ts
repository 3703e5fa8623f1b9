import { describe, expect, test } from '@jest/globals';
import { makeHub, SILENT_MS } from '../../../src/ui/api/streams/hub.js';
import { type LiveGenerator, withLiveNews } from '../../../src/ui/api/streams/liveStates.js';
import type { HubPorts, News, StreamMessage, StreamSource } from '../../../src/ui/api/streams/protocol.js';

/** A stream that says what the test tells it. */
class FakeSource implements StreamSource {
  onopen: StreamSource['onopen'] = null;
  onerror: StreamSource['onerror'] = null;
  readyState = 1;
  readonly listeners = new Map<string, (event: StreamMessage) => void>();
  constructor(readonly url: string) {}
  addEventListener(kind: string, listener: (event: StreamMessage) => void): void {
    this.listeners.set(kind, listener);
  }
  close(): void {
    this.readyState = 2;
  }
  say(kind: string, data: unknown, lastEventId = ''): void {
    this.listeners.get(kind)?.({ data: JSON.stringify(data), lastEventId });
  }
  open(): void {
    this.onopen?.();
  }
  fail(isClosed: boolean): void {
    if (isClosed) this.readyState = 2;
    this.onerror?.();
  }
}

interface Timer {
  at: number;
  readonly every: number | null;
  readonly run: () => void;
}

const setUp = () => {
  let now = 0;
  const timers = new Set<Timer>();
  const sources: FakeSource[] = [];
  const timed = (ms: number, run: () => void, every: number | null): (() => void) => {
    const timer = { at: now + ms, every, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const ports: HubPorts = {
    open: (url) => {
      const source = new FakeSource(url);
      sources.push(source);
      return source;
    },
    nowMs: () => now,
    after: (ms, run) => timed(ms, run, null),
    every: (ms, run) => timed(ms, run, ms),
  };
  const advance = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const next = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      now = next.at;
      if (next.every === null) timers.delete(next);
      else next.at += next.every;
      next.run();
    }
    now = end;
  };
  const hub = makeHub(ports);
  const tab = () => {
    const news: News[] = [];
    let shown: ReadonlyMap<string, LiveGenerator> = new Map();
    const { want } = hub.join((one) => {
      news.push(one);
      if (one.kind === 'live') shown = withLiveNews(shown, one);
    });
    const tail = (id: string, find = '') =>
      news.flatMap((one) =>
        one.kind === 'tail' && one.id === id && one.find === find ? one.events.map(({ text }) => text) : [],
      );
    return { want, news, tail, shown: () => shown };
  };
  const open = () => sources.filter(({ readyState }) => readyState !== 2);
  const urls = () => open().map(({ url }) => decodeURIComponent(url).replace(/&max_bytes=\d+/, ''));
  return { hub, tab, advance, open, urls };
};

const NONE = { tails: [] };
const tailOf = (id: string, rate = 5, find = '') => ({ tails: [{ id, rate, find }] });
const STATE = { phase: 'running', reason: null, error_code: null };
const second = (n: number): string => new Date(n * 1_000).toISOString();

describe('the streams of a browser', () => {
  test('eight tabs with eight tails have two streams', () => {
    const { tab, advance, urls } = setUp();
    for (let n = 0; n < 8; n++) tab().want(tailOf(`g${n}`));
    advance(100);
    expect(urls()).toEqual([
      '/api/events?past=60',
      '/api/tails?id=g0&id=g1&id=g2&id=g3&id=g4&id=g5&id=g6&id=g7&rate=5',
    ]);
  });

  test('searches of several tabs share the stream, and each tab gets what its own finds', () => {
    const { tab, advance, urls, open } = setUp();
    const [all, denied, other] = [tab(), tab(), tab()];
    all.want(tailOf('a'));
    denied.want(tailOf('a', 5, 'denied'));
    other.want(tailOf('b', 5, 'x y'));
    advance(100);
    expect(urls()).toEqual(['/api/events?past=60', '/api/tails?id=a&id=b&find=&find=denied&find=x+y&rate=5']);
    const [, tails] = open();
    tails?.say('event', { id: 'a', text: 'any', is_cut: false });
    tails?.say('event', { id: 'a', find: 'denied', text: 'access denied', is_cut: false });
    tails?.say('event', { id: 'a', find: 'x y', text: 'nobody asked', is_cut: false });
    tails?.say('search', { id: 'a', find: 'denied', searched: 900, skipped: 100, found: 1 });
    tails?.say('search', { id: 'a', find: 'denied', searched: 50, skipped: 0, found: 0 });
    advance(300);
    expect([all.tail('a'), denied.tail('a', 'denied'), other.tail('b', 'x y')]).toEqual([
      ['any'],
      ['access denied'],
      [],
    ]);
    const counts = denied.news.flatMap((one) => (one.kind === 'tail' ? [one.counts] : []));
    expect(counts).toEqual([{ searched: 950, skipped: 100, found: 1 }]);
  });

  test('a tab that leaves releases its tail; the last one ends the streams', () => {
    const { tab, advance, urls } = setUp();
    const [a, b] = [tab(), tab()];
    a.want(tailOf('a'));
    b.want(tailOf('b'));
    advance(100);
    a.want(null);
    advance(100);
    expect(urls()).toEqual(['/api/events?past=60', '/api/tails?id=b&rate=5']);
    b.want(null);
    advance(100);
    expect(urls()).toEqual(['/api/events?past=60']);
    advance(5_000);
    expect(urls()).toEqual([]);
  });

  test('a tab that crashes releases its tail, one that repeats its wish keeps it', () => {
    const { tab, advance, urls } = setUp();
    const [crashed, healthy] = [tab(), tab()];
    crashed.want(tailOf('a'));
    healthy.want(tailOf('b'));
    for (let ms = 0; ms < SILENT_MS * 2; ms += 5_000) {
      advance(5_000);
      healthy.want(tailOf('b'));
    }
    expect(urls()).toEqual(['/api/events?past=60', '/api/tails?id=b&rate=5']);
  });

  test('each tab gets its own tails, as many events as it wants', () => {
    const { tab, advance, open } = setUp();
    const [slow, fast, other] = [tab(), tab(), tab()];
    slow.want(tailOf('a', 1));
    fast.want(tailOf('a', 20));
    other.want(tailOf('b', 5));
    advance(100);
    const tails = open()[1] as FakeSource;
    expect(tails.url).toContain('rate=20');
    for (let n = 0; n < 4; n++) tails.say('event', { id: 'a', text: String(n), is_cut: false });
    tails.say('event', { id: 'b', text: 'x', is_cut: false });
    advance(300);
    expect([slow.tail('a'), fast.tail('a'), other.tail('a'), other.tail('b')]).toEqual([
      ['0'],
      ['0', '1', '2', '3'],
      [],
      ['x'],
    ]);
  });

  test('a lost tail is told, and a refused one is opened again', () => {
    const { tab, advance, open } = setUp();
    const one = tab();
    one.want(tailOf('a'));
    advance(100);
    (open()[1] as FakeSource).fail(true);
    expect(one.news.at(-1)).toMatchObject({ kind: 'tail', id: 'a', isLost: true });
    advance(2_100);
    (open()[1] as FakeSource).open();
    expect(one.news.at(-1)).toMatchObject({ kind: 'tail', id: 'a', isLost: false });
  });

  test('a tab that comes later has the rates of before, and none twice', () => {
    const { tab, advance, open } = setUp();
    const first = tab();
    first.want(NONE);
    const events = open()[0] as FakeSource;
    events.open();
    events.say('generator', { id: 'g', ...STATE });
    for (let n = 0; n < 5; n++) {
      events.say('stats', { at: second(n), generators: [{ id: 'g', produced: n * 10 }] });
      advance(n === 4 ? 10 : 1_000);
    }
    const later = tab();
    later.want(NONE);
    advance(100);
    for (const { shown } of [first, later])
      expect(shown().get('g')).toMatchObject({
        phase: 'running',
        counters: { produced: 40 },
        rates: [10, 10, 10, 10],
      });
  });

  test('a stream begins with the past that the service tells, and goes on without a hole or a jump', () => {
    const { tab, advance, open } = setUp();
    const one = tab();
    one.want(NONE);
    const events = open()[0] as FakeSource;
    events.open();
    events.say('past', { generators: [{ id: 'g', produced: [null, 10, 12] }] });
    events.say('generator', { id: 'g', ...STATE });
    events.say('generator', { id: 'idle', ...STATE });
    events.say('stats', { at: second(0), generators: [{ id: 'g', produced: 5_000 }] });
    advance(100);
    expect(one.shown().get('g')?.rates).toEqual([0, 10, 12]);
    expect(one.shown().get('idle')?.rates).toEqual([]);
    events.say('stats', { at: second(1), generators: [{ id: 'g', produced: 5_011 }] });
    advance(100);
    expect(one.shown().get('g')?.rates).toEqual([0, 10, 12, 11]);
  });

  test('hidden tabs miss nothing: the service tells what was made in between', () => {
    const { tab, advance, open } = setUp();
    const one = tab();
    one.want(NONE);
    const before = open()[0] as FakeSource;
    before.open();
    before.say('generator', { id: 'g', ...STATE });
    before.say('generator', { id: 'gone', ...STATE });
    before.say('stats', { at: second(0), generators: [{ id: 'g', produced: 0 }] });
    before.say('stats', { at: second(1), generators: [{ id: 'g', produced: 10 }] });
    one.want(null);
    advance(10_000);
    expect(open()).toEqual([]);
    one.want(NONE);
    const after = open()[0] as FakeSource;
    after.open();
    after.say('past', { generators: [{ id: 'g', produced: [10, 3, 4] }] });
    after.say('generator', { id: 'g', ...STATE });
    after.say('stats', { at: second(12), generators: [{ id: 'g', produced: 30 }] });
    after.say('stats', { at: second(13), generators: [{ id: 'g', produced: 35 }] });
    advance(100);
    expect(one.shown().get('g')?.rates).toEqual([10, 3, 4, 5]);
    advance(5_000);
    expect([...one.shown().keys()]).toEqual(['g']);
    // A stream that was lost for a moment tells it again.
    after.fail(false);
    after.open();
    after.say('past', { generators: [{ id: 'g', produced: [1, 2] }] });
    advance(100);
    expect(one.shown().get('g')?.rates).toEqual([1, 2]);
  });

  test('a service that goes away is told to every tab; after a refusal the stream is opened again', () => {
    const { tab, advance, open } = setUp();
    const [a, b] = [tab(), tab()];
    a.want(NONE);
    b.want(NONE);
    (open()[0] as FakeSource).open();
    (open()[0] as FakeSource).fail(true);
    advance(100);
    for (const { news } of [a, b]) expect(news.at(-1)).toMatchObject({ kind: 'live', connection: 'lost' });
    advance(2_000);
    (open()[0] as FakeSource).open();
    advance(100);
    for (const { news } of [a, b]) expect(news.at(-1)).toMatchObject({ kind: 'live', connection: 'open' });
  });

  test('a stream that resumes keeps the generators that it does not repeat', () => {
    const { tab, advance, open } = setUp();
    const one = tab();
    one.want(NONE);
    const events = open()[0] as FakeSource;
    events.open();
    events.say('generator', { id: 'g', ...STATE }, 'e.1');
    events.fail(false);
    events.open();
    advance(10_000);
    expect([...one.shown().keys()]).toEqual(['g']);
  });
});
