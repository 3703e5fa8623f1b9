import { listOf, PyFloat, raise, truthy, Undefined, type Value } from '../../../../../template/index.js';

/** Most elements, words or repeats that one call gives. */
const MAX_COUNT = 10_000;

/** Most characters of a text that one call gives. */
const MAX_LENGTH = 1_000_000;

/** The value, unless it is undefined: then the error of that. */
const defined = (value: Value | undefined): Value =>
  value instanceof Undefined ? value.fail() : (value ?? null);

/** A whole number. */
export const whole = (value: Value | undefined, name: string): number => {
  const given = defined(value);
  if (typeof given === 'boolean') return Number(given);
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
  return raise('TypeError', `${name} must be a whole number`);
};

/** A whole number, or null for None. */
export const wholeOrNone = (value: Value | undefined, name: string): number | null =>
  (value ?? null) === null ? null : whole(value, name);

/** A number with or without a fraction. */
export const real = (value: Value | undefined, name: string): number => {
  const given = defined(value);
  if (typeof given === 'boolean' || typeof given === 'bigint') return Number(given);
  if (given instanceof PyFloat) return given.value;
  return typeof given === 'number' ? given : raise('TypeError', `${name} must be a number`);
};

/** A number, or null for None. */
export const realOrNone = (value: Value | undefined, name: string): number | null =>
  (value ?? null) === null ? null : real(value, name);

/** A number of things to make: 0 to 10,000. */
export const count = (value: Value | undefined, name: string): number => {
  const given = whole(value, name);
  if (given < 0 || given > MAX_COUNT) return raise('ValueError', `${name} must be 0 to ${MAX_COUNT}`);
  return given;
};

/** A number of characters: 0 to 1,000,000. */
export const length = (value: Value | undefined, name: string): number => {
  const given = whole(value, name);
  if (given < 0 || given > MAX_LENGTH) return raise('ValueError', `${name} must be 0 to ${MAX_LENGTH}`);
  return given;
};

export const text = (value: Value | undefined, name: string): string => {
  const given = defined(value);
  return typeof given === 'string' ? given : raise('TypeError', `${name} must be a text`);
};

/** A text, or null for None. */
export const textOrNone = (value: Value | undefined, name: string): string | null =>
  (value ?? null) === null ? null : text(value, name);

/** True or false of any value; None is false. */
export const flag = (value: Value | undefined): boolean => truthy(value ?? null);

/** The elements of a list, tuple or other collection that is not empty. */
export const elements = (value: Value | undefined, name: string): Value[] => {
  const items = listOf(defined(value));
  return items.length === 0 ? raise('ValueError', `${name} must not be empty`) : items;
};

/** A list of texts, or null for None. */
export const textsOrNone = (value: Value | undefined, name: string): readonly string[] | null =>
  (value ?? null) === null ? null : elements(value, name).map((item) => text(item, `an element of ${name}`));

/** A text of a closed list, or null for None. */
export const oneOf = (value: Value | undefined, name: string, known: readonly string[]): string | null => {
  const given = textOrNone(value, name);
  if (given === null || known.includes(given)) return given;
  return raise('ValueError', `${name} must be one of ${known.join(', ')}, not '${given}'`);
};
