import { raise } from '../../errors.js';
import { callMethodOf, type Methods, methodOf, methods, rawMethods } from '../methods.js';
import { iterate, listFrom } from '../operations/iterate.js';
import { repr, reprAll } from '../operations/print.js';
import { type HashKey, type Kwargs, TemplateObject, type Value } from '../value.js';
import { PyDict, PyDictView } from './dict.js';

/** In insertion order; Python's order is arbitrary. */
export class PySet extends TemplateObject {
  readonly members = new PyDict();

  constructor(items: Iterable<Value> = []) {
    super();
    for (const item of items) this.members.set(item, true);
  }
  get typeName(): string {
    return 'set';
  }
  override attribute(name: string): Value | undefined {
    return methodOf(SET_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(SET_METHODS, this, name, args, kwargs);
  }
  override iterator(): Iterator<Value> {
    return this.members.keys();
  }
  override size(): number {
    return this.members.count;
  }
  override contains(needle: Value): boolean {
    return this.members.has(needle);
  }
  override repr(): string {
    if (this.members.count === 0) return 'set()';
    return `{${reprAll(this, this.members.keys(), '...')}}`;
  }
  override equals(other: Value): boolean {
    return other instanceof PySet && other.members.count === this.members.count && isWithin(this, other);
  }
  /** Ordered by inclusion; `undefined` if neither contains the other. */
  override compare(other: Value): number | undefined {
    if (!(other instanceof PySet)) return undefined;
    if (this.equals(other)) return 0;
    return isWithin(this, other) ? -1 : isWithin(other, this) ? 1 : Number.NaN;
  }
  override hashKey(): HashKey {
    return raise('TypeError', "unhashable type: 'set'");
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (operator !== '-' || isRight || !(other instanceof PySet)) return undefined;
    return difference(this, other);
  }
}

const isWithin = (small: PySet, large: PySet): boolean => {
  for (const item of small.members.keys()) if (!large.members.has(item)) return false;
  return true;
};

const setOf = (value: Value): PySet => (value instanceof PySet ? value : new PySet(iterate(value)));

const difference = (self: PySet, other: PySet): PySet => {
  const kept = [...self.members.keys()].filter((item) => !other.members.has(item));
  return new PySet(kept);
};

const replace = (self: PySet, next: PySet): null => {
  self.members.clear();
  for (const item of next.members.keys()) self.members.set(item, true);
  return null;
};

const intersection = (self: PySet, other: PySet): PySet =>
  new PySet([...self.members.keys()].filter((item) => other.members.has(item)));

const union = (self: PySet, other: PySet): PySet =>
  new PySet([...self.members.keys(), ...other.members.keys()]);

type Combine = (self: PySet, other: PySet) => PySet;

const all =
  (combine: Combine) =>
  (self: PySet, args: readonly Value[]): PySet =>
    args.reduce((result: PySet, other) => combine(result, setOf(other)), new PySet(self.members.keys()));

const SET_METHODS: Methods<PySet> = new Map([
  ...methods<PySet>({
    'add(item, /)': (self, item) => {
      self.members.set(item, true);
      return null;
    },
    'discard(item, /)': (self, item) => {
      self.members.delete(item);
      return null;
    },
    'remove(item, /)': (self, item) =>
      self.members.delete(item) === undefined ? raise('KeyError', repr(item)) : null,
    'pop()': (self) => {
      const [first] = listFrom(self);
      if (first === undefined) return raise('KeyError', "'pop from an empty set'");
      self.members.delete(first);
      return first;
    },
    'clear()': (self) => replace(self, new PySet()),
    'copy()': (self) => new PySet(self.members.keys()),
    'issubset(other, /)': (self, other) => isWithin(self, setOf(other)),
    'issuperset(other, /)': (self, other) => isWithin(setOf(other), self),
    'isdisjoint(other, /)': (self, other) => intersection(self, setOf(other)).size() === 0,
    'symmetric_difference(other, /)': (self, other) =>
      union(difference(self, setOf(other)), difference(setOf(other), self)),
    'symmetric_difference_update(other, /)': (self, other) =>
      replace(self, union(difference(self, setOf(other)), difference(setOf(other), self))),
  }),
  ...rawMethods<PySet>({
    union: all(union),
    intersection: all(intersection),
    difference: all(difference),
    update: (self, args) => replace(self, all(union)(self, args)),
    intersection_update: (self, args) => replace(self, all(intersection)(self, args)),
    difference_update: (self, args) => replace(self, all(difference)(self, args)),
  }),
]);

/** `a.keys() - b`; `undefined` if the left side is no view. */
export const viewDifference = (view: Value, other: Value): PySet | undefined =>
  view instanceof PyDictView && view.kind !== 'values'
    ? difference(new PySet(view.iterator()), setOf(other))
    : undefined;
