import type { Random } from '../../../../../domain/random.js';
import {
  type Callable,
  checkItems,
  checkText,
  listFrom,
  PyDict,
  PyTuple,
  raise,
  spend,
  TemplateObject,
  textOf,
  Undefined,
  type Value,
} from '../../../../../template/index.js';
import { binary, needCount, needReal, unary, wrongType } from './calls.js';
import { below } from './numbers.js';

export const nothingToChoose = (fn: string): never =>
  raise('ValueError', `${fn}: items is empty: give at least one item`);

const CHOICE = 'rand.choice';
const CHOICES = 'rand.choices';

const choice = (random: Random, value: Value): Value => {
  // Fast path for lists.
  if (Array.isArray(value) && value.length > 0) return value[below(random, value.length)] ?? null;
  const items = drawnSequenceOf(value, CHOICE);
  const size = sizeOf(items);
  return size === 0 ? nothingToChoose(CHOICE) : itemAt(items, below(random, size));
};

const choices = (random: Random, value: Value, n: Value): Value[] => {
  const items = drawnSequenceOf(value, CHOICES);
  const count = needCount(n, CHOICES);
  const size = sizeOf(items);
  if (size === 0 && count > 0) return nothingToChoose(CHOICES);
  checkItems(count);
  const chosen: Value[] = [];
  for (let i = 0; i < count; i++) chosen.push(itemAt(items, below(random, size)));
  return chosen;
};

/** In place (R. Durstenfeld, Algorithm 235, 1964). */
const shuffleItems = (random: Random, items: Value[]): Value[] => {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(random, last + 1);
    const kept = items[last] ?? null;
    items[last] = items[other] ?? null;
    items[other] = kept;
  }
  return items;
};

/** A list gives a new list, a string a new string. */
const shuffle = (random: Random, value: Value): Value => {
  const text = textOf(value);
  if (text !== null) spend(text.length);
  if (text !== null) return checkText(shuffleItems(random, Array.from(text)).join(''));
  const items = itemsOf(value, 'rand.shuffle');
  checkItems(items.length);
  return shuffleItems(random, items.slice());
};

export const choiceFunctions = (random: Random): Readonly<Record<string, Callable>> => ({
  choice: unary(`${CHOICE}(items)`, (items) => choice(random, items)),
  choices: binary(`${CHOICES}(items, n)`, (items, n) => choices(random, items, n)),
  shuffle: unary('rand.shuffle(items)', (items) => shuffle(random, items)),
  chance: unary('rand.chance(p)', (p) => random.next() < needReal(p, 'rand.chance', 'p')),
});

/** Items by index: a list, an ASCII-like string, or an indexed object. */
export type Sequence = readonly Value[] | string | TemplateObject;

const SURROGATE = /[\uD800-\uDFFF]/;

/** True for samples and ranges: no copy needed. */
const isIndexed = (value: TemplateObject): boolean => {
  const size = value.size();
  return size !== undefined && (size === 0 || value.item(0) !== undefined);
};

/** A dict gives its keys, a string its characters. Avoids copies. TypeError for others. */
export const drawnSequenceOf = (value: Value, fn: string, name = 'items'): Sequence => {
  if (Array.isArray(value)) return value;
  if (value instanceof PyTuple) return value.items;
  const text = textOf(value);
  if (text !== null) return SURROGATE.test(text) ? Array.from(text) : text;
  if (value instanceof TemplateObject && !(value instanceof Undefined)) {
    // Dicts are indexed by key.
    if (!(value instanceof PyDict) && isIndexed(value)) return value;
    if (value.iterator() !== undefined) return listFrom(value);
  }
  return wrongType(fn, name, 'a list, tuple, string, object or sample', value);
};

export const sizeOf = (items: Sequence): number =>
  items instanceof TemplateObject ? (items.size() ?? 0) : items.length;

export const itemAt = (items: Sequence, place: number): Value =>
  (items instanceof TemplateObject ? items.item(place) : items[place]) ?? null;

/** Read-only: may be the argument itself. TypeError for values without items. */
export const itemsOf = (value: Value, fn: string, name = 'items'): readonly Value[] => {
  const items = drawnSequenceOf(value, fn, name);
  if (typeof items === 'string') return Array.from(items);
  return items instanceof TemplateObject ? listFrom(items) : items;
};
