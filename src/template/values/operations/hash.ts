import { checkText, spend } from '../../limits.js';
import { raise } from '../fault.js';
import { type HashKey, isObject, type Value } from '../value.js';

const numbered = new WeakMap<object, number>();
let lastNumber = 0;

/** A unique number per object, for tuples as keys. */
const numberOf = (object: object): number => {
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
    else if (typeof key === 'object' && key !== null) text += `o${numberOf(key)};`;
    else text += `n${String(key)};`;
  }
  return checkText(text);
};
