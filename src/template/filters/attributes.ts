import { isDecimal } from '../text/characters.js';
import { getItem } from '../values/operations/access.js';
import { textOf } from '../values/types/markup.js';
import { Undefined } from '../values/types/undefined.js';
import { isObject, type Layout, type Value } from '../values/value.js';

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
export const ignoreCase = (value: Value): Value => textOf(value)?.toLowerCase() ?? value;

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

export const multiAttributeGetter = (attribute: Value, finish: ((value: Value) => Value) | null): Getter => {
  const text = textOf(attribute);
  const each = text === null ? [attribute] : text.split(',');
  const getters = each.map((part) => attributeGetter(part, finish));
  return (item) => getters.map((getter) => getter(item));
};
