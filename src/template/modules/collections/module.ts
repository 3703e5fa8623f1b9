import { raise } from '../../errors.js';
import { callMethodOf, type Methods, methodOf, methods, native, rawMethods } from '../../values/methods.js';
import { add, subtract } from '../../values/operations/arithmetic.js';
import { greater, truthy } from '../../values/operations/compare.js';
import { iterate, PyIterator } from '../../values/operations/iterate.js';
import { guardedPrint, repr } from '../../values/operations/print.js';
import { needIndex } from '../../values/operations/subscript.js';
import { fillDict, PyDict } from '../../values/types/dict.js';
import { PyTuple, sortInPlace } from '../../values/types/sequences.js';
import { callValue, type Kwargs, type Value } from '../../values/value.js';
import { HostModule } from '../hostModule.js';
import { makeDeque } from './deque.js';
import { makeNamedTuple } from './namedTuple.js';

export const collectionsModule = (): HostModule =>
  new HostModule('collections', {
    Counter: makeCounter,
    OrderedDict: (args, kwargs) =>
      args.length > 1
        ? raise('TypeError', `expected at most 1 arguments, got ${args.length}`)
        : fillDict(new PyOrderedDict(), args[0], kwargs),
    defaultdict: makeDefaultDict,
    deque: native('deque(iterable=None, maxlen=None)', (items = null, maxlen = null) =>
      makeDeque(items, maxlen),
    ),
    namedtuple: native(
      'namedtuple(typename, field_names, *, defaults=None)',
      (title = null, fields = null, defaults = null) => makeNamedTuple(title, fields, defaults),
    ),
  });

class PyOrderedDict extends PyDict {
  override get typeName(): string {
    return 'collections.OrderedDict';
  }
  override attribute(name: string): Value | undefined {
    return methodOf(ORDERED_METHODS, this, name) ?? super.attribute(name);
  }
  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return undefined;
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const own = callMethodOf(ORDERED_METHODS, this, name, args, kwargs);
    return own === undefined ? super.callMethod(name, args, kwargs) : own;
  }
  override copy(): PyOrderedDict {
    return fillDict(new PyOrderedDict(), this, null);
  }
  override repr(): string {
    if (this.count === 0) return 'OrderedDict()';
    return guardedPrint(
      this,
      '...',
      () => `OrderedDict(${repr(this.pairList().map((pair) => new PyTuple(pair)))})`,
    );
  }
  override equals(other: Value): boolean {
    if (!super.equals(other)) return false;
    if (!(other instanceof PyOrderedDict)) return true;
    return repr([...this.keys()]) === repr([...other.keys()]);
  }
}

const ORDERED_METHODS: Methods<PyOrderedDict> = methods<PyOrderedDict>({
  'copy()': (self) => self.copy(),
  'move_to_end(key, last=True)': (self, key, last) => {
    const value = self.delete(key);
    if (value === undefined) return raise('KeyError', repr(key));
    const others = truthy(last) ? [] : self.pairList();
    if (others.length > 0) self.clear();
    self.set(key, value);
    for (const [other, kept] of others) self.set(other, kept);
    return null;
  },
  'popitem(last=True)': (self, last) => {
    const pair = self.pairList().at(truthy(last) ? -1 : 0);
    if (pair === undefined) return raise('KeyError', "'dictionary is empty'");
    self.delete(pair[0]);
    return new PyTuple(pair);
  },
});

class PyDefaultDict extends PyDict {
  factory: Value = null;

  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return undefined;
  }
  override get typeName(): string {
    return 'collections.defaultdict';
  }
  override attribute(name: string): Value | undefined {
    return name === 'default_factory' ? this.factory : super.attribute(name);
  }
  override item(key: Value): Value | undefined {
    const value = super.item(key);
    if (value !== undefined || this.factory === null || Array.isArray(key)) return value;
    const made = callValue(this.factory, [], null);
    this.set(key, made);
    return made;
  }
  override copy(): PyDefaultDict {
    const copy = new PyDefaultDict();
    copy.factory = this.factory;
    return fillDict(copy, this, null) as PyDefaultDict;
  }
  override repr(): string {
    return `defaultdict(${repr(this.factory)}, ${super.repr()})`;
  }
}

const makeDefaultDict = (args: readonly Value[], kwargs: Kwargs | null): PyDefaultDict => {
  const [factory = null, source, ...more] = args;
  const isCallable =
    factory === null ||
    typeof factory === 'function' ||
    (typeof factory === 'object' && !Array.isArray(factory) && factory.isCallable());
  if (!isCallable) return raise('TypeError', 'first argument must be callable or None');
  if (more.length > 0) return raise('TypeError', `dict expected at most 1 argument, got ${args.length - 1}`);
  const dict = new PyDefaultDict();
  dict.factory = factory;
  return fillDict(dict, source, kwargs) as PyDefaultDict;
};

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
    return guardedPrint(this, '{...}', () => {
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

const makeCounter = (args: readonly Value[], kwargs: Kwargs | null): PyCounter => {
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
