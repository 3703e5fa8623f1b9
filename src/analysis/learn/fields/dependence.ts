import type { By } from '../model.js';
import { binsOf, chanceOf } from './numbers.js';

/** Values of an enumeration that a number may depend on. */
const MAX_GROUPS = 12;
const MIN_GROUP = 5;
/** Mean distance of the groups from all values, from which they have quantiles of their own. */
const APART = 0.15;
const BINS = 32;

/** Kolmogorov-Smirnov distance of sorted values to more sorted values that include them. */
const distanceOf = (part: readonly number[], all: readonly number[]): number => {
  let [a, b, most] = [0, 0, 0];
  while (b < all.length) {
    const value = all[b] ?? 0;
    while (b < all.length && all[b] === value) b += 1;
    while (a < part.length && (part[a] ?? 0) <= value) a += 1;
    most = Math.max(most, Math.abs(a / part.length - b / all.length));
  }
  return most;
};

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

const groupsOf = (
  numbers: readonly number[],
  values: readonly string[],
): ReadonlyMap<string, readonly number[]> | null => {
  const groups = new Map<string, number[]>();
  for (const [row, value] of values.entries()) {
    const list = groups.get(value) ?? [];
    groups.set(value, list);
    if (groups.size > MAX_GROUPS) return null;
    list.push(numbers[row] ?? 0);
  }
  return groups.size < 2 || [...groups.values()].some(({ length }) => length < MIN_GROUP) ? null : groups;
};

/** The enumeration that a number depends on most; null: on none. */
export const dependence = (
  numbers: readonly number[],
  enumerations: readonly { readonly at: number; readonly values: readonly string[] }[],
): By | null => {
  const all = ascending(numbers);
  let best: By | null = null;
  let bestApart = APART;
  for (const { at, values } of enumerations) {
    const groups = groupsOf(numbers, values);
    if (groups === null) continue;
    const sorted = [...groups].map(([value, list]) => [value, ascending(list)] as const);
    const mean = (of: (list: readonly number[]) => number): number =>
      sorted.reduce((sum, [, list]) => sum + (list.length / all.length) * of(list), 0);
    const apart = mean((list) => distanceOf(list, all));
    // Small groups are apart by chance.
    if (
      apart <=
      Math.max(
        bestApart,
        mean(({ length }) => chanceOf(length)),
      )
    )
      continue;
    best = { at, bins: new Map(sorted.map(([value, list]) => [value, binsOf(list, BINS)])) };
    bestApart = apart;
  }
  return best;
};
