import {
  PyFloat,
  raise,
  repr,
  textOf,
  typeName,
  Undefined,
  type Value,
} from '../../../../../template/index.js';

/**
 * Arguments of `module.rand` as numbers and texts. `fn` and `name` are the function and the parameter, for
 * the message only. An undefined value ends the render with its own message: it names what is missing.
 */

/** Most characters or items that one call makes. */
export const MAX_COUNT = 1_000_000;

/** Most characters of an argument that a message shows. */
const SHOWN_LENGTH = 60;

/** A value as a message shows it. */
export const shown = (value: Value): string => {
  const text = repr(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
};

/** The TypeError of an argument of another type than `wanted`. */
export const wrongType = (fn: string, name: string, wanted: string, value: Value): never => {
  if (value instanceof Undefined) return value.fail();
  const isScalar = typeof value !== 'function' && !Array.isArray(value) && value !== null;
  const what = isScalar ? ` (${shown(value)})` : '';
  return raise('TypeError', `${fn}: ${name} must be ${wanted}, not ${typeName(value)}${what}`);
};

/** An int or float, compared exactly; JavaScript's `undefined` for other types. A bool counts as int, as in Python. */
export const realOf = (value: Value): number | bigint | undefined => {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  return value instanceof PyFloat ? value.value : undefined;
};

/** A number, infinite ones too. TypeError for other types, ValueError for NaN. */
export const needReal = (value: Value, fn: string, name: string): number | bigint => {
  const real = realOf(value);
  if (real === undefined) return wrongType(fn, name, 'a number', value);
  return Number.isNaN(real) ? raise('ValueError', `${fn}: ${name} is nan, which is no number`) : real;
};

/** A finite number. TypeError for other types, ValueError for NaN and infinity, OverflowError for a huge int. */
export const needFinite = (value: Value, fn: string, name: string): number => {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const real = needReal(value, fn, name);
  const number = Number(real);
  if (Number.isFinite(number)) return number;
  return typeof real === 'bigint'
    ? raise('OverflowError', `${fn}: ${name} is too large for a float`)
    : raise('ValueError', `${fn}: ${name} must be finite, not ${shown(value)}`);
};

/**
 * A whole number that a double holds exactly. Floats are refused, even 2.0, as Python's `random.randint`
 * refuses them: TypeError. ValueError for an int beyond 2**53.
 */
export const needInteger = (value: Value, fn: string, name: string): number => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') {
    const reach = 'whole numbers reach from -9007199254740991 to 9007199254740991 here';
    return raise('ValueError', `${fn}: ${name} is ${shown(value)}, but ${reach}`);
  }
  const wanted = realOf(value) === undefined ? 'an integer' : "an integer (use the filter 'int')";
  return wrongType(fn, name, wanted, value);
};

/** How many characters or items to make: 0 to `MAX_COUNT`. TypeError, ValueError. */
export const needCount = (value: Value, fn: string, name = 'n'): number => {
  const count = needInteger(value, fn, name);
  if (count >= 0 && count <= MAX_COUNT) return count;
  return raise('ValueError', `${fn}: ${name} must be from 0 to ${MAX_COUNT}, not ${count}`);
};

/** A text. TypeError for other types. */
export const needText = (value: Value, fn: string, name: string): string =>
  typeof value === 'string' ? value : (textOf(value) ?? wrongType(fn, name, 'a text', value));
