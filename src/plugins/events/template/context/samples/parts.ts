import { hashKey, PyFloat, spend, type Value } from '../../../../../template/index.js';
import type { Row } from './row.js';

/** Map key of a plain value; equal values (1, 1.0, True) share one. */
export type PlainKey = string | number | bigint | null;

/** `undefined` for other values, and for NaN, which equals nothing. */
export const plainKey = (value: Value): PlainKey | undefined => {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof PyFloat) {
    return asPlain(value);
  }
  return typeof value === 'number' && !Number.isNaN(value) ? asPlain(value) : undefined;
};

const asPlain = (value: Value): PlainKey | undefined => {
  const key = hashKey(value);
  return typeof key === 'object' && key !== null ? undefined : key;
};

/** Rows by plain value of a column. */
export const groupRows = (rows: readonly Row[], place: number): Map<PlainKey, Row[]> => {
  spend(rows.length);
  const groups = new Map<PlainKey, Row[]>();
  for (const row of rows) {
    const value = row.items[place];
    const key = value === undefined ? undefined : plainKey(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
};
