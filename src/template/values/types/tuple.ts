import { checkItems, spend } from '../../limits.js';
import { callMethodOf, type Methods, methodOf, methods } from '../calls/method.js';
import { raise } from '../fault.js';
import { areEqual, equals } from '../operations/equality.js';
import { hashKeyOfAll } from '../operations/hash.js';
import { compareSequences } from '../operations/order.js';
import { reprAll } from '../operations/print.js';
import { asIndex, indexOf, PySlice, sliceItems } from '../operations/subscript.js';
import { type HashKey, type Kwargs, TemplateObject, type Value } from '../value.js';

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
    const index = indexOf(key, this.items.length);
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
export const placeOf = (items: readonly Value[], needle: Value, start: Value, stop: Value): number => {
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
    const index = placeOf(self.items, value, start, stop);
    return index < 0 ? raise('ValueError', 'tuple.index(x): x not in tuple') : index;
  },
});
