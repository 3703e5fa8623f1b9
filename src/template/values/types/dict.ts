import { raise } from '../../errors.js';
import { checkGrown, checkLonger, checkText, spend } from '../../limits.js';
import { callMethodOf, type Methods, methodOf, methods, rawMethods } from '../methods.js';
import { equals, hashKey } from '../operations/compare.js';
import { iterate, listFrom, tryIterate } from '../operations/iterate.js';
import { guardedPrint, repr, reprAll } from '../operations/print.js';
import { type HashKey, type Kwargs, type Layout, orElse, TemplateObject, type Value } from '../value.js';
import { PyTuple } from './sequences.js';

/** A key in the order of `tojson` or `json`: index of its value, and the text before it. */
export interface KeyInOrder {
  readonly place: number;
  readonly before: string;
}

export interface DictShape extends Layout {
  readonly keys: readonly Value[];
  /** Made by the first `tojson` of such a dict. */
  sorted: readonly KeyInOrder[] | null;
  /** Made by the first `json` of such a dict. */
  ordered: readonly KeyInOrder[] | null;
}

/** `null` if keys are equal or differ from their hash key (True, tuples). */
export const shapeOf = (keys: readonly Value[]): DictShape | null => {
  const places = new Map<HashKey, number>();
  for (const [place, key] of keys.entries()) {
    const isOwnHash = typeof key === 'string' || typeof key === 'number' || key === null;
    if (!isOwnHash || hashKey(key) !== key) return null;
    places.set(key, place);
  }
  return places.size === keys.length ? { keys, places, sorted: null, ordered: null } : null;
};

/** Whether a shape has these keys, in this order. */
export const hasKeys = ({ keys: known }: DictShape, keys: readonly string[]): boolean => {
  if (known.length !== keys.length) return false;
  for (let index = 0; index < keys.length; index++) if (known[index] !== keys[index]) return false;
  return true;
};

/** Shapes of records made from data, by their keys. The first ones stay: data may have keys without end. */
const knownShapes = new Map<string, DictShape>();
const MOST_SHAPES = 1_000;
const MOST_RECORD_KEYS = 64;

/** A dict of different texts as keys, such as an object of JSON: a record, as those of a literal are. Takes `values`. */
export const dictOf = (keys: readonly string[], values: Value[]): PyDict => {
  if (keys.length === 0) return new PyDict();
  const shape = keys.length > MOST_RECORD_KEYS ? null : knownShape(keys);
  if (shape !== null) return new PyDict(shape, values);
  const dict = new PyDict();
  for (let at = 0; at < keys.length; at++) dict.set(keys[at] as string, values[at] as Value);
  return dict;
};

/** The shape that all records with these keys share. Null when there are too many shapes, or a key is twice there. */
export const knownShape = (keys: readonly string[]): DictShape | null => {
  const text = keys.join('\n');
  const known = knownShapes.get(text);
  // Keys may contain line breaks.
  if (known !== undefined) return hasKeys(known, keys) ? known : null;
  if (knownShapes.size >= MOST_SHAPES) return null;
  const made = shapeOf(keys);
  if (made !== null) knownShapes.set(text, made);
  return made;
};

/** Steps per key of internal iterations. */
const STEPS_PER_KEY = 1 / 4;

/**
 * Insertion-ordered. While its keys match its literal, it is a record: a value array plus the shared keys.
 * Adding or removing a key converts it to a map.
 */
export class PyDict extends TemplateObject {
  private map: Map<HashKey, Value> | null;
  /** Keys that differ from their hash key (True, 2.0, tuples). */
  private originals: Map<HashKey, Value> | null = null;

  /** Takes ownership of `items`. `layout`: `null` once the keys have changed. */
  constructor(
    override layout: DictShape | null = null,
    override items: Value[] = [],
  ) {
    super();
    this.map = layout === null ? new Map() : null;
  }

  get typeName(): string {
    return 'dict';
  }
  /** `null` once its keys have changed. */
  get record(): { readonly shape: DictShape; readonly values: readonly Value[] } | null {
    return this.layout === null ? null : { shape: this.layout, values: this.items };
  }
  private get entries(): Map<HashKey, Value> {
    if (this.map !== null) return this.map;
    const map = new Map<HashKey, Value>();
    for (const [place, key] of (this.layout?.keys ?? []).entries())
      map.set(key as HashKey, this.items[place] as Value);
    this.map = map;
    this.layout = null;
    this.items = [];
    return map;
  }
  get(key: Value): Value | undefined {
    const hash = hashKey(key);
    if (this.map !== null) return this.map.get(hash);
    const place = this.layout?.places.get(hash);
    return place === undefined ? undefined : this.items[place];
  }
  has(key: Value): boolean {
    const hash = hashKey(key);
    return this.map !== null ? this.map.has(hash) : this.layout?.places.has(hash) === true;
  }
  set(key: Value, value: Value): this {
    const hash = hashKey(key);
    if (this.layout !== null) {
      const place = this.layout.places.get(hash);
      if (place !== undefined) {
        this.items[place] = value;
        return this;
      }
    }
    const { entries } = this;
    if (hash !== key && !entries.has(hash)) {
      this.originals ??= new Map();
      this.originals.set(hash, key);
    }
    entries.set(hash, value);
    if ((entries.size & 0xfff) === 0) checkGrown(entries.size);
    return this;
  }
  delete(key: Value): Value | undefined {
    const hash = hashKey(key);
    const { entries } = this;
    const value = entries.get(hash);
    entries.delete(hash);
    this.originals?.delete(hash);
    return value;
  }
  clear(): void {
    this.entries.clear();
    this.originals = null;
  }
  get count(): number {
    return this.map === null ? this.items.length : this.map.size;
  }
  private keyOf(hash: HashKey): Value {
    return this.originals?.get(hash) ?? (this.originals?.has(hash) === true ? null : (hash as Value));
  }
  *keys(): Generator<Value> {
    // Iterators see changes, as those of a Map do.
    const { entries } = this;
    const size = entries.size;
    for (const hash of entries.keys()) {
      spend(STEPS_PER_KEY);
      yield this.keyOf(hash);
      if (entries.size !== size) raise('RuntimeError', 'dictionary changed size during iteration');
    }
  }
  pairList(): (readonly [Value, Value])[] {
    spend(this.count);
    const { map, originals, layout } = this;
    if (map === null) return (layout?.keys ?? []).map((key, place) => [key, this.items[place] as Value]);
    const list: (readonly [Value, Value])[] = [];
    for (const [hash, value] of map)
      list.push([originals === null ? (hash as Value) : this.keyOf(hash), value]);
    return list;
  }
  *pairs(): Generator<[Value, Value]> {
    for (const key of this.keys()) yield [key, this.get(key) as Value];
  }
  copy(): PyDict {
    if (this.layout !== null) {
      spend(this.count);
      return new PyDict(this.layout, this.items.slice());
    }
    const result = new PyDict();
    for (const [key, value] of this.pairList()) result.set(key, value);
    return result;
  }
  override attribute(name: string): Value | undefined {
    return methodOf(DICT_METHODS, this, name);
  }
  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return DICT_METHODS;
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(DICT_METHODS, this, name, args, kwargs);
  }
  override item(key: Value): Value | undefined {
    return Array.isArray(key) ? undefined : this.get(key);
  }
  override iterator(): Iterator<Value> {
    return this.keys();
  }
  override size(): number {
    return this.count;
  }
  override contains(needle: Value): boolean {
    return this.has(needle);
  }
  override repr(): string {
    return guardedPrint(this, '{...}', () => {
      const parts: string[] = [];
      let length = 0;
      for (const [key, value] of this.pairList()) {
        const part = `${repr(key)}: ${repr(value)}`;
        parts.push(part);
        length += part.length;
        checkLonger(length);
      }
      return checkText(`{${parts.join(', ')}}`);
    });
  }
  override equals(other: Value): boolean {
    if (!(other instanceof PyDict) || other.count !== this.count) return false;
    for (const [key, value] of this.pairList()) {
      const theirs = other.get(key);
      if (theirs === undefined || !equals(value, theirs)) return false;
    }
    return true;
  }
  override hashKey(): HashKey {
    return raise('TypeError', "unhashable type: 'dict'");
  }
}

export const fillDict = (dict: PyDict, source: Value | undefined, kwargs: Kwargs | null): PyDict => {
  if (source instanceof PyDict) for (const [key, value] of source.pairList()) dict.set(key, value);
  else if (source !== undefined) {
    let index = 0;
    for (const pair of iterate(source)) {
      const both = Array.isArray(pair) ? pair : tryIterate(pair) === null ? null : listFrom(pair);
      if (both === null) {
        return raise(
          'TypeError',
          `cannot convert dictionary update sequence element #${index} to a sequence`,
        );
      }
      const [key, value] = both;
      if (both.length !== 2 || key === undefined || value === undefined) {
        return raise(
          'ValueError',
          `dictionary update sequence element #${index} has length ${both.length}; 2 is required`,
        );
      }
      dict.set(key, value);
      index++;
    }
  }
  if (kwargs !== null) for (const [key, value] of kwargs) dict.set(key, value);
  return dict;
};

export const dictOfKwargs = (kwargs: Kwargs | null): PyDict => fillDict(new PyDict(), undefined, kwargs);

type ViewKind = 'keys' | 'values' | 'items';

/** `keys()`, `values()` and `items()`: live views. */
export class PyDictView extends TemplateObject {
  constructor(
    readonly dict: PyDict,
    readonly kind: ViewKind,
  ) {
    super();
  }
  get typeName(): string {
    return `dict_${this.kind}`;
  }
  override *iterator(): Generator<Value> {
    for (const [key, value] of this.dict.pairs()) {
      yield this.kind === 'keys' ? key : this.kind === 'values' ? value : new PyTuple([key, value]);
    }
  }
  override size(): number {
    return this.dict.count;
  }
  override repr(): string {
    return `dict_${this.kind}([${reprAll(this, { [Symbol.iterator]: () => this.iterator() }, '...')}])`;
  }
  override contains(needle: Value): boolean | undefined {
    return this.kind === 'keys' ? this.dict.has(needle) : undefined;
  }
}

const missing = (key: Value): never => raise('KeyError', repr(key));

const DICT_METHODS: Methods<PyDict> = new Map([
  ...methods<PyDict>({
    'get(key, default=None, /)': (self, key, fallback) => {
      const value = self.get(key);
      return value === undefined ? fallback : value;
    },
    'setdefault(key, default=None, /)': (self, key, fallback) => {
      if (!self.has(key)) self.set(key, fallback);
      return self.get(key) ?? null;
    },
    'keys()': (self) => new PyDictView(self, 'keys'),
    'values()': (self) => new PyDictView(self, 'values'),
    'items()': (self) => new PyDictView(self, 'items'),
    'clear()': (self) => {
      self.clear();
      return null;
    },
    'copy()': (self) => self.copy(),
    'popitem()': (self) => {
      const last = listFrom(self).at(-1);
      if (last === undefined) return raise('KeyError', "'popitem(): dictionary is empty'");
      return new PyTuple([last, self.delete(last) ?? null]);
    },
    'fromkeys(iterable, value=None, /)': (_self, iterable, value) => {
      const result = new PyDict();
      for (const key of iterate(iterable)) result.set(key, value);
      return result;
    },
  }),
  ...rawMethods<PyDict>({
    pop: (self, args) => {
      const [key, fallback] = args;
      if (key === undefined || args.length > 2) {
        return raise('TypeError', `pop expected at most 2 arguments, got ${args.length}`);
      }
      const value = self.delete(key);
      return value === undefined ? orElse(fallback, () => missing(key)) : value;
    },
    update: (self, args, kwargs) => {
      if (args.length > 1)
        return raise('TypeError', `update expected at most 1 argument, got ${args.length}`);
      fillDict(self, args[0], kwargs);
      return null;
    },
  }),
]);
