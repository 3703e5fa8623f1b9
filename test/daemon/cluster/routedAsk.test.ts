import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import { routedAsk } from '../../../src/daemon/cluster/routedAsk.js';
import { failure } from '../../../src/domain/errors.js';
import type { SeriesPart } from '../../../src/domain/stats/series.js';
import type { GeneratorListItem } from '../../../src/messages/generators.js';
import { left, right } from '../../support/either.js';
import { fakeNode } from './fakeNode.js';

const item = (id: string): GeneratorListItem =>
  ({ id, path: 'web/generator.yml', status: { phase: 'running' }, start_time: null, scenarios: [] }) as never;

/** Nodes a, b and c, each with a generator of the list; `only-c` lives on c alone. */
const setUp = (
  local: AskActor = async (type: string) => E.right(type === 'generators.list' ? [item('on-a')] : []),
) => {
  const fake = fakeNode();
  for (const name of ['a', 'b', 'c']) {
    fake.addNode(name, name === 'c' ? { local: ['only-c'] } : {});
    fake.holders.set(`g.on-${name}`, name);
    fake.answers.set(name, (type) => (type === 'generators.list' ? [item(`on-${name}`)] : []));
  }
  fake.addEntries({ id: 'on-a' }, { id: 'on-b' }, { id: 'on-c' });
  const ask = routedAsk({
    local,
    node: fake.node,
    shownPath: (path) => path,
    every: () => () => {},
  });
  /** Resolves to the list, and to the time that it took. */
  const list = async () => {
    const from = fake.clock.monotonicMs();
    const found: GeneratorListItem[][] = [];
    void ask('generators.list', null).then((answer) => void found.push([...right(answer)]));
    await fake.clock.settle();
    while (found.length === 0 && fake.clock.monotonicMs() - from < 200_000) await fake.clock.advanceMs(100);
    const rows = new Map(found.flat().map((one) => [one.id, one]));
    return { rows, took_ms: fake.clock.monotonicMs() - from };
  };
  return { ...fake, ask, list };
};

describe('a list of a cluster', () => {
  test('says why a generator is in quarantine', async () => {
    const { view, list, answers } = setUp();
    view.wanted.set('on-b', { format: 1, state: 'stopped', quarantine: 'in quarantine: why' });
    const stopped = { ...item('on-b'), status: { phase: 'stopped', is_running: false } };
    answers.set('b', () => [stopped]);
    const { rows } = await list();
    expect(rows.get('on-b')?.status).toMatchObject({
      ...{ phase: 'failed', reason: 'in quarantine: why', health: 'failing' },
    });
    expect(rows.get('on-c')?.status.phase).toBe('running');
  });

  test('has the generators of all nodes', async () => {
    const { rows, took_ms } = await setUp().list();
    expect([...rows].map(([id, { node }]) => [id, node])).toEqual([
      ['on-a', 'a'],
      ['on-b', 'b'],
      ['on-c', 'c'],
    ]);
    expect(took_ms).toBe(0);
  });

  test('waits under a second for a frozen node, and shows its generators with the reason', async () => {
    const { answers, list } = setUp();
    answers.set('c', () => null);
    const { rows, took_ms } = await list();
    expect(took_ms).toBeLessThan(1_000);
    expect([...rows.keys()]).toEqual(['on-a', 'on-b', 'on-c', 'only-c']);
    for (const id of ['on-c', 'only-c'])
      expect(rows.get(id)).toMatchObject({
        node: 'c',
        status: { is_running: false, reason: 'its node does not answer (node c: no answer)' },
      });
  });

  test('asks a silent node again only after its next beat', async () => {
    const { answers, asked, sights, list } = setUp();
    answers.set('c', () => null);
    await list();
    asked.splice(0);
    expect((await list()).took_ms).toBe(0);
    expect(asked).toEqual(['b generators.list']);
    sights.set('c', { revision: 2 });
    answers.set('c', () => [item('on-c')]);
    expect((await list()).rows.get('on-c')?.status.phase).toBe('running');
  });

  test('costs nothing for a lost node, whose generators are shown', async () => {
    const { asked, sights, holders, owners, answers, list } = setUp();
    sights.set('c', { isLost: true });
    holders.delete('g.on-c');
    owners.set('g.on-c', 'b');
    answers.set('c', () => null);
    const { rows, took_ms } = await list();
    expect(took_ms).toBe(0);
    expect(asked).toEqual(['b generators.list']);
    expect(rows.get('on-c')).toMatchObject({
      node: null,
      status: { reason: 'node "b" is about to take it' },
    });
    expect(rows.get('only-c')).toMatchObject({
      node: 'c',
      status: { reason: 'its node does not answer (node "c": it is lost)' },
    });
  });

  test('of dead letters or of counters does not wait for a lost node either', async () => {
    const { ask, asked, sights } = setUp();
    sights.set('c', { isLost: true });
    expect(right(await ask('generators.stats_running', null))).toEqual([]);
    expect(right(await ask('dead_letters.list', { id: 'on-a' }))).toEqual([]);
    expect(asked).toEqual(['b generators.stats_running', 'b letters.list']);
  });
});

test('a request about a generator that only a lost node has is refused at once', async () => {
  const { ask, asked, sights } = setUp();
  sights.set('c', { isLost: true });
  expect(await ask('generators.status', { id: 'only-c' })).toMatchObject({
    left: { code: 'unavailable', message: 'generator "only-c": its node "c" is lost' },
  });
  expect(asked).toEqual([]);
});

const NO_GAUGES = {
  ...{ lateness_p50_micros: [0], lateness_p99_micros: [0], delivery_lag_micros: [0] },
  ...{ queue_batches: [0], busy_permille: [0] },
};

describe('series of a cluster', () => {
  const part = (produced: number): SeriesPart => ({
    ...{ from_ms: 1_000, step_ms: 1_000, covered_ms: [1_000], produced: [produced], written: [produced] },
    ...{ failed: [0], dead_lettered: [0], ...NO_GAUGES, lateness_p99_micros: [produced] },
  });
  const query = { from_ms: null, to_ms: null, last_s: 300, step_s: null };

  test('are those of the node that has the generator, and the sum of the nodes that answer', async () => {
    const { clock, ask, answers } = setUp(async () => E.right(part(1)));
    answers.set('b', () => part(10));
    answers.set('c', () => null);
    const sum = ask('observe.series', { id: null, ...query });
    await clock.advanceMs(2_000);
    expect(right(await sum)).toEqual({ ...part(11), lateness_p99_micros: [10] });
    expect(right(await ask('observe.series', { id: 'on-b', ...query }))).toEqual(part(10));
    const refusing = setUp(async () => E.left(failure('invalid', 'too many steps')));
    refusing.answers.set('b', () => part(10));
    refusing.answers.set('c', () => part(10));
    expect(left(await refusing.ask('observe.series', { id: null, ...query })).code).toBe('invalid');
  });

  test('of the busiest generators are chosen from all nodes; one that moved is one', async () => {
    const { clock, ask, answers } = setUp(async () =>
      E.right([
        { id: 'moved', part: part(4) },
        { id: 'own', part: part(5) },
      ]),
    );
    answers.set('b', () => [
      { id: 'moved', part: part(3) },
      { id: 'quiet', part: part(1) },
    ]);
    answers.set('c', () => null);
    const top = ask('observe.busiest', { ...query, count: 2 });
    await clock.advanceMs(2_000);
    expect(right(await top).map(({ id, part: { produced } }) => [id, ...produced])).toEqual([
      ['moved', 7],
      ['own', 5],
    ]);
  });
});

test('a generator of a cluster keeps its id: the answer says what to do instead', async () => {
  const { ask, asked } = setUp();
  for (const id of ['on-a', 'on-b', 'only-c'])
    expect(await ask('generators.rename', { id, to: 'new' })).toMatchObject({
      left: { code: 'wrong_state', message: expect.stringContaining('add an entry with the new id') },
    });
  expect(asked).toEqual([]);
});
