import type { Random } from '../../../domain/random.js';
import type { ModelRow, ModelTable } from '../model.js';
import { timeSpread } from '../times/find.js';

/** Rows that the association of two columns is measured on. */
const MAX_ROWS = 4_000;
const PERMUTATIONS = 4;
/** Adjusted mutual information from which columns are drawn together. */
const TIED = 0.2;
/** Columns that are compared in pairs. */
const MAX_COLUMNS = 40;

const entropy = (counts: Iterable<number>, total: number): number => {
  let sum = 0;
  for (const count of counts) sum -= (count / total) * Math.log(count / total);
  return sum;
};

const tally = (values: readonly string[] | readonly number[]): Map<string | number, number> => {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

const indexed = (values: readonly string[]): readonly number[] => {
  const places = new Map<string, number>();
  return values.map((value) => {
    const known = places.get(value) ?? places.size;
    places.set(value, known);
    return known;
  });
};

const jointEntropy = (a: readonly number[], b: readonly number[]): number =>
  entropy(tally(a.map((value, at) => value * 1_000_003 + (b[at] ?? 0))).values(), a.length);

const shuffled = (values: readonly number[], random: Random): readonly number[] => {
  const out = [...values];
  for (let at = out.length - 1; at > 0; at--) {
    const other = random.integer(0, at);
    [out[at], out[other]] = [out[other] ?? 0, out[at] ?? 0];
  }
  return out;
};

/**
 * Mutual information of two columns beyond what shuffled columns have, as a share of what is possible: 0 independent,
 * 1 one follows from the other (adjusted as by Vinh, Epps, Bailey, JMLR 2010, with permutations for the expectation).
 */
export const association = (first: readonly string[], second: readonly string[], random: Random): number => {
  const [a, b] = [indexed(timeSpread(first, MAX_ROWS)), indexed(timeSpread(second, MAX_ROWS))];
  const [ha, hb] = [entropy(tally(a).values(), a.length), entropy(tally(b).values(), b.length)];
  const least = Math.min(ha, hb);
  if (least === 0) return 0;
  const information = ha + hb - jointEntropy(a, b);
  const chance = Array.from({ length: PERMUTATIONS }, () => ha + hb - jointEntropy(a, shuffled(b, random)));
  const expected = chance.reduce((sum, value) => sum + value, 0) / PERMUTATIONS;
  const room = least - expected;
  if (information <= Math.max(...chance) || room < 0.02 * least) return 0;
  return (information - expected) / room;
};

const rowsOf = (columns: readonly (readonly string[])[]): readonly ModelRow[] => {
  const rows = new Map<string, { readonly values: readonly string[]; weight: number }>();
  for (let at = 0; at < (columns[0]?.length ?? 0); at++) {
    const values = columns.map((column) => column[at] ?? '');
    const key = values.join('\u0000');
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { values, weight: 1 });
    else row.weight += 1;
  }
  return [...rows.values()].toSorted((a, b) => b.weight - a.weight);
};

interface Drawn {
  readonly at: number;
  readonly values: readonly string[];
  /** The text that the column is a part of; null when it is none. */
  readonly whole: string | null;
}

/** Tables of the columns; those that are tied, or parts of one text, share one. */
export const tablesOf = (columns: readonly Drawn[], random: Random): readonly ModelTable[] => {
  const group = columns.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (group[root] !== root) root = group[root] ?? root;
    return root;
  };
  for (const [index, { whole }] of columns.entries()) {
    const first = whole === null ? -1 : columns.findIndex((other) => other.whole === whole);
    if (first !== -1 && first < index) group[rootOf(index)] = rootOf(first);
  }
  const compared = Math.min(columns.length, MAX_COLUMNS);
  for (let a = 0; a < compared; a++)
    for (let b = a + 1; b < compared; b++) {
      if (rootOf(a) === rootOf(b)) continue;
      const [first, second] = [columns[a]?.values ?? [], columns[b]?.values ?? []];
      if (association(first, second, random) >= TIED) group[rootOf(b)] = rootOf(a);
    }
  const groups = new Map<number, number[]>();
  for (const [index] of columns.entries()) {
    const root = rootOf(index);
    groups.set(root, [...(groups.get(root) ?? []), index]);
  }
  return [...groups.values()].map((members) => ({
    columns: members.map((index) => columns[index]?.at ?? 0),
    rows: rowsOf(members.map((index) => columns[index]?.values ?? [])),
  }));
};
