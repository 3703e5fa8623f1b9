import { isDecimal } from '../text/characters.js';
import { getItem } from '../values/access.js';
import { textOf } from '../values/markup.js';
import { Undefined } from '../values/undefined.js';
import type { Value } from '../values/value.js';

/** Follows an attribute like `address.city` or `0`; `null` as attribute gives the item itself. */
export type Getter = (item: Value) => Value;

const partsOf = (attribute: Value): readonly Value[] => {
  if (attribute === null) return [];
  const text = textOf(attribute);
  return text === null ? [attribute] : text.split('.').map((part) => (isDecimal(part) ? Number(part) : part));
};

/** Texts without case, for comparisons that ignore it; other values as they are. */
export const ignoreCase = (value: Value): Value => textOf(value)?.toLowerCase() ?? value;

export const attributeGetter = (
  attribute: Value,
  finish: ((value: Value) => Value) | null = null,
  fallback: Value = null,
): Getter => {
  const parts = partsOf(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(value, part);
      if (fallback !== null && value instanceof Undefined) value = fallback;
    }
    return finish === null ? value : finish(value);
  };
};

/** Several attributes with commas between them, as a list. */
export const multiAttributeGetter = (attribute: Value, finish: ((value: Value) => Value) | null): Getter => {
  const text = textOf(attribute);
  const each = text === null ? [attribute] : text.split(',');
  const getters = each.map((part) => attributeGetter(part, finish));
  return (item) => getters.map((getter) => getter(item));
};
