import {
  listOf,
  PyDict,
  PyTuple,
  TemplateObject,
  textOf,
  Undefined,
  type Value,
} from '../../../../../template/index.js';
import { wrongType } from './arguments.js';

/** Items that can be reached by place: a list, a text whose every unit is a character, or an object that counts. */
export type Sequence = readonly Value[] | string | TemplateObject;

const SURROGATE = /[\uD800-\uDFFF]/;

/** True where the object gives its items by place (samples, ranges), so that they need not be copied. */
const isIndexed = (value: TemplateObject): boolean => {
  const size = value.size();
  return size !== undefined && (size === 0 || value.item(0) !== undefined);
};

/**
 * The items of an argument, without copying them where that can be. A dict stands for its keys, a text for
 * its characters. TypeError for what has no items.
 */
export const sequenceOf = (value: Value, fn: string, name = 'items'): Sequence => {
  if (Array.isArray(value)) return value;
  if (value instanceof PyTuple) return value.items;
  const text = textOf(value);
  if (text !== null) return SURROGATE.test(text) ? Array.from(text) : text;
  if (value instanceof TemplateObject && !(value instanceof Undefined)) {
    // Dicts are asked by key, not by place.
    if (!(value instanceof PyDict) && isIndexed(value)) return value;
    if (value.iterator() !== undefined) return listOf(value);
  }
  return wrongType(fn, name, 'a list, tuple, text, object or sample', value);
};

export const sizeOf = (items: Sequence): number =>
  items instanceof TemplateObject ? (items.size() ?? 0) : items.length;

export const itemAt = (items: Sequence, place: number): Value =>
  (items instanceof TemplateObject ? items.item(place) : items[place]) ?? null;

/** The items as a list that must not be changed: it may be the argument itself. TypeError for what has no items. */
export const itemsOf = (value: Value, fn: string, name = 'items'): readonly Value[] => {
  const items = sequenceOf(value, fn, name);
  if (typeof items === 'string') return Array.from(items);
  return items instanceof TemplateObject ? listOf(items) : items;
};
