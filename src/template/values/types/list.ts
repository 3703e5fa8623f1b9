import { checkGrown, checkItems, spend } from '../../limits.js';
import { type Methods, methods } from '../calls/method.js';
import { raise } from '../fault.js';
import { equals } from '../operations/equality.js';
import { listOf } from '../operations/iterate.js';
import { less } from '../operations/order.js';
import { asIndex, needIndex } from '../operations/subscript.js';
import { truthy } from '../operations/truth.js';
import { call, type Value } from '../value.js';
import { countOf, placeOf } from './tuple.js';

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
    'copy()': (self) => listOf(self),
    'count(value, /)': countOf,
    'extend(iterable, /)': (self, items) => {
      const added = listOf(items);
      checkItems(self.length + added.length);
      for (const item of added) self.push(item);
      return null;
    },
    'index(value, start=None, stop=None, /)': (self, value, start, stop) => {
      const at = placeOf(self, value, start, stop);
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
      sortInPlace(self, key === null ? null : (item) => call(key, [item], null), truthy(reverse));
      return null;
    },
  }),
]);
