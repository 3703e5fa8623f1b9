import type { Json } from '../../../domain/json.js';
import { PyDict } from '../types/dict.js';
import { MarkupText } from '../types/markup.js';
import { PyTuple } from '../types/tuple.js';
import { floatOf, floatValue, TemplateObject, type Value } from '../value.js';

/** Numbers without a fraction become ints: JavaScript cannot tell 2 from 2.0 (`readJson` can). */
export const fromJson = (value: Json): Value => {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : floatOf(value);
  if (typeof value !== 'object' || value === null) return value;
  const dict = new PyDict();
  for (const [key, item] of Object.entries(value)) dict.set(key, fromJson(item));
  return dict;
};

/** Tuples become arrays; other keys, date-times and objects their printed text. */
export const toJson = (value: Value): Json => {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'function') return null;
  if (!(value instanceof TemplateObject)) return value;
  const float = floatValue(value);
  if (float !== undefined) return float;
  if (value instanceof MarkupText) return value.value;
  if (value instanceof PyTuple) return value.items.map(toJson);
  if (!(value instanceof PyDict)) return value.text();
  return Object.fromEntries([...value.pairs()].map(([key, item]) => [jsonKey(key), toJson(item)]));
};

const jsonKey = (key: Value): string => {
  if (typeof key === 'string') return key;
  return key instanceof TemplateObject ? key.text() : String(key);
};
