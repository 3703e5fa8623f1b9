import { isObject, type Value } from './value.js';

/** Truth as Python has it: None, False, zero and everything empty are false. */
export const truthy = (value: Value): boolean => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') {
    if (value === null) return false;
    return isObject(value) ? value.truthy() : value.length > 0;
  }
  // NaN is true in Python and false in JavaScript.
  return value !== 0 && value !== '' && value !== 0n;
};
