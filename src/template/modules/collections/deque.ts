import { raise } from '../../errors.js';
import { checkGrown, spend } from '../../limits.js';
import { callMethodOf, type Methods, methodOf, methods } from '../../values/methods.js';
import { areEqual, compareSequences, equals } from '../../values/operations/compare.js';
import { listFrom } from '../../values/operations/iterate.js';
import { repr, reprAll } from '../../values/operations/print.js';
import { needIndex, subscriptIndexOf } from '../../values/operations/subscript.js';
import { countOf, indexInTuple } from '../../values/types/sequences.js';
import { type HashKey, type Kwargs, TemplateObject, type Value } from '../../values/value.js';

const MOVED_PER_STEP = 64;

/** With `maxlen`, an element added at one end drops one at the other. */
class PyDeque extends TemplateObject {
  readonly list: Value[] = [];

  constructor(
    items: readonly Value[],
    readonly maxlen: number | null,
  ) {
    super();
    for (const item of items) this.append(item);
  }
  get typeName(): string {
    return 'collections.deque';
  }
  append(item: Value): void {
    if (this.maxlen === 0) return;
    this.list.push(item);
    checkGrown(this.list.length);
    if (this.maxlen !== null && this.list.length > this.maxlen) this.shift();
  }
  appendLeft(item: Value): void {
    if (this.maxlen === 0) return;
    spend(this.list.length / MOVED_PER_STEP);
    this.list.unshift(item);
    checkGrown(this.list.length);
    if (this.maxlen !== null && this.list.length > this.maxlen) this.list.pop();
  }
  shift(): Value | undefined {
    spend(this.list.length / MOVED_PER_STEP);
    return this.list.shift();
  }
  rotate(count: number): void {
    const { length } = this.list;
    if (length === 0) return;
    spend(length / MOVED_PER_STEP);
    const by = ((count % length) + length) % length;
    const moved = this.list.splice(length - by, by);
    for (let i = moved.length - 1; i >= 0; i--) this.list.unshift(moved[i] ?? null);
  }
  override attribute(name: string): Value | undefined {
    return name === 'maxlen' ? this.maxlen : methodOf(DEQUE_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(DEQUE_METHODS, this, name, args, kwargs);
  }
  override item(key: Value): Value | undefined {
    const index = subscriptIndexOf(key, this.list.length);
    return index === null ? undefined : this.list[index];
  }
  override iterator(): Iterator<Value> {
    return this.list[Symbol.iterator]();
  }
  override size(): number {
    return this.list.length;
  }
  override repr(): string {
    const most = this.maxlen === null ? '' : `, maxlen=${this.maxlen}`;
    return `deque([${reprAll(this, this.list, '...')}]${most})`;
  }
  override equals(other: Value): boolean {
    return other instanceof PyDeque && areEqual(this.list, other.list);
  }
  override compare(other: Value): number | undefined {
    return other instanceof PyDeque ? compareSequences(this.list, other.list) : undefined;
  }
  override hashKey(): HashKey {
    return raise('TypeError', "unhashable type: 'collections.deque'");
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (operator !== '+' || isRight || !(other instanceof PyDeque)) return undefined;
    spend(this.list.length + other.list.length);
    return new PyDeque(this.list.concat(other.list), this.maxlen);
  }
}

const none =
  (act: (self: PyDeque, ...values: Value[]) => void) =>
  (self: PyDeque, ...values: Value[]): Value => {
    act(self, ...values);
    return null;
  };

const DEQUE_METHODS: Methods<PyDeque> = methods<PyDeque>({
  'append(x, /)': none((self, item = null) => self.append(item)),
  'appendleft(x, /)': none((self, item = null) => self.appendLeft(item)),
  'clear()': none((self) => self.list.splice(0)),
  'copy()': (self) => new PyDeque(listFrom(self.list), self.maxlen),
  'count(x, /)': (self, item) => countOf(self.list, item),
  'extend(iterable, /)': none((self, items = null) => {
    for (const item of listFrom(items)) self.append(item);
  }),
  'extendleft(iterable, /)': none((self, items = null) => {
    for (const item of listFrom(items)) self.appendLeft(item);
  }),
  'index(x, start=None, stop=None, /)': (self, item, start, stop) => {
    const at = indexInTuple(self.list, item, start, stop);
    return at < 0 ? raise('ValueError', `${repr(item)} is not in deque`) : at;
  },
  'insert(i, x, /)': none((self, index = 0, item = null) => {
    if (self.maxlen !== null && self.list.length >= self.maxlen)
      raise('IndexError', 'deque already at its maximum size');
    spend(self.list.length / MOVED_PER_STEP);
    self.list.splice(needIndex(index), 0, item);
    checkGrown(self.list.length);
  }),
  'pop()': (self) =>
    self.list.pop() ?? (self.list.length === 0 ? raise('IndexError', 'pop from an empty deque') : null),
  'popleft()': (self) =>
    self.list.length === 0 ? raise('IndexError', 'pop from an empty deque') : (self.shift() ?? null),
  'remove(value, /)': none((self, value = null) => {
    spend(self.list.length);
    const at = self.list.findIndex((item) => equals(item, value));
    if (at < 0) raise('ValueError', 'deque.remove(x): x not in deque');
    self.list.splice(at, 1);
  }),
  'reverse()': none((self) => {
    spend(self.list.length / MOVED_PER_STEP);
    self.list.reverse();
  }),
  'rotate(n=1, /)': none((self, count = 1) => self.rotate(needIndex(count))),
});

export const makeDeque = (items: Value, maxlen: Value): PyDeque => {
  const most = maxlen === null ? null : needIndex(maxlen);
  if (most !== null && most < 0) return raise('ValueError', 'maxlen must be non-negative');
  return new PyDeque(items === null ? [] : listFrom(items), most);
};
