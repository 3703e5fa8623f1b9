import { describe, expect, test } from '@jest/globals';
import { generatorKey } from '../../src/cluster/keys.js';
import { type PlacedEntry, tasksOf, taskTable } from '../../src/cluster/tasks.js';
import { seededRandom } from '../../src/domain/random.js';
import { disorder } from './simulation/faults.js';
import type { SimulatedNode } from './simulation/node.js';
import { doubles, FAIR, makeWorld, missing, type World, type WorldOptions } from './simulation/world.js';

const LEASE_MS = 15_000;
const BEAT_MS = LEASE_MS / 5;
const SETTLED_MS = 20_000;

const entry = (id: string, more: Partial<PlacedEntry> = {}): PlacedEntry => ({
  id,
  scenarios: [],
  partitions: 1,
  runs_on: {},
  ...more,
});

const entries = (count: number): readonly PlacedEntry[] =>
  Array.from({ length: count }, (_, i) => entry(`generator-${i}`));

const world = (
  list: readonly PlacedEntry[],
  names: readonly string[],
  more: Partial<WorldOptions> = {},
): World => {
  const weather = { ...FAIR };
  const made = makeWorld({ seed: 1, entries: list, lease_ms: LEASE_MS, tick_ms: 20, weather, ...more });
  for (const name of names) made.start(name);
  return made;
};

/** Three nodes that run their share of 60 generators. */
const settled = (more: Partial<WorldOptions> = {}): World => {
  const one = world(entries(60), ['a', 'b', 'c'], more);
  safely(one, SETTLED_MS);
  expect(missing(one)).toEqual([]);
  for (const node of one.living()) Object.assign(node.counts, { runs: 0, stops: 0 });
  return one;
};

/** Looks after every tick: `expect` itself would take longer than the simulation. */
const safely = (one: World, ms: number): void =>
  one.run(ms, () => {
    if (doubles(one).length > 0) expect(doubles(one)).toEqual([]);
  });

const node = (one: World, name: string): SimulatedNode => {
  const found = one.living().find((living) => living.name === name);
  if (found === undefined) throw new Error(`no node ${name}`);
  return found;
};

const stops = (one: World): readonly number[] => one.processes().map(({ counts }) => counts.stops);
const share = (one: World, name: string): number => node(one, name).runs.size;

describe('a new cluster', () => {
  test('waits for three beats, then runs every generator once, on all nodes', () => {
    const one = world(entries(300), ['a', 'b', 'c']);
    safely(one, 3 * BEAT_MS);
    expect(one.writes().leases).toBe(0);
    safely(one, 6_000);
    expect(missing(one)).toEqual([]);
    for (const { name } of one.living()) expect(share(one, name)).toBeGreaterThan(60);
  });

  test('runs everything soon also when the leader answers later than the watches show', () => {
    const weather = { ...FAIR, latency_ms: 200 };
    for (const seed of [1, 2, 3, 4]) {
      const one = world(entries(300), ['a', 'b', 'c'], { seed, weather: { ...weather } });
      safely(one, 16_000);
      expect(missing(one)).toEqual([]);
    }
  });

  test('writes one beat per node and fifth of a lease at rest, and no leases', () => {
    const one = settled();
    const before = one.writes();
    safely(one, 10 * BEAT_MS);
    expect(one.writes().leases).toBe(before.leases);
    expect(one.writes().beats - before.beats).toBeGreaterThanOrEqual(3 * 9);
    expect(one.writes().beats - before.beats).toBeLessThanOrEqual(3 * 11);
  });

  test('of one node runs everything', () => {
    const one = world(
      [...entries(5), entry('a', { scenarios: ['s'] }), entry('b', { partitions: 3 })],
      ['a'],
    );
    safely(one, SETTLED_MS);
    expect(missing(one)).toEqual([]);
  });
});

describe('a lost node', () => {
  test('loses its generators to the others within a lease and 5 s, and nothing else moves', () => {
    const one = settled();
    const lost = node(one, 'a').runs.size;
    node(one, 'a').isDead = true;
    safely(one, LEASE_MS + 5_000);
    expect(missing(one)).toEqual([]);
    expect(stops(one)).toEqual([0, 0, 0]);
    const reports = one.living().map(({ member }) => member.report());
    expect(reports.reduce((sum, { takeovers }) => sum + takeovers, 0)).toBe(lost);
    expect(Math.max(...reports.map(({ takeover_ms }) => takeover_ms.max))).toBeLessThan(1_000);
  });

  test('that starts again waits until its former process is lost, and gets its share back', () => {
    const one = settled();
    const owned = share(one, 'a');
    node(one, 'a').isDead = true;
    one.start('a');
    safely(one, LEASE_MS + 5_000);
    expect(missing(one)).toEqual([]);
    safely(one, 2 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(share(one, 'a')).toBe(owned);
  });

  test('that starts again on its state folder takes what it held at once, and nothing moves', () => {
    const one = settled();
    const owned = [...node(one, 'a').runs.keys()].sort();
    node(one, 'a').isDead = true;
    safely(one, 2 * BEAT_MS);
    const again = one.startAgain('a');
    safely(one, 1_000);
    expect(missing(one)).toEqual([]);
    expect([...again.runs.keys()].sort()).toEqual(owned);
    expect(again.member.report()).toMatchObject({ phase: 'member', isNameTaken: false });
    safely(one, 3 * LEASE_MS);
    expect(stops(one)).toEqual([0, 0, 0, 0]);
    expect(one.living().reduce((sum, { counts }) => sum + counts.runs, 0)).toBe(owned.length);
  });

  test.each([12_000, 14_000, 20_000, 60_000])(
    'and all others, cut off for %s ms: each gets back what it held, one after the other',
    (cut_ms) => {
      const one = settled();
      const places = () => one.living().map(({ runs }) => [...runs.keys()].sort());
      const before = places();
      for (const other of one.living()) other.isCut = true;
      safely(one, cut_ms);
      expect(one.living().map(({ runs }) => runs.size)).toEqual([0, 0, 0]);
      for (const name of ['b', 'c', 'a']) {
        node(one, name).isCut = false;
        safely(one, 1_000);
      }
      safely(one, 1_000);
      expect(missing(one)).toEqual([]);
      expect(places()).toEqual(before);
      safely(one, 2 * LEASE_MS);
      expect(stops(one).reduce((sum, count) => sum + count, 0)).toBe(60);
    },
  );

  test('that starts again after its lease takes nothing before it is steady, and then its share', () => {
    const one = settled();
    const owned = share(one, 'a');
    node(one, 'a').isDead = true;
    safely(one, LEASE_MS + 5_000);
    one.startAgain('a');
    safely(one, 2 * BEAT_MS);
    expect(share(one, 'a')).toBe(0);
    safely(one, 2 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(share(one, 'a')).toBe(owned);
  });

  test('that starts again takes nothing else before it is steady, and then gives back what is no longer its own', () => {
    const one = settled();
    node(one, 'b').member.noteDrain(true);
    safely(one, LEASE_MS);
    one.weather.drain_ms = 3_000;
    node(one, 'b').member.noteDrain(false);
    // It dies while it gives another node its share again, which does not notice at once.
    const isGiving = ({ runs }: SimulatedNode) => [...runs.values()].some(({ restMs }) => restMs !== null);
    while (!isGiving(node(one, 'a'))) safely(one, 100);
    const held = [...node(one, 'a').runs.keys()].sort();
    node(one, 'a').isDead = true;
    one.setEntries(entries(120));
    node(one, 'b').isCut = true;
    const again = one.startAgain('a');
    safely(one, 1_000);
    node(one, 'b').isCut = false;
    safely(one, BEAT_MS);
    expect([...again.runs.keys()].sort()).toEqual(held);
    safely(one, 2 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(disorder(one)).toEqual([]);
    expect(held.filter((key) => !again.runs.has(key)).length).toBeGreaterThan(0);
  });

  test('that starts again and may not run what it held leaves it to the others', () => {
    const one = settled();
    node(one, 'a').isDead = true;
    safely(one, BEAT_MS);
    const again = one.startAgain('a');
    const keys = entries(60).map(({ id }) => generatorKey(id));
    again.member.noteLacking(new Map(keys.map((key) => [key, 'other settings'])));
    safely(one, LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(again.counts.runs).toBe(0);
    again.member.noteLacking(new Map());
    safely(one, LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(again.runs.size).toBeGreaterThan(10);
  });

  test('that may no longer run what it holds gives it to the others', () => {
    const one = settled();
    const held = [...node(one, 'a').runs.keys()];
    node(one, 'a').member.noteLacking(new Map(held.map((key) => [key, 'other settings'])));
    safely(one, LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(held.filter((key) => node(one, 'a').runs.has(key))).toEqual([]);
  });

  test('that dies again and again loses its tasks to the others at its second start', () => {
    const one = settled();
    const owned = share(one, 'a');
    for (let i = 0; i < 2; i++) {
      node(one, 'a').isDead = true;
      one.startAgain('a');
      safely(one, 1_000);
    }
    safely(one, 2_000);
    expect(missing(one)).toEqual([]);
    expect(share(one, 'a')).toBe(0);
    safely(one, 2 * LEASE_MS);
    expect(share(one, 'a')).toBe(owned);
  });

  test('that was alone is back at once, however often it dies', () => {
    const one = world([...entries(5), entry('b', { scenarios: ['s'], partitions: 1 })], ['a']);
    safely(one, SETTLED_MS);
    for (let i = 0; i < 5; i++) {
      node(one, 'a').isDead = true;
      one.startAgain('a');
      safely(one, 1_000);
      expect(missing(one)).toEqual([]);
    }
  });

  test('comes back with all others, each to what it held', () => {
    const one = settled();
    const homes = new Map(one.living().map(({ name, runs }) => [name, [...runs.keys()].sort()]));
    for (const living of one.living()) living.isDead = true;
    safely(one, 5 * LEASE_MS);
    for (const name of homes.keys()) one.startAgain(name);
    safely(one, 1_000);
    expect(missing(one)).toEqual([]);
    safely(one, 2 * LEASE_MS);
    expect(stops(one)).toEqual(Array.from({ length: 6 }, () => 0));
    expect(new Map(one.living().map(({ name, runs }) => [name, [...runs.keys()].sort()]))).toEqual(homes);
  });

  test('that shuts down gives back everything at once', () => {
    const one = settled();
    node(one, 'b').member.leave();
    safely(one, 3_000);
    expect(node(one, 'b').member.report()).toMatchObject({ phase: 'gone', held: 0, running: 0 });
    expect(missing(one)).toEqual([]);
    expect([...one.buckets.nodes.entries.keys()]).toEqual(['a', 'c']);
  });

  test('leaves before it has joined', () => {
    const one = world(entries(3), ['a']);
    node(one, 'a').member.leave();
    safely(one, 1_000);
    expect(node(one, 'a').member.report().phase).toBe('gone');
  });
});

describe('a node without NATS', () => {
  test('moves nothing for a second', () => {
    const one = settled();
    node(one, 'a').isCut = true;
    safely(one, 1_000);
    node(one, 'a').isCut = false;
    safely(one, 2 * LEASE_MS);
    expect(stops(one)).toEqual([0, 0, 0]);
  });

  test('stops after two thirds of a lease, comes back empty, and takes its share again', () => {
    const one = settled();
    const owned = share(one, 'a');
    node(one, 'a').isCut = true;
    safely(one, (LEASE_MS * 2) / 3 + 1_000);
    expect(share(one, 'a')).toBe(0);
    expect(node(one, 'a').member.report()).toMatchObject({ isolations: 1, phase: 'waiting' });
    safely(one, 30_000 - ((LEASE_MS * 2) / 3 + 1_000));
    expect(missing(one)).toEqual([]);
    node(one, 'a').isCut = false;
    safely(one, 2 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(share(one, 'a')).toBe(owned);
  });

  test('drains its generators shortly before the deadline, and runs them again when a beat arrives meanwhile', () => {
    const one = settled();
    const owned = share(one, 'a');
    const isolations = (): number => node(one, 'a').member.report().isolations;
    const isClosing = (): boolean => stops(one)[0] === owned;
    node(one, 'a').isCut = true;
    let cut_ms = 0;
    for (; !isClosing() && isolations() === 0; cut_ms += 50) safely(one, 50);
    expect({ isClosing: isClosing(), isolations: isolations() }).toEqual({ isClosing: true, isolations: 0 });
    // The beat before the cut can be a fifth of a lease old.
    expect(cut_ms).toBeGreaterThan(LEASE_MS * 0.4);
    node(one, 'a').isCut = false;
    safely(one, 2 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(share(one, 'a')).toBe(owned);
  });

  test('goes on with `continue`, and keeps what no other has taken', () => {
    const one = settled({ on_isolation: 'continue' });
    one.setDown(true);
    safely(one, 60_000);
    expect(one.living().map(({ member }) => member.report().phase)).toEqual([
      'isolated',
      'isolated',
      'isolated',
    ]);
    one.setDown(false);
    safely(one, 2 * LEASE_MS);
    expect(stops(one)).toEqual([0, 0, 0]);
    expect(missing(one)).toEqual([]);
    expect(one.living().map(({ member }) => member.report().phase)).toEqual(['member', 'member', 'member']);
  });

  test('drops with `continue` what others have taken', () => {
    const one = settled({ on_isolation: 'continue' });
    node(one, 'a').isCut = true;
    one.run(2 * LEASE_MS);
    expect(doubles(one)).not.toEqual([]);
    node(one, 'a').isCut = false;
    one.run(2 * LEASE_MS);
    expect(doubles(one)).toEqual([]);
    expect(missing(one)).toEqual([]);
  });

  test('all nodes stop when the servers are gone for 20 s, and run again without a restart', () => {
    const one = settled();
    one.setDown(true);
    safely(one, 20_000);
    expect(one.living().map(({ runs }) => runs.size)).toEqual([0, 0, 0]);
    one.setDown(false);
    safely(one, LEASE_MS + 5_000);
    expect(missing(one)).toEqual([]);
  });

  test('all nodes keep their tasks when the servers are gone again soon after they came back', () => {
    for (const seed of Array.from({ length: 20 }, (_, i) => i)) {
      const one = settled({ seed, weather: { ...FAIR, lag_ms: 200, latency_ms: 100 } });
      const random = seededRandom(seed);
      const shares = one.living().map(({ runs }) => [...runs.keys()].sort());
      for (const [down_ms, up_ms] of [
        [random.integer(7_000, 11_500), random.integer(3_000, 12_000)],
        [20_000, 2 * LEASE_MS],
      ] as const) {
        one.setDown(true);
        safely(one, down_ms);
        one.setDown(false);
        safely(one, up_ms);
      }
      expect(one.living().map(({ runs }) => [...runs.keys()].sort())).toEqual(shares);
      expect(one.living().map(({ member }) => member.report().takeovers)).toEqual([0, 0, 0]);
    }
  });

  test('that was frozen for three leases writes nothing when it wakes', () => {
    const one = settled();
    node(one, 'a').frozenUntilMs = one.nowMs() + 3 * LEASE_MS;
    safely(one, 6 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(node(one, 'a').member.report().isolations).toBe(1);
  });
});

describe('moves', () => {
  test('a node that joins gets its share from all, four tasks of a node at a time', () => {
    const one = settled();
    one.start('d');
    const before = one.writes().leases;
    one.run(2 * LEASE_MS, () => {
      expect(doubles(one)).toEqual([]);
      for (const { runs } of one.living())
        expect([...runs.values()].filter(({ restMs }) => restMs !== null).length).toBeLessThanOrEqual(4);
    });
    expect(missing(one)).toEqual([]);
    const moved = share(one, 'd');
    expect(moved).toBeGreaterThan(5);
    expect(stops(one).reduce((sum, count) => sum + count, 0)).toBe(moved);
    expect(one.writes().leases - before).toBe(2 * moved);
  });

  test('a node that drains is emptied, four tasks at a time, and gets its share back on resume', () => {
    const one = settled();
    const owned = share(one, 'b');
    node(one, 'b').member.noteDrain(true);
    one.run(LEASE_MS, () => {
      expect(doubles(one)).toEqual([]);
      const { runs } = node(one, 'b');
      expect([...runs.values()].filter(({ restMs }) => restMs !== null).length).toBeLessThanOrEqual(4);
    });
    expect(share(one, 'b')).toBe(0);
    expect(missing(one)).toEqual([]);
    expect(node(one, 'b').member.report().phase).toBe('draining');
    node(one, 'b').member.noteDrain(false);
    safely(one, LEASE_MS);
    expect(share(one, 'b')).toBe(owned);
  });

  test('a node that starts again and again moves nothing', () => {
    const one = settled();
    for (let i = 0; i < 20; i++) {
      const flapping = one.start('d');
      safely(one, 2_000);
      flapping.isDead = true;
    }
    expect(stops(one).slice(0, 3)).toEqual([0, 0, 0]);
    expect(one.living().map(({ counts }) => counts.runs)).toEqual([0, 0, 0]);
  });

  test('a node that is cut every 2 s keeps its tasks', () => {
    const one = settled();
    for (let i = 0; i < 20; i++) {
      node(one, 'a').isCut = i % 2 === 0;
      safely(one, 2_000);
    }
    expect(stops(one)).toEqual([0, 0, 0]);
  });

  test('tasks that leave the list stop and are released', () => {
    const one = settled();
    one.setEntries(entries(50));
    safely(one, 3_000);
    expect(one.living().reduce((sum, { runs }) => sum + runs.size, 0)).toBe(50);
    const held = [...one.buckets.leases.entries.values()].filter(({ value }) => value?.holder !== null);
    expect(held).toHaveLength(50);
  });

  test('scenarios that come together meet on one node', () => {
    const two = [entry('a', { scenarios: ['x'] }), entry('b', { scenarios: ['y'] }), ...entries(10)];
    const one = world(two, ['a', 'b', 'c', 'd']);
    safely(one, SETTLED_MS);
    one.setEntries([...two, entry('c', { scenarios: ['x', 'y'] })]);
    safely(one, 5_000);
    expect(missing(one)).toEqual([]);
    const homes = one.living().filter(({ runs }) => ['g.a', 'g.b', 'g.c'].some((key) => runs.has(key)));
    expect(homes).toHaveLength(1);
  });
});

describe('a task that a node refuses', () => {
  test('goes to the next owner, and comes back once the reason is gone', () => {
    const one = world(entries(1), ['a', 'b', 'c']);
    const first = (): string => one.living().find(({ runs }) => runs.size > 0)?.name ?? 'none';
    safely(one, SETTLED_MS);
    const home = first();
    one.refusals.add(`${home} g.generator-0`);
    one.setEntries([]);
    safely(one, 3_000);
    one.setEntries(entries(1));
    safely(one, 5_000);
    expect(first()).not.toBe(home);
    expect(first()).not.toBe('none');
    expect([...node(one, home).member.report().refused]).toEqual([['g.generator-0', 'no secret']]);
    one.refusals.clear();
    safely(one, 3 * LEASE_MS);
    expect(first()).toBe(home);
  });

  test('is one of so many that the node takes none, and its document stays small', () => {
    const one = world(entries(60), ['a', 'b']);
    const keys = Array.from({ length: 3_000 }, (_, i) => generatorKey(`generator-${i + 30}`));
    node(one, 'a').member.noteLacking(new Map(keys.map((key) => [key, 'other settings'])));
    safely(one, SETTLED_MS);
    expect(missing(one)).toEqual([]);
    expect(share(one, 'a')).toBe(0);
    expect(one.buckets.nodes.entries.get('a')?.value?.refused.map(({ tasks }) => tasks.length)).toEqual([
      1_001,
    ]);
  });

  test('waits when every node refuses it', () => {
    const one = world(entries(1), ['a', 'b']);
    for (const name of ['a', 'b']) one.refusals.add(`${name} g.generator-0`);
    safely(one, SETTLED_MS);
    const runs = one.living().map(({ counts }) => counts.runs);
    safely(one, 4 * LEASE_MS);
    expect(one.living().map(({ counts }) => counts.runs)).toEqual(runs);
    expect(missing(one)).toEqual(['g.generator-0']);
  });
});

describe('a node that never saw the valid entry of a generator', () => {
  const shared = [
    ...Array.from({ length: 12 }, (_, i) => entry(`alone-${i}`)),
    entry('split', { partitions: 8 }),
    ...Array.from({ length: 8 }, (_, i) => [
      entry(`one-${i}`, { scenarios: [`s-${i}`] }),
      entry(`two-${i}`, { scenarios: [`s-${i}`] }),
    ]).flat(),
  ];
  const isLacking = ({ id }: PlacedEntry): boolean => /^(alone|split|two)/.test(id);

  test('gets none of them, with their scenarios and partitions: the others keep them and take them over', () => {
    const one = world(shared, ['a', 'b']);
    safely(one, SETTLED_MS);
    expect(missing(one)).toEqual([]);
    for (const { counts } of one.living()) Object.assign(counts, { stops: 0 });
    const fresh = one.start('c');
    fresh.setTable(taskTable(tasksOf(shared.filter((each) => !isLacking(each)))));
    const reason = 'its entry is invalid';
    fresh.member.noteLacking(new Map(shared.filter(isLacking).map(({ id }) => [generatorKey(id), reason])));
    safely(one, SETTLED_MS);
    expect(fresh.runs.size).toBe(0);
    expect(stops(one)).toEqual([0, 0, 0]);
    expect(fresh.member.report().refused.get('g.split')).toBe(reason);
    // What one of those that know it loses goes to the other one.
    node(one, 'a').isDead = true;
    safely(one, LEASE_MS + 5_000);
    const lost = missing(one).filter((key) => !key.startsWith('g.two') && !key.startsWith('g.one'));
    expect(lost).toEqual([]);
    // It takes its share once it can read the entries.
    fresh.setTable(taskTable(tasksOf(shared)));
    fresh.member.noteLacking(new Map());
    safely(one, 2 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    expect(fresh.runs.size).toBeGreaterThan(5);
  });
});

describe('labels and capacity', () => {
  test('a task runs only where it fits', () => {
    const list = [
      ...entries(20),
      ...entries(20).map(({ id }) => entry(`ssd-${id}`, { runs_on: { disk: 'ssd' } })),
    ];
    const one = world(list, ['a', 'b']);
    one.start('c', { labels: { disk: 'ssd' } });
    one.start('d', { capacity: 0, labels: { disk: 'ssd' } });
    safely(one, SETTLED_MS);
    expect(missing(one)).toEqual([]);
    expect([...node(one, 'c').runs.keys()].filter((key) => key.startsWith('g.ssd'))).toHaveLength(20);
    expect(share(one, 'd')).toBe(0);
  });
});

describe('a node that was lost for long', () => {
  const FORGET_MS = 8 * LEASE_MS;
  /** Three nodes of which one stands still. */
  const halted = (ms: number): World => {
    const one = world(entries(10), []);
    for (const name of ['a', 'b', 'c']) one.start(name, { forget_ms: FORGET_MS });
    safely(one, SETTLED_MS);
    node(one, 'c').frozenUntilMs = one.nowMs() + ms;
    return one;
  };
  const removals = ({ buckets }: World): readonly string[] =>
    buckets.nodes.log.flatMap(({ key, value }) => (value === null ? [key] : []));

  test('is removed once, by one node, and no live node is', () => {
    const one = halted(10 * FORGET_MS);
    safely(one, FORGET_MS - LEASE_MS);
    expect(removals(one)).toEqual([]);
    safely(one, 4 * LEASE_MS);
    expect(removals(one)).toEqual(['c']);
    expect(one.writes().forgets).toBe(1);
    expect([...one.buckets.nodes.entries.keys()].sort()).toEqual(['a', 'b']);
    expect(missing(one)).toEqual([]);
  });

  test('joins again when it wakes', () => {
    const one = halted(FORGET_MS + 4 * LEASE_MS);
    safely(one, FORGET_MS + 8 * LEASE_MS);
    expect(removals(one)).toEqual(['c']);
    expect(node(one, 'c').member.report().phase).toBe('member');
    expect(share(one, 'c')).toBeGreaterThan(0);
  });

  test('is not removed by nodes that saw nothing themselves', () => {
    const one = halted(0);
    one.setDown(true);
    safely(one, 2 * FORGET_MS);
    one.setDown(false);
    safely(one, 4 * LEASE_MS);
    expect(removals(one)).toEqual([]);
    expect(one.living().map(({ member }) => member.report().phase)).toEqual(['member', 'member', 'member']);
  });
});

describe('deaths of nodes', () => {
  const poison = generatorKey('generator-0');
  const deaths = (one: World, key = poison): number => one.living()[0]?.member.deathsOf(key) ?? -1;
  const holder = (one: World): SimulatedNode =>
    one.living().find(({ runs }) => runs.has(poison)) as SimulatedNode;

  test('are counted for what the dead node held, and for nothing else', () => {
    const one = settled();
    const victim = holder(one);
    const innocent = [...one.table().taskOfKey.keys()].filter((key) => !victim.runs.has(key));
    victim.isDead = true;
    safely(one, 2 * LEASE_MS);
    expect(deaths(one)).toBe(1);
    expect(innocent.map((key) => deaths(one, key))).toEqual(innocent.map(() => 0));
    holder(one).isDead = true;
    safely(one, 2 * LEASE_MS);
    expect(deaths(one)).toBe(2);
  });

  test('are counted when a node starts again in place', () => {
    const one = settled();
    for (const count of [1, 2]) {
      const { name } = holder(one);
      node(one, name).isDead = true;
      one.startAgain(name);
      safely(one, 2 * LEASE_MS);
      expect(deaths(one)).toBe(count);
    }
  });

  test('are not those of a node that stops for want of NATS and takes its own again', () => {
    const one = settled();
    one.setDown(true);
    safely(one, 3 * LEASE_MS);
    one.setDown(false);
    safely(one, 3 * LEASE_MS);
    expect(missing(one)).toEqual([]);
    const keys = [...one.table().taskOfKey.keys()];
    expect(keys.map((key) => deaths(one, key))).toEqual(keys.map(() => 0));
  });

  test('are kept when a task moves at once, and forgotten when a node gives it back after ten minutes', () => {
    const one = settled();
    const { name } = holder(one);
    node(one, name).isDead = true;
    safely(one, 2 * LEASE_MS);
    const second = holder(one);
    second.member.noteDrain(true);
    safely(one, 2 * LEASE_MS);
    expect(holder(one)).not.toBe(second);
    expect(deaths(one)).toBe(1);
    second.member.noteDrain(false);
    safely(one, 620_000);
    const third = holder(one);
    third.member.noteDrain(true);
    safely(one, 2 * LEASE_MS);
    expect(holder(one)).not.toBe(third);
    // It had just moved home when the other node was ready again.
    expect(deaths(one)).toBe(0);
  });
});

describe('two daemons of one name', () => {
  test('the second waits and says so, and takes over when the first is lost', () => {
    const one = settled();
    const first = node(one, 'a');
    const second = one.start('a');
    safely(one, 4 * LEASE_MS);
    expect(second.member.report()).toMatchObject({ phase: 'waiting', isNameTaken: true });
    expect(stops(one)).toEqual([0, 0, 0, 0]);
    first.isDead = true;
    safely(one, 3 * LEASE_MS);
    expect(second.member.report()).toMatchObject({ phase: 'member', isNameTaken: false });
    expect(missing(one)).toEqual([]);
  });

  test('the second waits also when it starts again on its state folder', () => {
    const one = settled();
    one.start('a').isDead = true;
    const second = one.start('a');
    safely(one, BEAT_MS);
    second.isDead = true;
    const third = one.startAgain('a');
    safely(one, 4 * LEASE_MS);
    expect(third.member.report()).toMatchObject({ phase: 'waiting', isNameTaken: true });
    expect(stops(one)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('the first gives way when it wakes after the second has joined', () => {
    const one = settled();
    const first = node(one, 'a');
    first.frozenUntilMs = one.nowMs() + 5 * LEASE_MS;
    const second = one.start('a');
    safely(one, 8 * LEASE_MS);
    expect(first.member.report()).toMatchObject({ phase: 'waiting', isNameTaken: true, running: 0 });
    expect(second.member.report().phase).toBe('member');
    expect(missing(one)).toEqual([]);
  });
});

describe('answers that are lost', () => {
  test('cost nothing but time', () => {
    const one = world(entries(60), ['a', 'b', 'c']);
    one.weather.lost_answers = 0.5;
    safely(one, 4 * LEASE_MS);
    expect(missing(one)).toEqual([]);
  });
});

describe('documents of a newer version', () => {
  test('a lease that cannot be read is never taken', () => {
    const one = world(entries(1), ['a']);
    one.buckets.leases.write(
      0,
      'g.generator-0',
      { revision: 0, holder: 'unreadable', epoch: 0, deaths: 0 },
      0,
    );
    safely(one, 5 * LEASE_MS);
    expect(missing(one)).toEqual(['g.generator-0']);
  });
});
