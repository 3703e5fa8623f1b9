import { raise } from '../../errors.js';
import { checkGrown, checkItems, spend } from '../../limits.js';
import { isObject, TemplateObject, typeName, type Value } from '../value.js';

/** Source of a generator; `rest` returns all remaining elements at once. */
export interface Source extends Iterator<Value> {
  rest?(): Value[];
}

export class PyIterator extends TemplateObject {
  constructor(
    private readonly source: Source,
    private readonly name = 'generator',
  ) {
    super();
  }
  /** `undefined` if the source cannot return all at once. */
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

/** Longer lists are charged per element, which checks the clock on the way. */
const LONG = 16_384;

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

export const iterate = (value: Value): Iterable<Value> =>
  tryIterate(value) ?? raise('TypeError', `'${typeName(value)}' object is not iterable`);

export const listFrom = (value: Value): Value[] => {
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
