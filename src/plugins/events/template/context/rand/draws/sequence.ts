import {
  listOf,
  PyDict,
  PyTuple,
  TemplateObject,
  textOf,
  Undefined,
  type Value,
} from '../../../../../../template/index.js';
import { wrongType } from '../calls/arguments.js';

/** Items by index: a list, an ASCII-like string, or an indexed object. */
export type Sequence = readonly Value[] | string | TemplateObject;

const SURROGATE = /[\uD800-\uDFFF]/;

/** True for samples and ranges: no copy needed. */
const isIndexed = (value: TemplateObject): boolean => {
  const size = value.size();
  return size !== undefined && (size === 0 || value.item(0) !== undefined);
};

/** A dict gives its keys, a string its characters. Avoids copies. TypeError for others. */
export const sequenceOf = (value: Value, fn: string, name = 'items'): Sequence => {
  if (Array.isArray(value)) return value;
  if (value instanceof PyTuple) return value.items;
  const text = textOf(value);
  if (text !== null) return SURROGATE.test(text) ? Array.from(text) : text;
  if (value instanceof TemplateObject && !(value instanceof Undefined)) {
    // Dicts are indexed by key.
    if (!(value instanceof PyDict) && isIndexed(value)) return value;
    if (value.iterator() !== undefined) return listOf(value);
  }
  return wrongType(fn, name, 'a list, tuple, string, object or sample', value);
};

export const sizeOf = (items: Sequence): number =>
  items instanceof TemplateObject ? (items.size() ?? 0) : items.length;

export const itemAt = (items: Sequence, place: number): Value =>
  (items instanceof TemplateObject ? items.item(place) : items[place]) ?? null;

/** Read-only: may be the argument itself. TypeError for values without items. */
export const itemsOf = (value: Value, fn: string, name = 'items'): readonly Value[] => {
  const items = sequenceOf(value, fn, name);
  if (typeof items === 'string') return Array.from(items);
  return items instanceof TemplateObject ? listOf(items) : items;
};
