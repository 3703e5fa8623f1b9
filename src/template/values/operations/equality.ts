import { charge, LONG_TEXT, spend } from '../../limits.js';
import { isObject, type Value } from '../value.js';

const numberOf = (value: Value): number | bigint | null =>
  typeof value === 'number' || typeof value === 'bigint'
    ? value
    : typeof value === 'boolean'
      ? Number(value)
      : null;

/** Elements compared per step. */
const ELEMENTS_PER_STEP = 16;

export const areEqual = (a: readonly Value[], b: readonly Value[]): boolean => {
  if (a.length !== b.length) return false;
  spend(a.length / ELEMENTS_PER_STEP);
  return a.every((item, i) => equals(item, b[i] as Value));
};

/** 1, 1.0 and True are equal; a string never equals a number. */
export const equals = (a: Value, b: Value): boolean => {
  // Equal lengths: all characters may be compared.
  if (typeof a === 'string' && a.length > LONG_TEXT && typeof b === 'string' && a.length === b.length)
    charge(a);
  if (a === b) return true;
  // Same plain type, not identical: not equal.
  if (typeof a !== 'object' && typeof a === typeof b) return false;
  if (typeof a === 'object' && typeof b === 'object') spend(1);
  if (isObject(a)) return a.equals(b);
  if (isObject(b)) return b.equals(a);
  if (Array.isArray(a)) return Array.isArray(b) && areEqual(a, b);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === null || y === null) return false;
  // bigint and number compare exactly with ==; === distinguishes the types.
  return typeof x === typeof y
    ? x === y
    : !(x < y) && !(x > y) && !Number.isNaN(Number(x)) && !Number.isNaN(Number(y));
};

/** Identity; plain values are identical if equal and of one type. */
export const isSame = (a: Value, b: Value): boolean => Object.is(a, b);
