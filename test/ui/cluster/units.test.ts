import { describe, expect, test } from '@jest/globals';
import type { ClusterUnit } from '../../../src/messages/cluster.js';
import { countsOf, membersOf, shownUnits, titleOf, troubleOf } from '../../../src/ui/pages/cluster/units.js';

const unit = (id: string, more: Partial<ClusterUnit> = {}): ClusterUnit => ({
  name: `g.${id}`,
  generator_ids: [id],
  scenarios: [],
  node: 'a',
  owner: 'a',
  since: '2026-01-01T00:00:00Z',
  problem: null,
  ...more,
});

const SHOP = unit('web', { name: 's.shop', generator_ids: ['web', 'orders'], scenarios: ['shop'] });
const LOST = unit('zebra', { node: null, owner: null, since: null, problem: 'no node can run it' });
const MOVING = unit('yak', { owner: 'b' });
const UNITS = [unit('dns'), SHOP, LOST, MOVING, unit('iot~0')];

const titles = (filter: string, isTroubled = false): readonly string[] =>
  shownUnits(UNITS, { filter, isTroubled }).map(titleOf);

describe('the list of units', () => {
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

  test('says where a unit moves, and why one has no node', () => {
    expect(UNITS.map(troubleOf)).toEqual([null, null, 'no node can run it', 'moves to b', null]);
  });

  test('counts units with a node and units in trouble', () => {
    expect(countsOf(UNITS)).toEqual({ held: 4, troubled: 2 });
  });
});

describe('the members of a unit', () => {
  const of = (count: number) =>
    membersOf(unit('x', { generator_ids: Array.from({ length: count }, (_, n) => String(n)) }));

  test('show whole, or at least two are left out', () => {
    expect(of(4)).toEqual({ ids: ['0', '1', '2', '3'], more: 0 });
    expect(of(1_203)).toEqual({ ids: ['0', '1', '2'], more: 1_200 });
  });
});
