import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { generatorKey, scenarioKey } from '../../src/cluster/keys.js';
import { type PlacedEntry, tasksOf } from '../../src/cluster/tasks.js';

const entry = (id: string, more: Partial<PlacedEntry> = {}): PlacedEntry => ({
  id,
  scenarios: [],
  partitions: 1,
  runs_on: {},
  ...more,
});

const anyEntries = fc.uniqueArray(
  fc.record({
    id: fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1'), minLength: 1, maxLength: 4 }),
    scenarios: fc.subarray(['shop', 'night', 'music', 'Käse', '__proto__']),
    partitions: fc.constantFrom(1, 1, 1, 3),
    runs_on: fc.constantFrom<PlacedEntry['runs_on']>({}, { zone: 'a' }, { zone: 'b' }, { disk: 'ssd' }),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);

describe('tasks', () => {
  test('are generators, partitions, and scenarios with their members', () => {
    const tasks = tasksOf([
      entry('web'),
      entry('orders', { scenarios: ['shop'] }),
      entry('stock', { scenarios: ['night', 'shop'] }),
      entry('fast', { partitions: 2 }),
    ]);
    expect(tasks.map(({ name, keys }) => [name, keys])).toEqual([
      ['g.web', ['g.web']],
      ['p.fast.0', ['p.fast.0']],
      ['p.fast.1', ['p.fast.1']],
      ['s.night', ['g.orders', 'g.stock', 's.night', 's.shop']],
    ]);
    expect(tasks[3]?.generators).toEqual([
      { id: 'orders', key: 'g.orders', scenarios: ['s.shop'] },
      { id: 'stock', key: 'g.stock', scenarios: ['s.night', 's.shop'] },
    ]);
    expect(tasks[2]?.generators[0]).toMatchObject({ id: 'fast~1', key: 'p.fast.1' });
  });

  test('ask for all labels of their members', () => {
    const [task] = tasksOf([
      entry('a', { scenarios: ['s'], runs_on: { zone: 'a' } }),
      entry('b', { scenarios: ['s'], runs_on: { disk: 'ssd', zone: 'a' } }),
    ]);
    expect(task).toMatchObject({ runs_on: { zone: 'a', disk: 'ssd' }, problem: null });
  });

  test('with members that ask for different nodes have a problem', () => {
    const [task] = tasksOf([
      entry('a', { scenarios: ['s'], runs_on: { zone: 'a' } }),
      entry('b', { scenarios: ['s'], runs_on: { zone: 'b' } }),
    ]);
    expect(task?.problem).toBe(
      'runs_on.zone: generators "a" and "b" share scenarios but ask for "a" and "b". Use one value.',
    );
  });

  test('of a partitioned generator in a scenario have a problem, and leave the scenario alone', () => {
    const tasks = tasksOf([
      entry('a', { scenarios: ['s'], partitions: 2 }),
      entry('b', { scenarios: ['s'] }),
    ]);
    expect(tasks.map(({ name, problem }) => [name, problem === null])).toEqual([
      ['p.a.0', false],
      ['p.a.1', false],
      ['s.s', true],
    ]);
  });

  test('hold every key once, are connected, and share no scenario', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const tasks = tasksOf(entries);
        const keys = tasks.flatMap((task) => task.keys);
        expect(new Set(keys).size).toBe(keys.length);
        const taskOf = (key: string) => tasks.find((task) => task.keys.includes(key))?.name;
        for (const { id, scenarios, partitions } of entries)
          if (partitions === 1)
            for (const scenario of scenarios)
              expect(taskOf(scenarioKey(scenario))).toBe(taskOf(generatorKey(id)));
        for (const { generators } of tasks) {
          // From the first generator every other is reached over shared scenarios.
          const reached = new Set(generators.slice(0, 1));
          for (const one of reached)
            for (const other of generators)
              if (other.scenarios.some((scenario) => one.scenarios.includes(scenario))) reached.add(other);
          expect(reached.size).toBe(generators.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are the same for any order of the entries', () => {
    fc.assert(
      fc.property(
        anyEntries.chain((entries) =>
          fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
        ),
        ([entries, shuffled]) => {
          expect(tasksOf(shuffled)).toEqual(tasksOf(entries));
        },
      ),
    );
  });
});
