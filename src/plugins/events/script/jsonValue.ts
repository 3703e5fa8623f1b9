import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../domain/json.js';
import { typeName } from './result.js';

/** A state is nested at most this deep; a value that holds itself is deeper. */
const MAX_DEPTH = 100;
/** Values in one state, so that taking it stays a matter of milliseconds. */
const MAX_VALUES = 1_000_000;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have another Object.prototype, which has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** Where in the state: `state.list[3]`. */
const member = (place: string, key: string | number): string =>
  typeof key === 'number' ? `${place}[${key}]` : `${place}.${key}`;

/**
 * A copy of a value that is JSON. Left says what in it is not, and where. Members that are `undefined` are
 * left out. Throws what getters and proxies throw.
 */
export const jsonOf = (value: unknown): E.Either<string, Json> => {
  let count = 0;
  /** The first problem ends the walk. */
  const problems: string[] = [];

  const refuse = (what: string): null => {
    problems.push(what);
    return null;
  };

  const copyObject = (object: object, place: string, depth: number): Json => {
    const copy: Record<string, Json> = {};
    for (const [key, item] of Object.entries(object)) {
      if (problems.length > 0) return null;
      if (item === undefined) continue;
      const inner = copyOf(item, member(place, key), depth + 1);
      // A key like any other: assigning it would set the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: inner, enumerable: true });
      else copy[key] = inner;
    }
    return copy;
  };

  const copyOf = (item: unknown, place: string, depth: number): Json => {
    if (++count > MAX_VALUES) return refuse(`the state holds more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) return refuse(`${place.slice(0, 60)}... is nested too deeply, or holds itself`);
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item;
    if (typeof item === 'number') {
      return Number.isFinite(item) ? item : refuse(`${place} is ${item}, which JSON does not have`);
    }
    if (Array.isArray(item)) {
      return Array.from(item, (one, i) =>
        problems.length === 0 ? copyOf(one, member(place, i), depth + 1) : null,
      );
    }
    return typeof item === 'object' && isPlain(item)
      ? copyObject(item, place, depth)
      : refuse(`${place} is ${typeName(item)}, which JSON does not have`);
  };

  const copy = copyOf(value, 'the state', 0);
  const [wrong] = problems;
  return wrong === undefined ? E.right(copy) : E.left(wrong);
};
