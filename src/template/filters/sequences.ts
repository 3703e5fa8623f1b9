import { raise } from '../errors.js';
import { checkItems } from '../limits.js';
import { isDecimal } from '../text/characters.js';
import { charactersOf, lengthOf } from '../text/pieces.js';
import { type Methods, methods } from '../values/methods.js';
import { getItem } from '../values/operations/access.js';
import { add } from '../values/operations/arithmetic.js';
import { equals, greater, hashKey, less, truthy } from '../values/operations/compare.js';
import { iterate, listFrom, PyIterator, tryIterate } from '../values/operations/iterate.js';
import { needIndex, PySlice } from '../values/operations/subscript.js';
import { PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { PyRange, PyTuple, sortInPlace } from '../values/types/sequences.js';
import { noAttribute, Undefined, undefinedBecause } from '../values/types/undefined.js';
import {
  type HashKey,
  isObject,
  type Layout,
  TemplateObject,
  typeName,
  type Value,
} from '../values/value.js';

/** Follows `address.city` or `0`; with `null`, returns the item. */
export type Getter = (item: Value) => Value;

/** Cache by attribute: templates use few. */
const KNOWN_PARTS = new Map<string, readonly Value[]>();
const MAX_KNOWN = 500;
const MAX_LENGTH = 100;

const partsOf = (attribute: Value): readonly Value[] => {
  if (attribute === null) return [];
  const text = textOf(attribute);
  if (text === null) return [attribute];
  const known = KNOWN_PARTS.get(text);
  if (known !== undefined) return known;
  const parts = text.split('.').map((part) => (isDecimal(part) ? Number(part) : part));
  if (KNOWN_PARTS.size >= MAX_KNOWN) KNOWN_PARTS.clear();
  if (text.length <= MAX_LENGTH) KNOWN_PARTS.set(text, parts);
  return parts;
};

/** Lowercase text for case-insensitive comparison; other values unchanged. */
const ignoreCase = (value: Value): Value => textOf(value)?.toLowerCase() ?? value;

/** Remembers the place of the name in the last layout: items of a list are mostly of one kind. */
const nameGetter = (name: string): Getter => {
  let known: Layout | null = null;
  let place = 0;
  return (item) => {
    if (!isObject(item)) return getItem(item, name);
    if (known !== null && item.layout === known) return item.items?.[place] as Value;
    const value = getItem(item, name);
    const { layout } = item;
    const found = layout?.places.get(name);
    if (layout && found !== undefined && item.items?.[found] === value) {
      known = layout;
      place = found;
    }
    return value;
  };
};

export const attributeGetter = (
  attribute: Value,
  finish: ((value: Value) => Value) | null = null,
  fallback: Value = null,
): Getter => {
  const parts = partsOf(attribute);
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && finish === null && fallback === null) {
    return typeof only === 'string' ? nameGetter(only) : (item) => getItem(item, only);
  }
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(value, part);
      if (fallback !== null && value instanceof Undefined) value = fallback;
    }
    return finish === null ? value : finish(value);
  };
};

const multiAttributeGetter = (attribute: Value, finish: ((value: Value) => Value) | null): Getter => {
  const text = textOf(attribute);
  const each = text === null ? [attribute] : text.split(',');
  const getters = each.map((part) => attributeGetter(part, finish));
  return (item) => getters.map((getter) => getter(item));
};

export const lengthOfValue = (value: Value): number => {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return lengthOf(value);
  const size = isObject(value) ? value.size() : undefined;
  return size ?? raise('TypeError', `object of type '${typeName(value)}' has no len()`);
};

const first = (value: Value): Value => {
  for (const item of iterate(value)) return item;
  return undefinedBecause('No first item, sequence was empty.');
};

const NO_ELEMENTS = new PySlice(0, 0, null);

/** Reverses a host sequence (a sample) by a slice; `null` for others. */
const hostReversed = (value: Value): Iterator<Value> | null =>
  value instanceof TemplateObject && Array.isArray(value.item(NO_ELEMENTS)) ? fromEnd(value) : null;

function* fromEnd(sequence: TemplateObject): Generator<Value> {
  for (let i = lengthOfValue(sequence) - 1; i >= 0; i--) yield sequence.item(i) ?? null;
}

const reversed = (value: Value): Iterator<Value> | null => {
  if (Array.isArray(value)) return [...value].reverse()[Symbol.iterator]();
  const text = textOf(value);
  if (text !== null) return [...charactersOf(text)].reverse()[Symbol.iterator]();
  if (value instanceof PyDict) return listFrom(value).reverse()[Symbol.iterator]();
  if (value instanceof PyTuple || value instanceof PyRange || value instanceof Undefined) {
    return listFrom(value).reverse()[Symbol.iterator]();
  }
  const isView = value instanceof TemplateObject && value.typeName.startsWith('dict_');
  return isView ? listFrom(value).reverse()[Symbol.iterator]() : hostReversed(value);
};

const last = (value: Value): Value => {
  const items = reversed(value);
  if (items === null) return raise('TypeError', `'${typeName(value)}' object is not reversible`);
  const found = items.next();
  return found.done === true ? undefinedBecause('No last item, sequence was empty.') : found.value;
};

const reverse = (value: Value): Value => {
  const text = textOf(value);
  if (text !== null) return [...text].reverse().join('');
  const items = reversed(value);
  if (items !== null)
    return new PyIterator(items, Array.isArray(value) ? 'list_reverseiterator' : 'reversed');
  if (tryIterate(value) === null) return raise('FilterArgumentError', 'argument must be iterable');
  return listFrom(value).reverse();
};

const extreme =
  (isBetter: (a: Value, b: Value) => boolean) =>
  (value: Value, isCaseSensitive: Value, attribute: Value): Value => {
    const getter = attributeGetter(attribute, truthy(isCaseSensitive) ? null : ignoreCase);
    let best: { readonly item: Value; readonly key: Value } | null = null;
    for (const item of iterate(value)) {
      const key = getter(item);
      if (best === null || isBetter(key, best.key)) best = { item, key };
    }
    return best === null ? undefinedBecause('No aggregated item, sequence was empty.') : best.item;
  };

const sort = (value: Value, isReversed: Value, isCaseSensitive: Value, attribute: Value): Value[] => {
  const items = listFrom(value);
  sortInPlace(
    items,
    multiAttributeGetter(attribute, truthy(isCaseSensitive) ? null : ignoreCase),
    truthy(isReversed),
  );
  return items;
};

function* unique(value: Value, isCaseSensitive: Value, attribute: Value): Generator<Value> {
  const getter = attributeGetter(attribute, truthy(isCaseSensitive) ? null : ignoreCase);
  const seen = new Set<HashKey>();
  for (const item of iterate(value)) {
    const key = hashKey(getter(item));
    if (seen.has(key)) continue;
    seen.add(key);
    yield item;
  }
}

const dictSort = (value: Value, isCaseSensitive: Value, by: Value, isReversed: Value): Value[] => {
  if (by !== 'key' && by !== 'value') {
    return raise('FilterArgumentError', 'You can only sort by either "key" or "value"');
  }
  if (!(value instanceof PyDict)) {
    return noAttribute(value, 'items');
  }
  const items: Value[] = [...value.pairs()].map((pair) => new PyTuple(pair));
  const place = by === 'key' ? 0 : 1;
  const keyOf = (item: Value): Value => {
    const part = item instanceof PyTuple ? (item.items[place] ?? null) : null;
    return truthy(isCaseSensitive) ? part : ignoreCase(part);
  };
  sortInPlace(items, keyOf, truthy(isReversed));
  return items;
};

class Group extends PyTuple {
  override attribute(name: string): Value | undefined {
    if (name === 'grouper') return this.items[0];
    return name === 'list' ? this.items[1] : super.attribute(name);
  }
}

const groupBy = (value: Value, attribute: Value, fallback: Value, isCaseSensitive: Value): Value[] => {
  const isExact = truthy(isCaseSensitive);
  const keyOf = attributeGetter(attribute, isExact ? null : ignoreCase, fallback);
  const shown = attributeGetter(attribute, null, fallback);
  const items = listFrom(value);
  sortInPlace(items, keyOf, false);
  const groups: { readonly key: Value; readonly items: Value[] }[] = [];
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.at(-1);
    if (group !== undefined && equals(group.key, key)) group.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map((group) => new Group([isExact ? group.key : shown(group.items[0] ?? null), group.items]));
};

function* batch(value: Value, count: Value, fill: Value): Generator<Value> {
  const size = needIndex(count);
  let part: Value[] = [];
  for (const item of iterate(value)) {
    if (part.length === size) {
      yield part;
      part = [];
    }
    part.push(item);
  }
  if (part.length === 0) return;
  if (fill !== null) {
    checkItems(Math.max(0, size - part.length));
    while (part.length < size) part.push(fill);
  }
  yield part;
}

function* slice(value: Value, count: Value, fill: Value): Generator<Value> {
  const items = listFrom(value);
  const slices = needIndex(count);
  if (slices === 0) raise('ZeroDivisionError', 'integer division or modulo by zero');
  checkItems(Math.max(0, slices));
  const size = Math.floor(items.length / slices);
  const longer = items.length - size * slices;
  let offset = 0;
  for (let i = 0; i < slices; i++) {
    const start = offset + i * size;
    if (i < longer) offset++;
    const part = items.slice(start, offset + (i + 1) * size);
    if (fill !== null && i >= longer) part.push(fill);
    yield part;
  }
}

const sum = (value: Value, attribute: Value, start: Value): Value => {
  if (textOf(start) !== null) return raise('TypeError', "sum() can't sum strings [use ''.join(seq) instead]");
  const getter = attribute === null ? null : attributeGetter(attribute);
  let total = start;
  for (const item of iterate(value)) total = add(total, getter === null ? item : getter(item));
  return total;
};

function* items(value: Value): Generator<Value> {
  if (value instanceof Undefined) return;
  if (!(value instanceof PyDict)) return raise('TypeError', 'Can only get item pairs from a mapping.');
  for (const pair of value.pairs()) yield new PyTuple(pair);
}

export const SEQUENCE_FILTERS: Methods<Value> = methods<Value>({
  'length()': lengthOfValue,
  'first()': first,
  'last()': last,
  'reverse()': reverse,
  'list()': listFrom,
  'min(case_sensitive=False, attribute=None)': extreme(less),
  'max(case_sensitive=False, attribute=None)': extreme(greater),
  'sort(reverse=False, case_sensitive=False, attribute=None)': sort,
  'unique(case_sensitive=False, attribute=None)': (value, isCaseSensitive, attribute) =>
    new PyIterator(unique(value, isCaseSensitive, attribute)),
  "dictsort(case_sensitive=False, by='key', reverse=False)": dictSort,
  'groupby(attribute, default=None, case_sensitive=False)': groupBy,
  'batch(linecount, fill_with=None)': (value, count, fill) => new PyIterator(batch(value, count, fill)),
  'slice(slices, fill_with=None)': (value, count, fill) => new PyIterator(slice(value, count, fill)),
  'sum(attribute=None, start=0)': sum,
  'items()': (value) => new PyIterator(items(value)),
});
