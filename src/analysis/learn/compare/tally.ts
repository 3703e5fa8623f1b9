import type { Sorted } from '../sort.js';

/** Values of a field over all shapes. */
export interface FieldTally {
  count: number;
  readonly values: Map<string, number>;
}

export interface Tally {
  records: number;
  /** Records of no known shape. */
  unmatched: number;
  readonly shapes: Map<string, number>;
  readonly fields: Map<string, FieldTally>;
  /** Fields with replaced values. */
  readonly private_names: Set<string>;
}

/** Distinct values of one field that are counted; further ones count as one. */
const MAX_VALUES = 200_000;
const FURTHER = '\u0000further';

export const emptyTally = (): Tally => ({
  records: 0,
  unmatched: 0,
  shapes: new Map(),
  fields: new Map(),
  private_names: new Set(),
});

const count = (counts: Map<string, number>, value: string): void => {
  const place = counts.size >= MAX_VALUES && !counts.has(value) ? FURTHER : value;
  counts.set(place, (counts.get(place) ?? 0) + 1);
};

/** Adds a record; null: one of no known shape. */
export const addToTally = (tally: Tally, sorted: Sorted | null): void => {
  tally.records += 1;
  if (sorted === null) {
    tally.unmatched += 1;
    return;
  }
  count(tally.shapes, sorted.shape);
  for (const [at, name] of sorted.cut.names.entries()) {
    const field = tally.fields.get(name) ?? { count: 0, values: new Map<string, number>() };
    tally.fields.set(name, field);
    field.count += 1;
    count(field.values, sorted.cut.values[at] ?? '');
  }
};
