import { LONG_TEXT, spend, weigh } from '../limits.js';
import { isObject, type Value } from './value.js';

const numberOf = (value: Value): number | bigint | null =>
  typeof value === 'number' || typeof value === 'bigint'
    ? value
    : typeof value === 'boolean'
      ? Number(value)
      : null;

/** Elements that are compared for one step. */
const ELEMENTS_PER_STEP = 16;

/** True for sequences of equal elements. */
export const areEqual = (a: readonly Value[], b: readonly Value[]): boolean => {
  if (a.length !== b.length) return false;
  spend(a.length / ELEMENTS_PER_STEP);
  return a.every((item, i) => equals(item, b[i] as Value));
};

/** `a == b` of the language: 1, 1.0 and True are equal, a text never equals a number. */
export const equals = (a: Value, b: Value): boolean => {
  // Of two texts of one length all may have to be read.
  if (typeof a === 'string' && a.length > LONG_TEXT && typeof b === 'string' && a.length === b.length)
    weigh(a);
  if (a === b) return true;
  // Two of the same plain type that are not the same are not equal.
  if (typeof a !== 'object' && typeof a === typeof b) return false;
  if (typeof a === 'object' && typeof b === 'object') spend(1);
  if (isObject(a)) return a.equals(b);
  if (isObject(b)) return b.equals(a);
  if (Array.isArray(a)) return Array.isArray(b) && areEqual(a, b);
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === null || y === null) return false;
  // A bigint and a number compare exactly; === would say that types differ.
  return typeof x === typeof y
    ? x === y
    : !(x < y) && !(x > y) && !Number.isNaN(Number(x)) && !Number.isNaN(Number(y));
};

/** True for the same object; numbers, texts and None are the same where they are equal and of one type. */
export const isSame = (a: Value, b: Value): boolean => Object.is(a, b);
