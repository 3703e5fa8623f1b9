import { checkItems, spend } from '../limits.js';
import { raise } from './fault.js';
import { TemplateObject, typeName, type Value } from './value.js';

/** A generator of Python: can be gone through once. */
export class PyIterator extends TemplateObject {
  constructor(
    private readonly source: Iterator<Value>,
    private readonly name = 'generator',
  ) {
    super();
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

/** Makes an iterator able to stand in a `for`. */
const iterable = (source: Iterator<Value>): Iterable<Value> => ({
  [Symbol.iterator]: () => ({
    next: () => {
      spend(1);
      return source.next();
    },
  }),
});

/** The elements of a value in order; `null` when it cannot be iterated. */
export const tryIterate = (value: Value): Iterable<Value> | null => {
  if (Array.isArray(value)) {
    spend(value.length);
    return value;
  }
  if (typeof value === 'string') {
    spend(value.length);
    return value;
  }
  if (value instanceof TemplateObject) {
    const source = value.iterator();
    return source === undefined ? null : iterable(source);
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
  const result: Value[] = [];
  for (const item of iterate(value)) {
    result.push(item);
    if ((result.length & 0xfff) === 0) checkItems(result.length);
  }
  return result;
};
