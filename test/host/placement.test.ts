import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupOf, slotKeyOf, type ThreadLoad } from '../../src/host/slots.js';
import { definitionOf } from '../support/pipelines/scriptedHost.js';

const LIMITS = { poolSize: 2, maxGroupThreads: 2 };
const NO_GROUPS: ReadonlyMap<string, string> = new Map();
const threads = (loads: Readonly<Record<string, number>>): readonly ThreadLoad[] =>
  Object.entries(loads).map(([key, runCount]) => ({ key, runCount }));

describe('the group of a generator', () => {
  test('is its home scenario, the first it names', () => {
    expect(groupOf(definitionOf('a', ['busy', 'other']), false)).toBe('scenario:busy');
    expect(groupOf(definitionOf('b', ['busy']), true)).toBe('scenario:busy');
    expect(groupOf(definitionOf('c', ['other', 'busy']), false)).toBe('scenario:other');
  });

  test('is its own when it may keep its thread busy, and the pool otherwise', () => {
    expect(groupOf(definitionOf('a'), true)).toBe('generator:a');
    expect(groupOf(definitionOf('a'), false)).toBeNull();
  });

  test('is its own with isolation: process, user code or not', () => {
    const definition = definitionOf('a');
    const isolated = { ...definition, params: { ...definition.params, isolation: 'process' as const } };
    expect(groupOf(isolated, false)).toBe('generator:a');
  });

  test('of a generator and a scenario of the same name are two', () => {
    expect(groupOf(definitionOf('busy'), true)).not.toBe(groupOf(definitionOf('x', ['busy']), true));
  });
});

describe('the place of a generator', () => {
  test('in the pool is the least loaded thread, the first of equals', () => {
    expect(slotKeyOf(null, NO_GROUPS, [], LIMITS)).toBe('pool:0');
    expect(slotKeyOf(null, NO_GROUPS, threads({ 'pool:0': 1 }), LIMITS)).toBe('pool:1');
    expect(slotKeyOf(null, NO_GROUPS, threads({ 'pool:0': 1, 'pool:1': 1 }), LIMITS)).toBe('pool:0');
    expect(slotKeyOf(null, NO_GROUPS, threads({ 'pool:0': 3, 'pool:1': 2 }), LIMITS)).toBe('pool:1');
  });

  test('is the thread of its group while that runs, however loaded', () => {
    const groups = new Map([['scenario:busy', 'scenario:busy']]);
    const placed = threads({ 'scenario:busy': 50, 'generator:x': 1 });
    expect(slotKeyOf('scenario:busy', groups, placed, LIMITS)).toBe('scenario:busy');
  });

  test('is a new thread for a new group while there are few', () => {
    expect(
      slotKeyOf('scenario:new', NO_GROUPS, threads({ 'pool:0': 1, 'pool:1': 1, 'generator:x': 1 }), LIMITS),
    ).toBe('scenario:new');
  });

  test('is the least loaded group thread when there are enough, and never the pool', () => {
    const placed = threads({ 'pool:0': 0, 'scenario:a': 3, 'generator:b': 2 });
    expect(slotKeyOf('scenario:new', NO_GROUPS, placed, LIMITS)).toBe('generator:b');
  });

  test('is an isolated process where requested, counted and shared separately from threads', () => {
    const place = (placed: Readonly<Record<string, number>>) =>
      slotKeyOf('generator:new', NO_GROUPS, threads(placed), LIMITS, 'process');
    expect(place({ 'scenario:a': 1, 'generator:b': 1 })).toBe('process:generator:new');
    expect(place({ 'process:generator:x': 2, 'process:generator:y': 1, 'generator:b': 0 })).toBe(
      'process:generator:y',
    );
    const placed = threads({ 'process:generator:x': 0, 'generator:a': 2, 'generator:b': 1 });
    expect(slotKeyOf('generator:new', NO_GROUPS, placed, LIMITS)).toBe('generator:b');
  });

  test('of a generator that shared one of another kind before is a new one', () => {
    const groups = new Map([['generator:a', 'generator:b']]);
    const placed = threads({ 'generator:b': 1 });
    expect(slotKeyOf('generator:a', groups, placed, LIMITS)).toBe('generator:b');
    expect(slotKeyOf('generator:a', groups, placed, LIMITS, 'process')).toBe('process:generator:a');
  });

  test('is that of its scenario in any case: the host refuses what does not fit', () => {
    const groups = new Map([['scenario:busy', 'scenario:busy']]);
    expect(slotKeyOf('scenario:busy', groups, threads({ 'scenario:busy': 1 }), LIMITS, 'process')).toBe(
      'scenario:busy',
    );
  });

  test('obeys the rules for any sequence of starts: mates together, user code never in the pool, limits kept', () => {
    const starts = fc.array(
      fc.record({
        script: fc.boolean(),
        home: fc.option(fc.constantFrom('p', 'q', 'r', 's'), { nil: null }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(
        starts,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        (all, poolSize, maxGroupThreads) => {
          const loads: Record<string, number> = {};
          const groups = new Map<string, string>();
          all.forEach(({ script, home }, n) => {
            const group = groupOf(definitionOf(`g${n}`, home === null ? [] : [home]), script);
            const key = slotKeyOf(group, groups, threads(loads), { poolSize, maxGroupThreads });
            expect(key.startsWith('pool:')).toBe(group === null);
            if (group !== null) {
              expect(groups.get(group) ?? key).toBe(key);
              groups.set(group, key);
            }
            loads[key] = (loads[key] ?? 0) + 1;
          });
          const keys = Object.keys(loads);
          expect(keys.filter((key) => key.startsWith('pool:')).length).toBeLessThanOrEqual(poolSize);
          expect(keys.filter((key) => !key.startsWith('pool:')).length).toBeLessThanOrEqual(maxGroupThreads);
        },
      ),
    );
  });
});
