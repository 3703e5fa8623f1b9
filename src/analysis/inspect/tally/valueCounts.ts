import { type DistinctEstimate, distinctEstimate, hashOf } from './distinct.js';

/** Characters that the counted values of all fields may take. */
export interface CharBudget {
  left: number;
}

export interface CountedValue {
  readonly key: string;
  readonly count: number;
  /** False: up to `missed` earlier values were not counted. */
  readonly is_exact: boolean;
}

export interface Distinct {
  readonly count: number;
  /** False: an estimate with a standard error of 1.6 %. */
  readonly is_exact: boolean;
}

export interface ValueCounts {
  readonly add: (key: string) => void;
  readonly distinct: () => Distinct;
  /** Most frequent first; equally frequent ones in the order of their text. */
  readonly top: (count: number) => readonly CountedValue[];
  /** Shannon entropy in bits; an estimate if `distinct` is one. */
  readonly entropyBits: () => number;
}

interface Entry {
  count: number;
  /** Earlier values of this key that may have been removed. */
  readonly missed: number;
}

/** Memory of an entry besides its characters, counted as characters. */
const ENTRY_CHARS = 64;

const byCount = ([keyA, a]: readonly [string, Entry], [keyB, b]: readonly [string, Entry]): number =>
  b.count - a.count || (keyA < keyB ? -1 : 1);

/** Counts values exactly up to `max_values` distinct ones; beyond, the frequent ones and an estimate of their number. */
export const valueCounts = (max_values: number, budget: CharBudget): ValueCounts => {
  const entries = new Map<string, Entry>();
  let estimate: DistinctEstimate | null = null;
  let total = 0;
  /** Largest count that was removed. */
  let missed = 0;

  const costOf = (key: string): number => key.length + ENTRY_CHARS;

  /** Removes the rarer half, the oldest of equally rare ones, so the cost per value stays constant. */
  const prune = (): void => {
    const counts = Float64Array.from(entries.values(), ({ count }) => count).sort();
    let left = Math.ceil(entries.size / 2);
    const highest = counts[left - 1] ?? 0;
    let equals = left - counts.filter((count) => count < highest).length;
    for (const [key, entry] of entries) {
      if (left === 0) break;
      if (entry.count > highest || (entry.count === highest && equals-- <= 0)) continue;
      left--;
      missed = Math.max(missed, entry.count + entry.missed);
      entries.delete(key);
      budget.left += costOf(key);
    }
  };

  const makeRoom = (key: string): void => {
    if (estimate === null) {
      estimate = distinctEstimate();
      for (const known of entries.keys()) estimate.add(hashOf(known));
    }
    prune();
    if (budget.left < costOf(key)) missed++;
  };

  const hasRoom = (key: string): boolean => entries.size < max_values && budget.left >= costOf(key);

  const addNew = (key: string): void => {
    if (!hasRoom(key)) makeRoom(key);
    estimate?.add(hashOf(key));
    if (!hasRoom(key)) return;
    budget.left -= costOf(key);
    entries.set(key, { count: 1, missed });
  };

  const distinctCount = (): number =>
    estimate === null ? entries.size : Math.min(total, Math.max(estimate.count(), entries.size));

  return {
    add: (key) => {
      total++;
      const entry = entries.get(key);
      if (entry === undefined) addNew(key);
      else entry.count++;
    },
    distinct: () => ({ count: distinctCount(), is_exact: estimate === null }),
    top: (count) =>
      [...entries]
        .sort(byCount)
        .slice(0, count)
        .map(([key, entry]) => ({ key, count: entry.count, is_exact: entry.missed === 0 })),
    entropyBits: () => {
      if (total === 0) return 0;
      let bits = 0;
      let counted = 0;
      for (const { count } of entries.values()) {
        counted += count;
        bits -= (count / total) * Math.log2(count / total);
      }
      const rest = (total - counted) / total;
      if (rest <= 0) return Math.max(0, bits);
      // The uncounted values, as if equally frequent.
      const others = Math.max(1, distinctCount() - entries.size);
      return bits - rest * Math.log2(rest / others);
    },
  };
};
