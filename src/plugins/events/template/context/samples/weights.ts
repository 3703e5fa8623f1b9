import type { Random } from '../../../../../domain/random.js';
import { PyFloat, raise, readFloat, repr, textOf, type Value } from '../../../../../template/index.js';

/** Cumulative weights: row `i` is drawn for numbers in [`ends[i - 1]`, `ends[i]`). */
export interface Weights {
  readonly ends: Float64Array;
  readonly total: number;
  /** Last row with a weight above 0. */
  readonly last: number;
}

/** NaN for non-numeric values and booleans. */
const numberOf = (value: Value): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof PyFloat) return value.value;
  const text = textOf(value);
  return text === null ? Number.NaN : (readFloat(text) ?? Number.NaN);
};

/** ValueError with the row of a bad weight. */
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
        `the weight ${repr(value)} in row ${place + 1} of ${where} ${problem}: weights must be numbers or numeric strings of 0 or more`,
      );
    }
    total += weight;
    ends[place] = total;
    if (weight > 0) last = place;
  }
  if (last < 0) return raise('ValueError', `every weight of ${where} is 0: at least one must be greater`);
  if (!Number.isFinite(total)) return raise('ValueError', `the weights of ${where} are too large to add up`);
  return { ends, total, last };
};

/** O(log n). */
export const drawPlace = ({ ends, total, last }: Weights, random: Random): number => {
  const drawn = random.next() * total;
  // Rounding may return the total: never go beyond the last weighted row.
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > drawn) high = middle;
    else low = middle + 1;
  }
  return low;
};
