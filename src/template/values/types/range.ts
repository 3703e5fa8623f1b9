import { budget, checkItems } from '../../limits.js';
import { callMethodOf, type Methods, methodOf, methods } from '../calls/method.js';
import { raise } from '../fault.js';
import { asIndex, indexOf, needIndex, PySlice, spanOf } from '../operations/subscript.js';
import { floatValue, type HashKey, type Kwargs, PyFloat, TemplateObject, type Value } from '../value.js';

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
    const index = indexOf(key, this.length);
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
