import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../domain/json.js';
import { typeName } from './result.js';

/** Deepest nesting; also ends circular values. */
const MAX_DEPTH = 100;
/** Keeps a snapshot within milliseconds. */
const MAX_VALUES = 1_000_000;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of other realms have another Object.prototype, with a null prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const member = (location: string, key: string | number): string =>
  typeof key === 'number' ? `${location}[${key}]` : `${location}.${key}`;

/**
 * Copies a JSON value; `undefined` members are dropped. Returns an error with location and type of a value that JSON
 * lacks. Throws what getters and proxies throw.
 */
export const jsonOf = (value: unknown): E.Either<string, Json> => {
  let count = 0;
  const problems: string[] = [];

  const refuse = (what: string): null => {
    problems.push(what);
    return null;
  };

  const copyObject = (object: object, location: string, depth: number): Json => {
    const copy: Record<string, Json> = {};
    for (const [key, item] of Object.entries(object)) {
      if (problems.length > 0) return null;
      if (item === undefined) continue;
      const inner = copyOf(item, member(location, key), depth + 1);
      // Assigning this key would set the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: inner, enumerable: true });
      else copy[key] = inner;
    }
    return copy;
  };

  const copyOf = (item: unknown, location: string, depth: number): Json => {
    if (++count > MAX_VALUES) return refuse(`the state has more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) return refuse(`${location.slice(0, 60)}... is nested too deeply, or circular`);
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item;
    if (typeof item === 'number') {
      return Number.isFinite(item) ? item : refuse(`${location} is ${item}, which is not JSON`);
    }
    if (Array.isArray(item)) {
      return Array.from(item, (one, i) =>
        problems.length === 0 ? copyOf(one, member(location, i), depth + 1) : null,
      );
    }
    return typeof item === 'object' && isPlain(item)
      ? copyObject(item, location, depth)
      : refuse(`${location} is ${typeName(item)}, which is not JSON`);
  };

  const copy = copyOf(value, 'the state', 0);
  const [wrong] = problems;
  return wrong === undefined ? E.right(copy) : E.left(wrong);
};
