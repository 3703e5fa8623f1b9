import { callMethodOf, type Methods, methodOf, methods, rawMethods } from '../../values/calls/method.js';
import { raise } from '../../values/fault.js';
import { add, subtract } from '../../values/operations/arithmetic.js';
import { iterate, PyIterator } from '../../values/operations/iterate.js';
import { greater } from '../../values/operations/order.js';
import { guarded, repr } from '../../values/operations/print.js';
import { needIndex } from '../../values/operations/subscript.js';
import { fillDict, PyDict } from '../../values/types/dict.js';
import { sortInPlace } from '../../values/types/list.js';
import { PyTuple } from '../../values/types/tuple.js';
import type { Kwargs, Value } from '../../values/value.js';

class PyCounter extends PyDict {
  override get typeName(): string {
    return 'Counter';
  }
  override attribute(name: string): Value | undefined {
    return methodOf(COUNTER_METHODS, this, name) ?? super.attribute(name);
  }
  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return undefined;
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const own = callMethodOf(COUNTER_METHODS, this, name, args, kwargs);
    return own === undefined ? super.callMethod(name, args, kwargs) : own;
  }
  override item(key: Value): Value | undefined {
    return super.item(key) ?? (Array.isArray(key) ? undefined : 0);
  }
  countOf(key: Value): Value {
    return this.get(key) ?? 0;
  }
  /** Highest count first; ties in insertion order. */
  ranked(): Value[] {
    const items: Value[] = this.pairList().map((pair) => new PyTuple(pair));
    sortInPlace(items, (item) => (item as PyTuple).items[1] ?? 0, true);
    return items;
  }
  override copy(): PyCounter {
    return fillCounter(new PyCounter(), this, null, add);
  }
  override repr(): string {
    if (this.count === 0) return 'Counter()';
    return guarded(this, '{...}', () => {
      const sorted = new PyDict();
      for (const item of this.ranked()) {
        const [key = null, count = null] = (item as PyTuple).items;
        sorted.set(key, count);
      }
      return `Counter(${repr(sorted)})`;
    });
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (isRight || !(other instanceof PyCounter) || (operator !== '+' && operator !== '-')) return undefined;
    const combine = operator === '+' ? add : subtract;
    const result = new PyCounter();
    for (const key of new Set([...this.keys(), ...other.keys()])) {
      const count = combine(this.countOf(key), other.countOf(key));
      if (greater(count, 0)) result.set(key, count);
    }
    return result;
  }
}

type Combine = (a: Value, b: Value) => Value;

/** Counts elements, or adds the counts of a dict. */
const fillCounter = (
  counter: PyCounter,
  source: Value,
  kwargs: Kwargs | null,
  combine: Combine,
): PyCounter => {
  if (source instanceof PyDict) {
    for (const [key, count] of source.pairList()) counter.set(key, combine(counter.countOf(key), count));
  } else if (source !== null)
    for (const item of iterate(source)) counter.set(item, combine(counter.countOf(item), 1));
  for (const [key, count] of kwargs ?? []) counter.set(key, combine(counter.countOf(key), count));
  return counter;
};

function* repeated(counter: PyCounter): Generator<Value> {
  for (const [key, count] of counter.pairList())
    for (let left = needIndex(count); left > 0; left--) yield key;
}

const changing =
  (combine: Combine) =>
  (self: PyCounter, args: readonly Value[], kwargs: Kwargs | null): Value => {
    if (args.length > 1) return raise('TypeError', `expected at most 1 argument, got ${args.length}`);
    fillCounter(self, args[0] ?? null, kwargs, combine);
    return null;
  };

const COUNTER_METHODS: Methods<PyCounter> = new Map([
  ...methods<PyCounter>({
    'most_common(n=None)': (self, n) => {
      const all = self.ranked();
      return n === null ? all : all.slice(0, Math.max(0, needIndex(n)));
    },
    'elements()': (self) => new PyIterator(repeated(self), 'itertools.chain'),
    'total()': (self) => self.pairList().reduce<Value>((sum, [, count]) => add(sum, count), 0),
    'copy()': (self) => self.copy(),
  }),
  ...rawMethods<PyCounter>({ update: changing(add), subtract: changing(subtract) }),
]);

export const makeCounter = (args: readonly Value[], kwargs: Kwargs | null): PyCounter => {
  if (args.length > 1)
    return raise(
      'TypeError',
      `Counter.__init__() takes from 1 to 2 positional arguments but ${args.length + 1} were given`,
    );
  const [source = null] = args;
  const counter = new PyCounter();
  return source instanceof PyDict
    ? (fillDict(counter, source, kwargs) as PyCounter)
    : fillCounter(counter, source, kwargs, add);
};
