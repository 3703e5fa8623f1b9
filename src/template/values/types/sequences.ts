import { raise } from '../../errors.js';
import { budget, checkGrown, checkItems, spend } from '../../limits.js';
import { callMethodOf, type Methods, methodOf, methods } from '../methods.js';
import { areEqual, compareSequences, equals, hashKeyOfAll, less, truthy } from '../operations/compare.js';
import { listFrom } from '../operations/iterate.js';
import { reprAll } from '../operations/print.js';
import {
  asIndex,
  needIndex,
  PySlice,
  sliceItems,
  spanOf,
  subscriptIndexOf,
} from '../operations/subscript.js';
import {
  callValue,
  floatValue,
  type HashKey,
  type Kwargs,
  PyFloat,
  TemplateObject,
  type Value,
} from '../value.js';

/** Sample rows extend it with names. */
export class PyTuple extends TemplateObject {
  constructor(override readonly items: readonly Value[]) {
    super();
  }
  get typeName(): string {
    return 'tuple';
  }
  override attribute(name: string): Value | undefined {
    return methodOf(TUPLE_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const result = callMethodOf(TUPLE_METHODS, this, name, args, kwargs);
    return result === undefined ? super.callMethod(name, args, kwargs) : result;
  }
  override item(key: Value): Value | undefined {
    if (key instanceof PySlice) return new PyTuple(sliceItems(this.items, key));
    const index = subscriptIndexOf(key, this.items.length);
    return index === null ? undefined : this.items[index];
  }
  override iterator(): Iterator<Value> {
    return this.items[Symbol.iterator]();
  }
  override elements(): readonly Value[] {
    return this.items;
  }
  override size(): number {
    return this.items.length;
  }
  override repr(): string {
    const only = this.items.length === 1 ? ',' : '';
    return `(${reprAll(this, this.items, '...')}${only})`;
  }
  override equals(other: Value): boolean {
    return other instanceof PyTuple && areEqual(this.items, other.items);
  }
  override compare(other: Value): number | undefined {
    return other instanceof PyTuple ? compareSequences(this.items, other.items) : undefined;
  }
  override hashKey(): HashKey {
    return hashKeyOfAll('t', this.items);
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (operator !== '+' || isRight || !(other instanceof PyTuple)) return undefined;
    checkItems(this.items.length + other.items.length);
    return new PyTuple(this.items.concat(other.items));
  }
}

/** -1 if absent. */
export const indexInTuple = (items: readonly Value[], needle: Value, start: Value, stop: Value): number => {
  const clamp = (value: Value, whenNone: number): number => {
    if (value === null) return whenNone;
    const index = asIndex(value);
    if (index === undefined) {
      return raise('TypeError', 'slice indices must be integers or have an __index__ method');
    }
    return index < 0 ? Math.max(0, index + items.length) : Math.min(index, items.length);
  };
  const end = clamp(stop, items.length);
  spend(items.length);
  for (let i = clamp(start, 0); i < end; i++) if (equals(items[i] as Value, needle)) return i;
  return -1;
};

export const countOf = (items: readonly Value[], needle: Value): number => {
  spend(items.length);
  return items.reduce((count: number, item) => (equals(item, needle) ? count + 1 : count), 0);
};

const TUPLE_METHODS: Methods<PyTuple> = methods<PyTuple>({
  'count(value, /)': (self, value) => countOf(self.items, value),
  'index(value, start=None, stop=None, /)': (self, value, start, stop) => {
    const index = indexInTuple(self.items, value, start, stop);
    return index < 0 ? raise('ValueError', 'tuple.index(x): x not in tuple') : index;
  },
});

/** Stable, also reversed. `keyOf` null: by the elements. */
export const sortInPlace = (
  items: Value[],
  keyOf: ((item: Value) => Value) | null,
  isReversed: boolean,
): void => {
  checkItems(items.length);
  const keyed = items.map((item) => ({ item, key: keyOf === null ? item : keyOf(item) }));
  // Compares with `<` only, as Python does.
  keyed.sort((a, b) => {
    spend(STEPS_PER_COMPARISON);
    if (less(a.key, b.key)) return isReversed ? 1 : -1;
    if (less(b.key, a.key)) return isReversed ? -1 : 1;
    return 0;
  });
  for (const [index, { item }] of keyed.entries()) items[index] = item;
};

/** A sort compares about n * log2(n) times. */
const STEPS_PER_COMPARISON = 1 / 8;

const MOVED_PER_STEP = 64;

const positionFor = (items: readonly Value[], index: Value): number => {
  const at = needIndex(index);
  return at < 0 ? Math.max(0, at + items.length) : Math.min(at, items.length);
};

export const LIST_METHODS: Methods<Value[]> = new Map([
  ...methods<Value[]>({
    'append(object, /)': (self, item) => {
      self.push(item);
      if ((self.length & 0xfff) === 0) checkGrown(self.length);
      return null;
    },
    'clear()': (self) => {
      self.length = 0;
      return null;
    },
    'copy()': (self) => listFrom(self),
    'count(value, /)': countOf,
    'extend(iterable, /)': (self, items) => {
      const added = listFrom(items);
      checkItems(self.length + added.length);
      for (const item of added) self.push(item);
      return null;
    },
    'index(value, start=None, stop=None, /)': (self, value, start, stop) => {
      const at = indexInTuple(self, value, start, stop);
      return at < 0 ? raise('ValueError', 'list.index(x): x not in list') : at;
    },
    'insert(index, object, /)': (self, index, item) => {
      spend(self.length / MOVED_PER_STEP);
      self.splice(positionFor(self, index), 0, item);
      checkGrown(self.length);
      return null;
    },
    'pop(index=-1, /)': (self, index) => {
      const at = asIndex(index) ?? needIndex(index);
      if (self.length === 0) return raise('IndexError', 'pop from empty list');
      const place = at < 0 ? at + self.length : at;
      if (place < 0 || place >= self.length) return raise('IndexError', 'pop index out of range');
      spend(self.length / MOVED_PER_STEP);
      const [item = null] = self.splice(place, 1);
      return item;
    },
    'remove(value, /)': (self, value) => {
      spend(self.length);
      const at = self.findIndex((item) => equals(item, value));
      if (at < 0) return raise('ValueError', 'list.remove(x): x not in list');
      self.splice(at, 1);
      return null;
    },
    'reverse()': (self) => {
      spend(self.length / MOVED_PER_STEP);
      self.reverse();
      return null;
    },
    'sort(*, key=None, reverse=False)': (self, key, reverse) => {
      sortInPlace(self, key === null ? null : (item) => callValue(key, [item], null), truthy(reverse));
      return null;
    },
  }),
]);

export class PyRange extends TemplateObject {
  readonly length: number;

  constructor(
    readonly start: number,
    readonly stop: number,
    readonly step: number,
  ) {
    super();
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }
  get typeName(): string {
    return 'range';
  }
  at(index: number): number {
    return this.start + index * this.step;
  }
  override attribute(name: string): Value | undefined {
    if (name === 'start' || name === 'stop' || name === 'step') return this[name];
    return methodOf(RANGE_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const result = callMethodOf(RANGE_METHODS, this, name, args, kwargs);
    return result === undefined ? super.callMethod(name, args, kwargs) : result;
  }
  override item(key: Value): Value | undefined {
    if (key instanceof PySlice) {
      const { start, stop, step } = spanOf(key, this.length);
      return new PyRange(this.at(start), this.at(stop), step * this.step);
    }
    const index = subscriptIndexOf(key, this.length);
    return index === null ? undefined : this.at(index);
  }
  override iterator(): Iterator<Value> {
    checkItems(this.length > budget.limits.collection_items ? this.length : 0);
    let index = 0;
    return {
      next: () =>
        index < this.length ? { done: false, value: this.at(index++) } : { done: true, value: undefined },
    };
  }
  override size(): number {
    return this.length;
  }
  override contains(needle: Value): boolean {
    return this.place(needle) >= 0;
  }
  override repr(): string {
    return this.step === 1
      ? `range(${this.start}, ${this.stop})`
      : `range(${this.start}, ${this.stop}, ${this.step})`;
  }
  override equals(other: Value): boolean {
    return (
      other instanceof PyRange &&
      other.length === this.length &&
      (this.length === 0 || (this.start === other.start && (this.length === 1 || this.step === other.step)))
    );
  }
  override hashKey(): HashKey {
    return `\0r${this.length};${this.length > 0 ? this.start : ''};${this.length > 1 ? this.step : ''}`;
  }
  /** -1 if absent. */
  place(needle: Value): number {
    const float = needle instanceof PyFloat ? needle.value : floatValue(needle);
    const number = float ?? asIndex(needle);
    if (number === undefined) return -1;
    const index = (number - this.start) / this.step;
    return Number.isInteger(index) && index >= 0 && index < this.length ? index : -1;
  }
}

const RANGE_METHODS: Methods<PyRange> = methods<PyRange>({
  'count(value, /)': (self, value) => (self.place(value) < 0 ? 0 : 1),
  'index(value, /)': (self, value) => {
    const index = self.place(value);
    return index < 0 ? raise('ValueError', 'value is not in range') : index;
  },
});

export const makeRange = (args: readonly Value[], kwargs: Kwargs | null): PyRange => {
  if (kwargs !== null && kwargs.size > 0) return raise('TypeError', 'range() takes no keyword arguments');
  if (args.length === 0) return raise('TypeError', 'range expected at least 1 argument, got 0');
  if (args.length > 3) return raise('TypeError', `range expected at most 3 arguments, got ${args.length}`);
  const [first = 0, second = 0, third = 1] = args.map(needIndex);
  if (third === 0) return raise('ValueError', 'range() arg 3 must not be zero');
  return args.length === 1 ? new PyRange(0, first, 1) : new PyRange(first, second, third);
};
