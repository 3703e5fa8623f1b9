import type { Random } from '../../../../../domain/random/random.js';
import { PyFloat, raise, readFloat, repr, textOf, type Value } from '../../../../../template/index.js';

/** Weights of the rows of a sample, added up: row `i` is drawn for numbers from `ends[i - 1]` up to `ends[i]`. */
export interface Weights {
  readonly ends: Float64Array;
  readonly total: number;
  /** Place of the last row that can be drawn at all. */
  readonly last: number;
}

/** The number of a weight; NaN for what is neither a number nor numeric text (a boolean is no weight). */
const numberOf = (value: Value): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof PyFloat) return value.value;
  const text = textOf(value);
  return text === null ? Number.NaN : (readFloat(text) ?? Number.NaN);
};

/** Adds up a column. `where` is the column for messages. ValueError for a bad weight, with its row. */
export const weightsOf = (values: readonly Value[], where: string): Weights => {
  const ends = new Float64Array(values.length);
  let total = 0;
  let last = -1;
  for (const [place, value] of values.entries()) {
    const weight = numberOf(value);
    if (!Number.isFinite(weight) || weight < 0) {
      const problem = Number.isFinite(weight) ? 'is negative' : 'is not a number';
      return raise(
        'ValueError',
        `the weight ${repr(value)} in row ${place + 1} of ${where} ${problem}: weights are numbers, or numeric text, from 0 on`,
      );
    }
    total += weight;
    ends[place] = total;
    if (weight > 0) last = place;
  }
  if (last < 0) return raise('ValueError', `every weight of ${where} is 0: at least one must be more`);
  if (!Number.isFinite(total)) return raise('ValueError', `the weights of ${where} are too large to add up`);
  return { ends, total, last };
};

/** A random place by weight, in O(log n). */
export const drawPlace = ({ ends, total, last }: Weights, random: Random): number => {
  const drawn = random.next() * total;
  // Never beyond the last row of some weight, even where rounding makes the product the total itself.
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > drawn) high = middle;
    else low = middle + 1;
  }
  return low;
};
