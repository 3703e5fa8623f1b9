import { raise } from '../../errors.js';
import { charge, chargeLength, checkText, LONG_TEXT, spend } from '../../limits.js';
import { type HashKey, isObject, PyFloat, typeName, type Value } from '../value.js';

export const truthy = (value: Value): boolean => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') {
    if (value === null) return false;
    return isObject(value) ? value.truthy() : value.length > 0;
  }
  // NaN is true in Python.
  return value !== 0 && value !== '' && value !== 0n;
};

const plainNumberOf = (value: Value): number | bigint | null =>
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
  const x = plainNumberOf(a);
  const y = plainNumberOf(b);
  if (x === null || y === null) return false;
  // bigint and number compare exactly with ==; === distinguishes the types.
  return typeof x === typeof y
    ? x === y
    : !(x < y) && !(x > y) && !Number.isNaN(Number(x)) && !Number.isNaN(Number(y));
};

/** Identity; plain values are identical if equal and of one type. */
export const isSame = (a: Value, b: Value): boolean => Object.is(a, b);

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

const numbered = new WeakMap<object, number>();
let lastNumber = 0;

/** A unique number per object, for tuples as keys. */
const serialOf = (object: object): number => {
  const known = numbered.get(object);
  if (known !== undefined) return known;
  numbered.set(object, ++lastNumber);
  return lastNumber;
};

/** Key for a JavaScript Map: 1, 1.0 and True are one key. */
export const hashKey = (value: Value): HashKey => {
  switch (typeof value) {
    case 'string':
      return value.charCodeAt(0) === 0 ? `\0s${value}` : value;
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'boolean':
      return value ? 1 : 0;
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return raise('TypeError', "unhashable type: 'list'");
      return isObject(value) ? value.hashKey() : value;
    default:
      return value;
  }
};

const KEYS_PER_STEP = 8;

/** A combined key. Strings with the same prefix are marked, so none collides. */
export const hashKeyOfAll = (kind: string, values: readonly Value[]): string => {
  let text = `\0${kind}`;
  spend(values.length / KEYS_PER_STEP);
  for (const value of values) {
    const key = hashKey(value);
    if (typeof key === 'string') text += `s${key.length}:${key}`;
    else if (typeof key === 'object' && key !== null) text += `o${serialOf(key)};`;
    else text += `n${String(key)};`;
  }
  return checkText(text);
};
