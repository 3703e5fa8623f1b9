import { chargeLength, spend } from '../../limits.js';
import { raise } from '../fault.js';
import { isObject, PyFloat, typeName, type Value } from '../value.js';
import { equals } from './equality.js';

/** Maps surrogates above other units, so units sort like code points. */
const rank = (unit: number): number =>
  unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;

/** By code points, as in Python. */
export const compareTexts = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      chargeLength(i);
      return rank(x) - rank(y);
    }
  }
  chargeLength(length);
  return a.length - b.length;
};

const numberOf = (value: Value): number | bigint | null => {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  return value instanceof PyFloat ? value.value : null;
};

const refuse = (a: Value, b: Value, sign: string): never =>
  raise('TypeError', `'${sign}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);

/** By the first differing pair, then by length. NaN if that pair is unordered. */
export const compareSequences = (a: readonly Value[], b: readonly Value[], sign = '<'): number => {
  spend(1);
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a[i] as Value;
    const y = b[i] as Value;
    if ((i & 0xf) === 0xf) spend(1);
    if (!equals(x, y)) return compare(x, y, sign);
  }
  return a.length - b.length;
};

/** NaN if neither less nor equal. TypeError between types without order. */
export const compare = (a: Value, b: Value, sign: string): number => {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== null && y !== null)
    return x < y ? -1 : x > y ? 1 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0;
  if (Array.isArray(a) && Array.isArray(b)) return compareSequences(a, b, sign);
  if (isObject(a)) {
    const order = a.compare(b);
    if (order !== undefined) return order;
  }
  if (isObject(b)) {
    const order = b.compare(a);
    if (order !== undefined) return -order;
  }
  return refuse(a, b, sign);
};

export const less = (a: Value, b: Value): boolean => compare(a, b, '<') < 0;
export const lessOrEqual = (a: Value, b: Value): boolean => compare(a, b, '<=') <= 0;
export const greater = (a: Value, b: Value): boolean => compare(a, b, '>') > 0;
export const greaterOrEqual = (a: Value, b: Value): boolean => compare(a, b, '>=') >= 0;
