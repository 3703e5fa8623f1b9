import { describe, expect, test } from '@jest/globals';
import { differences, eventSettings, whyDifferent } from '../../src/cluster/refusals.js';
import { DEFAULT_GENERATION } from '../../src/config/settings/generationFields.js';
import type { GenerationParams } from '../../src/domain/generator.js';

const params = (timezone: string, recursion_depth = 64): GenerationParams => ({
  ...DEFAULT_GENERATION,
  timezone,
  template_limits: { ...DEFAULT_GENERATION.template_limits, recursion_depth },
});

const described = (since: number, generation: GenerationParams, capacity = 1) => ({
  since,
  generation: eventSettings(generation),
  capacity,
});

const utc = params('UTC');
const berlin = params('Europe/Berlin');

describe('settings of nodes', () => {
  test('that change events are compared; those that change how events are delivered are not', () => {
    const other: GenerationParams = {
      ...utc,
      max_concurrency: 1,
      keep_order: true,
      batch: { size: 1, delay: 1 },
    };
    expect(differences(described(9, utc), [['a', described(1, other)]])).toEqual([]);
    expect(differences(described(9, params('UTC', 5)), [['a', described(1, params('UTC', 6))]])).toEqual([
      { key: 'template_limits.recursion_depth', here: '5', there: '6', node: 'a' },
    ]);
  });

  test('are those of the node that has been there longest, in the view of every node', () => {
    const all = [
      ['a', described(7, berlin)],
      ['b', described(3, utc)],
      ['c', described(9, berlin)],
      ['d', described(0, utc)],
    ] as const;
    const found = all.map(([name, own]) =>
      differences(
        own,
        all.filter(([other]) => other !== name),
      ).map(({ key, node }) => `${key} of ${node}`),
    );
    expect(found).toEqual([['timezone of b'], [], ['timezone of b'], []]);
  });

  test('of two nodes that have not beaten twice differ for neither', () => {
    expect(differences(described(0, utc), [['b', described(0, berlin)]])).toEqual([]);
  });

  test('of a node without capacity, and of an older version that names none, do not count', () => {
    const own = described(9, utc);
    expect(differences(own, [['a', described(1, berlin, 0)]])).toEqual([]);
    expect(differences(own, [['a', { since: 1, generation: {}, capacity: 1 }]])).toEqual([]);
  });
});

describe('a generator', () => {
  const found = differences(described(9, berlin), [['a', described(1, utc)]]);

  test('that takes a differing setting from the node is not run there, and the reason names both values', () => {
    expect(whyDifferent(found, berlin)).toBe(
      'generation.timezone is "Europe/Berlin" on this node and "UTC" on node "a", which is older: its events would change. Use one value on all nodes',
    );
  });

  test('that has a value of its own is run everywhere', () => {
    expect(whyDifferent(found, params('Asia/Tokyo'))).toBeNull();
    expect(whyDifferent([], berlin)).toBeNull();
  });
});
