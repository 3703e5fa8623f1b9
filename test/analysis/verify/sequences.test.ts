import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type BlockBudget,
  makeSequences,
  type SequenceRange,
  type Sequences,
} from '../../../src/analysis/verify/sequences.js';

const BLOCK = 2 ** 15;

/** What the set means, without any haste. */
const naiveGaps = (numbers: ReadonlySet<number>, to: number): SequenceRange[] => {
  const gaps: [number, number][] = [];
  for (let n = 1; n <= to; n++) {
    if (numbers.has(n)) continue;
    const last = gaps.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else gaps.push([n, n]);
  }
  return gaps;
};

/** Adds a range; gives how many were new. */
const addAll = (set: Sequences, from: number, to: number): number => {
  let count = 0;
  for (let n = from; n <= to; n++) if (set.add(n) === 'new') count++;
  return count;
};

describe('sequence numbers', () => {
  test('are new once, and their gaps are those of a plain set', () => {
    const near = fc.constantFrom(1, BLOCK - 5, BLOCK, 2 * BLOCK - 3, 2 * BLOCK);
    const run = fc
      .tuple(near, fc.nat(40), fc.nat(40))
      .map(([base, offset, length]) => Array.from({ length }, (_, i) => base + offset + i));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 8 }), fc.nat(3 * BLOCK), (runs, extra) => {
        const set = makeSequences({ left: 100 });
        const numbers = new Set<number>();
        for (const number of runs.flat()) {
          expect(set.add(number)).toBe(numbers.has(number) ? 'again' : 'new');
          numbers.add(number);
        }
        const last = Math.max(0, ...numbers);
        const to = Math.max(last, extra);
        expect([set.count(), set.last()]).toEqual([numbers.size, last]);
        expect(set.first()).toBe(numbers.size === 0 ? 0 : Math.min(...numbers));
        const gaps = naiveGaps(numbers, to);
        expect(set.gaps(to, 1_000)).toEqual(gaps);
        expect(set.gaps(to, 2)).toEqual(gaps.slice(0, 2));
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  test('in order use one block; full blocks are remembered', () => {
    const budget: BlockBudget = { left: 1 };
    const set = makeSequences(budget);
    expect(addAll(set, 1, 5 * BLOCK)).toBe(5 * BLOCK);
    expect(budget.left).toBe(1);
    expect([set.add(1), set.add(BLOCK), set.add(5 * BLOCK)]).toEqual(['again', 'again', 'again']);
    expect(set.gaps(5 * BLOCK + 3, 10)).toEqual([[5 * BLOCK + 1, 5 * BLOCK + 3]]);
  });

  test('a full block behind a gap needs no memory either, and is forgotten when the gap closes', () => {
    const budget: BlockBudget = { left: 2 };
    const set = makeSequences(budget);
    expect(addAll(set, 2, 3 * BLOCK)).toBe(3 * BLOCK - 1);
    expect(budget.left).toBe(1);
    expect(set.gaps(3 * BLOCK, 10)).toEqual([[1, 1]]);
    expect([set.add(1), set.add(1), set.add(2 * BLOCK)]).toEqual(['new', 'again', 'again']);
    expect([set.gaps(3 * BLOCK, 10), budget.left]).toEqual([[], 2]);
  });

  test('far away cost a block each, until none is left', () => {
    const set = makeSequences({ left: 3 });
    const far = Number.MAX_SAFE_INTEGER;
    expect([set.add(far), set.add(1), set.add(10 * BLOCK)]).toEqual(['new', 'new', 'new']);
    expect([set.add(5 * BLOCK), set.add(2), set.count()]).toEqual(['over', 'new', 4]);
    expect(set.gaps(far, 3)).toEqual([
      [3, 10 * BLOCK - 1],
      [10 * BLOCK + 1, far - 1],
    ]);
  });
});
