import { describe, expect, test } from '@jest/globals';
import type { ClusterTask } from '../../../src/messages/cluster.js';
import {
  shownTasks,
  taskCountsOf,
  taskMembersOf,
  taskTitleOf,
  troubleOf,
} from '../../../src/ui/pages/cluster/tasks.js';

const task = (id: string, more: Partial<ClusterTask> = {}): ClusterTask => ({
  name: `g.${id}`,
  generator_ids: [id],
  scenarios: [],
  node: 'a',
  owner: 'a',
  since: '2026-01-01T00:00:00Z',
  problem: null,
  ...more,
});

const SHOP = task('web', { name: 's.shop', generator_ids: ['web', 'orders'], scenarios: ['shop'] });
const LOST = task('zebra', { node: null, owner: null, since: null, problem: 'no node can run it' });
const MOVING = task('yak', { owner: 'b' });
const TASKS = [task('dns'), SHOP, LOST, MOVING, task('iot~0')];

const titles = (filter: string, isTroubled = false): readonly string[] =>
  shownTasks(TASKS, { filter, isTroubled }).map(taskTitleOf);

describe('the list of tasks', () => {
  test('begins with those in trouble, then goes by title', () => {
    expect(titles('')).toEqual(['yak', 'zebra', 'dns', 'iot~0', 'shop']);
  });

  test.each([
    ['ORDERS', ['shop']],
    ['shop', ['shop']],
    [' Yak ', ['yak']],
    ['no node', ['zebra']],
    ['iot', ['iot~0']],
  ])('is filtered by %j', (filter, expected) => {
    expect(titles(filter)).toEqual(expected);
  });

  test('can leave out what has its place', () => {
    expect(titles('', true)).toEqual(['yak', 'zebra']);
    expect(titles('ya', true)).toEqual(['yak']);
  });

  test('says where a task moves, and why one has no node', () => {
    expect(TASKS.map(troubleOf)).toEqual([null, null, 'no node can run it', 'moves to b', null]);
  });

  test('counts tasks with a node and tasks in trouble', () => {
    expect(taskCountsOf(TASKS)).toEqual({ held: 4, troubled: 2 });
  });
});

describe('the members of a task', () => {
  const of = (count: number) =>
    taskMembersOf(task('x', { generator_ids: Array.from({ length: count }, (_, n) => String(n)) }));

  test('show whole, or at least two are left out', () => {
    expect(of(4)).toEqual({ ids: ['0', '1', '2', '3'], more: 0 });
    expect(of(1_203)).toEqual({ ids: ['0', '1', '2'], more: 1_200 });
  });
});
