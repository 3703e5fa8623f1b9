import { checkGrown, checkItems, spend } from '../limits.js';
import { raise } from './fault.js';
import { isObject, TemplateObject, typeName, type Value } from './value.js';

/** The source of a generator; `rest` gives all that is left at once, faster than one by one. */
export interface Source extends Iterator<Value> {
  rest?(): Value[];
}

/** A generator of Python: can be gone through once. */
export class PyIterator extends TemplateObject {
  constructor(
    private readonly source: Source,
    private readonly name = 'generator',
  ) {
    super();
  }
  /** All that is left, where the source can give it at once; else JavaScript's `undefined`. */
  rest(): Value[] | undefined {
    return this.source.rest?.();
  }
  get typeName(): string {
    return this.name;
  }
  override iterator(): Iterator<Value> {
    return this.source;
  }
  override repr(): string {
    return `<${this.name} object>`;
  }
}

/** Makes an iterator able to stand in a `for`, where each element costs a step. */
class Counted implements IterableIterator<Value> {
  constructor(private readonly source: Iterator<Value>) {}
  [Symbol.iterator](): this {
    return this;
  }
  next(): IteratorResult<Value> {
    spend(1);
    return this.source.next();
  }
}

/** The same of a list that an object holds. */
class CountedElements implements IterableIterator<Value> {
  private at = 0;
  constructor(private readonly elements: readonly Value[]) {}
  [Symbol.iterator](): this {
    return this;
  }
  next(): IteratorResult<Value> {
    spend(1);
    const value = this.elements[this.at++];
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }
}

/** What is longer pays for its elements one by one, so that the time is looked at on the way. */
const LONG = 16_384;

/** The elements of a value in order; `null` when it cannot be iterated. */
export const tryIterate = (value: Value): Iterable<Value> | null => {
  if (Array.isArray(value)) {
    if (value.length > LONG) return new CountedElements(value);
    spend(value.length);
    return value;
  }
  if (typeof value === 'string') {
    if (value.length > LONG) return new Counted(value[Symbol.iterator]());
    spend(value.length);
    return value;
  }
  if (isObject(value)) {
    const elements = value.elements();
    if (elements !== undefined) return new CountedElements(elements);
    const source = value.iterator();
    return source === undefined ? null : new Counted(source);
  }
  return null;
};

/** The elements of a value in order; TypeError when it cannot be iterated. */
export const iterate = (value: Value): Iterable<Value> =>
  tryIterate(value) ?? raise('TypeError', `'${typeName(value)}' object is not iterable`);

/** The elements as a new list. */
export const listOf = (value: Value): Value[] => {
  if (Array.isArray(value)) {
    checkItems(value.length);
    return value.slice();
  }
  if (!isObject(value)) return listOfAll(iterate(value));
  const elements = value.elements();
  if (elements !== undefined) {
    checkItems(elements.length);
    return elements.slice();
  }
  const rest = value instanceof PyIterator ? value.rest() : undefined;
  if (rest === undefined) return listOfAll(iterate(value));
  checkItems(rest.length);
  return rest;
};

const listOfAll = (items: Iterable<Value>): Value[] => {
  const result: Value[] = [];
  for (const item of items) {
    result.push(item);
    if ((result.length & 0xfff) === 0) checkGrown(result.length);
  }
  return result;
};
