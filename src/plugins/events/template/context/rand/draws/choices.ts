import type { Random } from '../../../../../../domain/random.js';
import {
  type Callable,
  checkItems,
  checkText,
  raise,
  spend,
  textOf,
  type Value,
} from '../../../../../../template/index.js';
import { needCount, needReal } from '../calls/arguments.js';
import { binary, unary } from '../calls/functions.js';
import { below } from './below.js';
import { itemAt, itemsOf, sequenceOf, sizeOf } from './sequence.js';

export const nothingToChoose = (fn: string): never =>
  raise('ValueError', `${fn}: items is empty: give at least one item`);

const CHOICE = 'rand.choice';
const CHOICES = 'rand.choices';

const choice = (random: Random, value: Value): Value => {
  // Fast path for lists.
  if (Array.isArray(value) && value.length > 0) return value[below(random, value.length)] ?? null;
  const items = sequenceOf(value, CHOICE);
  const size = sizeOf(items);
  return size === 0 ? nothingToChoose(CHOICE) : itemAt(items, below(random, size));
};

const choices = (random: Random, value: Value, n: Value): Value[] => {
  const items = sequenceOf(value, CHOICES);
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
