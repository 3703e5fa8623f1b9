import type { Random } from '../../../../../domain/random.js';
import {
  type Callable,
  checkItems,
  PyDict,
  raise,
  spend,
  type Value,
} from '../../../../../template/index.js';
import { drawPlace, type Weights } from '../samples/weights.js';
import { binary, needCount, realOf, shown, ternary, wrongType } from './calls.js';
import { drawnSequenceOf, itemAt, itemsOf, nothingToChoose, type Sequence, sizeOf } from './choices.js';
import { below } from './numbers.js';

const CHOICE = 'rand.weighted_choice';
const CHOICES = 'rand.weighted_choices';

/** Shorter lists are not charged. */
const SHORT_LIST = 64;

/** Converts an unusual weight, or throws with its index. */
const oddWeight = (value: Value, place: number, fn: string): number => {
  const real = realOf(value);
  const name = `weight ${place + 1}`;
  if (real === undefined) return wrongType(fn, name, 'a number', value);
  const weight = Number(real);
  if (weight >= 0 && weight < Number.POSITIVE_INFINITY) return weight;
  const problem = weight < 0 ? 'is negative' : 'is not finite';
  return raise('ValueError', `${fn}: ${name} (${shown(value)}) ${problem}: weights must be 0 or more`);
};

const weightAt = (weights: readonly Value[], place: number, fn: string): number => {
  const weight = weights[place] ?? null;
  return typeof weight === 'number' && weight >= 0 && weight < Number.POSITIVE_INFINITY
    ? weight
    : oddWeight(weight, place, fn);
};

/** Checks the weights. */
const totalOf = (weights: readonly Value[], fn: string): number => {
  if (weights.length > SHORT_LIST) spend(weights.length);
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weightAt(weights, i, fn);
  if (total > 0 && total < Number.POSITIVE_INFINITY) return total;
  const problem = total > 0 ? 'the weights are too large to add up' : 'every weight is 0';
  return raise('ValueError', `${fn}: ${problem}: at least one must be greater than 0, and their sum finite`);
};

/** One draw along the running sum. Weight 0 is never drawn. */
const placeOf = (random: Random, weights: readonly Value[], fn: string): number => {
  const drawn = random.next() * totalOf(weights, fn);
  let sum = 0;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weightAt(weights, i, fn);
    if (weight === 0) continue;
    sum += weight;
    if (drawn < sum) return i;
    last = i;
  }
  // Rounding may return the total itself.
  return last;
};

/** Cumulative weights, for many draws. */
const addedUp = (weights: readonly Value[], fn: string): Weights => {
  const total = totalOf(weights, fn);
  const ends = new Float64Array(weights.length);
  let sum = 0;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weightAt(weights, i, fn);
    sum += weight;
    ends[i] = sum;
    if (weight > 0) last = i;
  }
  return { ends, total, last };
};

interface Weighted {
  readonly items: Sequence;
  /** A weight for each item. Null when the weights are equal. */
  readonly weights: readonly Value[] | null;
}

const checkLengths = (size: number, weights: readonly Value[], fn: string): void => {
  if (size === weights.length) return;
  raise('ValueError', `${fn}: ${size} items, but ${weights.length} weights: give one weight per item`);
};

/** From two lists, or a dict of weights by item. */
const weightedOf = (items: Value, weights: Value, fn: string): Weighted => {
  if (items instanceof PyDict) {
    if (weights !== null)
      return raise('TypeError', `${fn}: an object already contains weights: omit weights`);
    const pairs = items.pairList();
    return { items: pairs.map(([item]) => item), weights: pairs.map(([, weight]) => weight) };
  }
  const sequence = drawnSequenceOf(items, fn);
  if (weights === null) return { items: sequence, weights: null };
  const given = { items: sequence, weights: itemsOf(weights, fn, 'weights') };
  checkLengths(sizeOf(sequence), given.weights, fn);
  return given;
};

const choice = (random: Random, items: Value, weights: Value): Value => {
  if (Array.isArray(items) && Array.isArray(weights) && items.length === weights.length && items.length > 0)
    return items[placeOf(random, weights, CHOICE)] ?? null;
  const given = weightedOf(items, weights, CHOICE);
  const size = sizeOf(given.items);
  if (size === 0) return nothingToChoose(CHOICE);
  const place = given.weights === null ? below(random, size) : placeOf(random, given.weights, CHOICE);
  return itemAt(given.items, place);
};

const choices = (random: Random, items: Value, weights: Value, n: Value): Value[] => {
  // With a dict, the count is the second argument.
  const isObject = items instanceof PyDict && n === null;
  const given = weightedOf(items, isObject ? null : weights, CHOICES);
  const wanted = isObject ? weights : n;
  if (wanted === null) return raise('TypeError', `${CHOICES}: n is missing: give the number of items`);
  const count = needCount(wanted, CHOICES);
  if (count === 0) return [];
  const size = sizeOf(given.items);
  if (size === 0) return nothingToChoose(CHOICES);
  checkItems(count);
  const sums = given.weights === null ? null : addedUp(given.weights, CHOICES);
  const chosen: Value[] = [];
  for (let i = 0; i < count; i++)
    chosen.push(itemAt(given.items, sums === null ? below(random, size) : drawPlace(sums, random)));
  return chosen;
};

export const weightedFunctions = (random: Random): Readonly<Record<string, Callable>> => ({
  weighted_choice: binary(`${CHOICE}(items, weights=None)`, (items, weights) =>
    choice(random, items, weights),
  ),
  weighted_choices: ternary(`${CHOICES}(items, weights=None, n=None)`, (items, weights, n) =>
    choices(random, items, weights, n),
  ),
});
