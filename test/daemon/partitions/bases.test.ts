import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { basesInMemory } from '../../../src/daemon/generators.js';
import { partitionId } from '../../../src/domain/partitions.js';
import { definitionOf } from '../../support/pipelines/scriptedHost.js';

const START = { definition: definitionOf('g'), startsOver: false };

const make = (count = 3) => {
  let now = 0;
  const bases = basesInMemory({ now: () => ++now, drawSeed: () => `seed ${now}` });
  /** `now` of the base, and whether the partition was on it before. */
  const start = async (index: number, of = count): Promise<readonly [number, boolean]> => {
    const base = await bases.of(partitionId('g', index), { index, count: of }, START);
    if (E.isLeft(base)) throw new Error(base.left.message);
    expect(base.right.seed).toBe(`seed ${base.right.now}`);
    return [base.right.now, base.right.rejoins];
  };
  return { start, end: (index: number) => bases.left(partitionId('g', index)) };
};

describe('the base of partitions', () => {
  test('is the same for all that start, also when the first has finished before the last starts', async () => {
    const { start, end } = make();
    expect(await start(0)).toEqual([1, false]);
    expect(await start(1)).toEqual([1, false]);
    end(0);
    end(1);
    expect(await start(2)).toEqual([1, false]);
  });

  test('is a new one when all were at rest, for all of them', async () => {
    const { start, end } = make();
    for (const index of [0, 1, 2]) await start(index);
    for (const index of [0, 1, 2]) end(index);
    expect(await start(1)).toEqual([2, false]);
    expect(await start(0)).toEqual([2, false]);
    expect(await start(2)).toEqual([2, false]);
  });

  test('stays while one of them runs: one that starts again rejoins', async () => {
    const { start, end } = make();
    for (const index of [0, 1, 2]) await start(index);
    end(1);
    expect(await start(1)).toEqual([1, true]);
    // An automatic restart has no rest.
    expect(await start(2)).toEqual([1, true]);
  });

  test('is a new one for another number of partitions', async () => {
    const { start } = make();
    await start(0);
    expect(await start(0, 2)).toEqual([2, false]);
  });
});
