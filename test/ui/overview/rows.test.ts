import { describe, expect, test } from '@jest/globals';
import type { GeneratorListItem } from '../../../src/messages/generators.js';
import type { LiveGenerator } from '../../../src/ui/api/streams/liveStates.js';
import { rowMaker, rowTotalsOf, shownRows, type ViewOfRows } from '../../../src/ui/pages/overview/rows.js';

const item = (id: string, more: Partial<GeneratorListItem> = {}): GeneratorListItem => ({
  id,
  path: `${id}/generator.yml`,
  status: {
    is_initializing: false,
    is_running: false,
    is_ended_up: false,
    is_ended_up_successfully: false,
    is_stopping: false,
    phase: 'idle',
    reason: null,
    error_code: null,
    restarts: 2,
    health: 'idle',
    health_reason: null,
    remedy: null,
  },
  start_time: null,
  scenarios: [],
  ...more,
});

const live = (id: string, more: Partial<LiveGenerator> = {}): readonly [string, LiveGenerator] => [
  id,
  {
    id,
    phase: 'running',
    reason: null,
    error_code: null,
    health: { health: 'ok', health_reason: null, remedy: null },
    counters: {},
    rates: [],
    ...more,
  },
];

/** Nodes of the generators of a service without a cluster. */
const ALONE: ReadonlyMap<string, string> = new Map();

const VIEW: ViewOfRows = { filter: '', only: null, phase: null, sort: 'id', isDescending: false };

describe('a row', () => {
  const list = [item('a'), item('b')];
  const counters = {
    written: 7,
    write_failed: 1,
    produce_failed: 2,
    dead_lettered: 4,
    queue_batches: 3,
    lateness_p99_us: 900,
  };

  test('has the counters of the stream, and the rest from the list', () => {
    const [row] = rowMaker()(list, new Map([live('a', { counters, rates: [5, 6] })]), ALONE);
    expect(row).toMatchObject({
      phase: 'running',
      restarts: 2,
      rate: 6,
      late: 900,
      written: 7,
      lost: 3,
      deadLettered: 4,
      queued: 3,
    });
  });

  test('stays the same object while nothing changes', () => {
    const make = rowMaker();
    const before = new Map([live('a'), live('b')]);
    const [a, b] = make(list, before, ALONE);
    const [nextA, nextB] = make(list, new Map([...before, live('b', { rates: [1] })]), ALONE);
    expect(nextA).toBe(a);
    expect(nextB).not.toBe(b);
  });

  test('is another one with the node when the generator moves', () => {
    const make = rowMaker();
    const placed = (node: string) => make(list, new Map(), new Map([['a', node]]));
    const [a, b] = placed('node-1');
    const [movedA, movedB] = placed('node-2');
    expect([a?.node, movedA?.node, b?.node]).toEqual(['node-1', 'node-2', null]);
    expect(movedB).toBe(b);
  });
});

describe('shown rows', () => {
  const phases = { a: 'running', b: 'failed', c: 'stopped' } as const;
  const healths = { a: 'ok', b: 'failing', c: 'idle' } as const;
  const rates = { a: 1, b: 9, c: 9 } as const;
  const ids = ['a', 'b', 'c'] as const;
  const rows = rowMaker()(
    ids.map((id) => item(id, id === 'c' ? { scenarios: ['Shop'] } : {})),
    new Map(
      ids.map((id) => {
        const health = { health: healths[id], health_reason: null, remedy: null };
        return live(id, { phase: phases[id], health, rates: [rates[id]] });
      }),
    ),
    new Map([['a', 'node-1']]),
  );
  const shown = (view: Partial<ViewOfRows>) => shownRows(rows, { ...VIEW, ...view }).map(({ id }) => id);

  test('match id, path, node or scenario', () => {
    expect(shown({ filter: 'node-1' })).toEqual(['a']);
    expect(shown({ filter: ' shop ' })).toEqual(['c']);
    expect(shown({ filter: 'b/gen' })).toEqual(['b']);
  });

  test('are sorted; equal ones by id', () => {
    expect(shown({ sort: 'rate', isDescending: true })).toEqual(['a', 'b', 'c']);
  });

  test('by state begin with what needs attention', () => {
    expect(shown({ sort: 'phase' })).toEqual(['b', 'a', 'c']);
  });

  test('of a running generator that delivers nothing counts as failing and comes first', () => {
    const health = { health: 'failing', health_reason: 'every event fails', remedy: null } as const;
    const two = rowMaker()([item('a'), item('b')], new Map([live('a'), live('b', { health })]), ALONE);
    expect(rowTotalsOf(two)).toMatchObject({ running: 2, failing: 1 });
    expect(shownRows(two, { ...VIEW, sort: 'phase' }).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('of a state are those only', () => {
    expect(shown({ phase: 'failed' })).toEqual(['b']);
  });

  test('of a kind are those only', () => {
    expect(shown({ only: 'failing' })).toEqual(['b']);
    expect(shown({ only: 'degraded' })).toEqual([]);
    const counted = rowMaker()(
      [item('a'), item('b'), item('c')],
      new Map([live('a', { counters: { dead_lettered: 1 } }), live('b', { counters: { abandoned: 1 } })]),
      ALONE,
    );
    const of = (only: ViewOfRows['only']) => shownRows(counted, { ...VIEW, only }).map(({ id }) => id);
    expect([of('dead'), of('lost')]).toEqual([['a'], ['b']]);
  });

  test('add up', () => {
    expect(rowTotalsOf(rows)).toMatchObject({ count: 3, running: 1, failing: 1, rate: 1 });
  });

  test('have no rate at rest, whatever it was before', () => {
    expect(rows.map(({ rate }) => rate)).toEqual([1, 0, 0]);
  });
});
