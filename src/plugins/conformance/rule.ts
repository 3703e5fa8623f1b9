import { inspect, isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';

/** What every plugin of a kind does. `check` throws `Broken`; a text says why there is nothing to check. */
export interface Rule<S> {
  readonly title: string;
  readonly check: (subject: S) => Promise<string | null>;
}

/** A plugin breaks a rule; the message says how. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Equal by content. Prototypes do not count: values may come from another realm. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Map || a instanceof Set || a instanceof RegExp) return isDeepStrictEqual(a, b);
  const keys = (of: Readonly<Record<string, unknown>>): readonly string[] =>
    Object.keys(of).filter((key) => of[key] !== undefined);
  return (
    keys(a).length === keys(b).length &&
    keys(a).every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
};

/** Longer values are cut. */
const MAX_SHOWN = 600;

const shown = (value: unknown): string => {
  const text = inspect(value, { depth: 4, maxArrayLength: 12, maxStringLength: 200, breakLength: 100 });
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
};

/** Position of the first difference of two lists. */
const firstDifference = (one: readonly unknown[], other: readonly unknown[]): number => {
  for (let at = 0; at < Math.min(one.length, other.length); at++) if (!isSame(one[at], other[at])) return at;
  return Math.min(one.length, other.length);
};

const difference = (actual: unknown, expected: unknown): string => {
  if (!Array.isArray(actual) || !Array.isArray(expected))
    return `expected ${shown(expected)}, got ${shown(actual)}`;
  const at = firstDifference(actual, expected);
  const [got, wanted] = [actual, expected].map((list: readonly unknown[]) =>
    at < list.length ? shown(list[at]) : 'nothing',
  );
  return `expected ${wanted} at position ${at}, got ${got} (${expected.length} expected, ${actual.length} given)`;
};

export const holds = (condition: boolean, problem: string): void => {
  if (!condition) throw new Broken(problem);
};

export const equals = (what: string, actual: unknown, expected: unknown): void =>
  holds(isSame(actual, expected), `${what}: ${difference(actual, expected)}`);

/** The value of a result. */
export const success = <A>(what: string, result: Result<A>): A => {
  if (E.isRight(result)) return result.right;
  throw new Broken(`${what}: ${result.left.code}: ${result.left.message}`);
};
