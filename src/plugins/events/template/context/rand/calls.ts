import {
  type Callable,
  keepsNothing,
  native,
  PyFloat,
  raise,
  repr,
  textOf,
  typeName,
  Undefined,
  type Value,
} from '../../../../../template/index.js';

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

export const needTextArgument = (value: Value, fn: string, name: string): string =>
  typeof value === 'string' ? value : (textOf(value) ?? wrongType(fn, name, 'a string', value));

/** Results per cache. */
export const MAX_CACHED = 256;
/** Longer keys are not cached. */
const MAX_KEY_LENGTH = 4_096;

/** Caches the last `MAX_CACHED` results by key, evicting the oldest. Errors are not cached. */
export const bounded = <T extends object>(make: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const made = make(key);
    if (key.length > MAX_KEY_LENGTH) return made;
    if (known.size >= MAX_CACHED) {
      for (const oldest of known.keys()) {
        known.delete(oldest);
        break;
      }
    }
    known.set(key, made);
    return made;
  };
};

/** Lets compiled calls skip the argument list. */
const quick = (bound: Callable, call: Callable): Callable =>
  keepsNothing(Object.assign(call, bound.direct === undefined ? {} : { direct: bound.direct }));

/**
 * Wraps functions of `module.rand`: positional calls skip `bind`. They never keep or change an argument, and
 * return items of lists and dicts, never the lists and dicts.
 */

export const nullary = (signature: string, run: () => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) => (args.length === 0 && kwargs === null ? run() : bound(args, kwargs)));
};

export const unary = (signature: string, run: (a: Value) => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) =>
    args.length === 1 && kwargs === null ? run(args[0] ?? null) : bound(args, kwargs),
  );
};

export const binary = (signature: string, run: (a: Value, b: Value) => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) =>
    args.length === 2 && kwargs === null ? run(args[0] ?? null, args[1] ?? null) : bound(args, kwargs),
  );
};

export const ternary = (signature: string, run: (a: Value, b: Value, c: Value) => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) =>
    args.length === 3 && kwargs === null
      ? run(args[0] ?? null, args[1] ?? null, args[2] ?? null)
      : bound(args, kwargs),
  );
};
