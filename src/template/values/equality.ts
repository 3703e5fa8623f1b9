import { spend } from '../limits.js';
import { isObject, type Value } from './value.js';

const numberOf = (value: Value): number | bigint | null =>
  typeof value === 'number' || typeof value === 'bigint'
    ? value
    : typeof value === 'boolean'
      ? Number(value)
      : null;

/** `a == b` of the language: 1, 1.0 and True are equal, a text never equals a number. */
export const equals = (a: Value, b: Value): boolean => {
  if (a === b) return true;
  // Two of the same plain type that are not the same are not equal.
  if (typeof a !== 'object' && typeof a === typeof b) return false;
  if (typeof a === 'object' && typeof b === 'object') spend(1);
  if (isObject(a)) return a.equals(b);
  if (isObject(b)) return b.equals(a);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equals(item, b[i] as Value));
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
