import {
  PyFloat,
  raise,
  repr,
  textOf,
  typeName,
  Undefined,
  type Value,
} from '../../../../../../template/index.js';

/**
 * Argument checks of `module.rand`. `fn` and `name` appear in messages only. An undefined value raises its
 * own error.
 */

/** Characters or items per call. */
export const MAX_COUNT = 1_000_000;

/** Characters of an argument in a message. */
const SHOWN_LENGTH = 60;

export const shown = (value: Value): string => {
  const text = repr(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
};

export const wrongType = (fn: string, name: string, wanted: string, value: Value): never => {
  if (value instanceof Undefined) return value.fail();
  const isScalar = typeof value !== 'function' && !Array.isArray(value) && value !== null;
  const what = isScalar ? ` (${shown(value)})` : '';
  return raise('TypeError', `${fn}: ${name} must be ${wanted}, not ${typeName(value)}${what}`);
};

/** A bool counts as int, as in Python; `undefined` for other types. */
export const realOf = (value: Value): number | bigint | undefined => {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  return value instanceof PyFloat ? value.value : undefined;
};

/** Allows infinity. TypeError, or ValueError for NaN. */
export const needReal = (value: Value, fn: string, name: string): number | bigint => {
  const real = realOf(value);
  if (real === undefined) return wrongType(fn, name, 'a number', value);
  return Number.isNaN(real) ? raise('ValueError', `${fn}: ${name} is nan: give a number`) : real;
};

/** TypeError, ValueError for NaN and infinity, OverflowError for huge ints. */
export const needFinite = (value: Value, fn: string, name: string): number => {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const real = needReal(value, fn, name);
  const number = Number(real);
  if (Number.isFinite(number)) return number;
  return typeof real === 'bigint'
    ? raise('OverflowError', `${fn}: ${name} is too large for a float`)
    : raise('ValueError', `${fn}: ${name} must be finite, not ${shown(value)}`);
};

/** Rejects floats, even 2.0, as Python's `random.randint` does. ValueError beyond 2**53. */
export const needInteger = (value: Value, fn: string, name: string): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') {
    const reach = 'integers range from -9007199254740991 to 9007199254740991';
    return raise('ValueError', `${fn}: ${name} is ${shown(value)}, but ${reach}`);
  }
  const wanted = realOf(value) === undefined ? 'an integer' : "an integer (use the filter 'int')";
  return wrongType(fn, name, wanted, value);
};

/** 0 to `MAX_COUNT`. TypeError, ValueError. */
export const needCount = (value: Value, fn: string, name = 'n'): number => {
  const count = needInteger(value, fn, name);
  if (count >= 0 && count <= MAX_COUNT) return count;
  return raise('ValueError', `${fn}: ${name} must be from 0 to ${MAX_COUNT}, not ${count}`);
};

export const needText = (value: Value, fn: string, name: string): string =>
  typeof value === 'string' ? value : (textOf(value) ?? wrongType(fn, name, 'a string', value));
