import { expect, test } from '@jest/globals';
import { type TailSample, tailLimits } from '../../src/domain/events/tail.js';
import { NO_TWEAKS } from '../../src/domain/generator.js';
import { makeStats } from '../../src/domain/stats/stats.js';
import { tailHub } from '../../src/host/tails.js';
import { definitionOf, scriptedHost } from '../support/pipelines/scriptedHost.js';

const sample = (text: string, find = ''): TailSample => ({
  ...{ find, searched: 0, skipped: 0, found: 0 },
  heads: [{ text, bytes: text.length, is_cut: false }],
});

const setUp = () => {
  const inner = scriptedHost();
  const { tails, wrap } = tailHub();
  const host = wrap(inner);
  const start = (id: string) => {
    const order = { definition: definitionOf(id), stats: makeStats(1, 1), tweaks: NO_TWEAKS };
    return host.start(order, () => {});
  };
  const look = (id: string, rate: number, find = '') => {
    const seen: string[] = [];
    const close = tails.open(id, tailLimits(rate, 100, find), ({ heads }) =>
      seen.push(...heads.map(({ text }) => text)),
    );
    return { seen, close };
  };
  return { inner, start, look };
};

test('a pipeline without viewers gets no message', () => {
  const { inner, start, look } = setUp();
  look('other', 1);
  start('g');
  expect(inner.last().tail).toBeNull();
});

test('several viewers get the widest limits, and the last one ends the copying', () => {
  const { inner, start, look } = setUp();
  start('g');
  const a = look('g', 1);
  const b = look('g', 50);
  expect(inner.last().tail?.viewers[0]?.rate).toBe(50);
  inner.last().tail?.onSample(sample('x'));
  b.close();
  b.close();
  expect(inner.last().tail?.viewers[0]?.rate).toBe(1);
  inner.last().tail?.onSample(sample('y'));
  a.close();
  expect(inner.last().tail?.viewers).toEqual([]);
  inner.last().tail?.onSample(sample('late'));
  expect([a.seen, b.seen]).toEqual([['x', 'y'], ['x']]);
});

test('viewers of different searches get their own events', () => {
  const { inner, start, look } = setUp();
  start('g');
  const all = look('g', 1);
  const some = look('g', 5, ' denied ');
  const same = look('g', 9, 'denied');
  expect(inner.last().tail?.viewers).toMatchObject([
    { find: '', rate: 1 },
    { find: 'denied', rate: 9 },
  ]);
  inner.last().tail?.onSample(sample('x'));
  inner.last().tail?.onSample(sample('access denied', 'denied'));
  expect([all.seen, some.seen, same.seen]).toEqual([['x'], ['access denied'], ['access denied']]);
});

test('a viewer stays connected at the next start, also from before the first', () => {
  const { inner, start, look } = setUp();
  const { seen, close } = look('g', 1);
  start('g');
  inner.last().tail?.onSample(sample('first run'));
  inner.last().tell({ type: 'completed' });
  start('g');
  const [former, next] = inner.runs;
  next?.tail?.onSample(sample('second run'));
  close();
  expect(seen).toEqual(['first run', 'second run']);
  expect([former?.tail?.viewers[0]?.rate, next?.tail?.viewers]).toEqual([1, []]);
});

test('an aborted run gets no more messages', () => {
  const { inner, start, look } = setUp();
  start('g').abort();
  look('g', 1);
  expect(inner.last().tail).toBeNull();
});

test('a run that ends before the host returns gets no message', () => {
  const inner = scriptedHost((run) => run.tell({ type: 'completed' }));
  const { tails, wrap } = tailHub();
  const order = { definition: definitionOf('g'), stats: makeStats(1, 1), tweaks: NO_TWEAKS };
  wrap(inner).start(order, () => {});
  tails.open('g', tailLimits(1, 100), () => {});
  expect(inner.last().tail).toBeNull();
});

test('a viewer of a generator sees the events of all its partitions', () => {
  const { inner, start, look } = setUp();
  const { seen, close } = look('g', 3);
  start('g~0');
  start('g~1');
  const [first, second] = inner.runs;
  first?.tail?.onSample(sample('of 0'));
  second?.tail?.onSample(sample('of 1'));
  first?.tell({ type: 'completed' });
  expect(seen).toEqual(['of 0', 'of 1']);
  close();
  expect([first?.tail?.viewers[0]?.rate, second?.tail?.viewers]).toEqual([3, []]);
});
