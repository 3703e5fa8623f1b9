import { isObject, type Value } from '../value.js';

export const truthy = (value: Value): boolean => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') {
    if (value === null) return false;
    return isObject(value) ? value.truthy() : value.length > 0;
  }
  // NaN is true in Python.
  return value !== 0 && value !== '' && value !== 0n;
};
