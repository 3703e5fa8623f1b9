import type { Random } from '../../../../../domain/random/random.js';

/** Up to here the product of a range and 32 random bits is exact in a double. */
const SMALL_RANGE = 0x20_0000;
const WORDS = 0x1_0000_0000;

/**
 * A uniform whole number from 0 up to `range`, which is at least 1 and not reached. Small ranges take one
 * draw and no division: the upper half of the product of 32 bits and the range, where a draw is repeated if
 * its lower half is among the few that would favour a number (D. Lemire, Fast Random Integer Generation in
 * an Interval, 2019).
 */
export const below = (random: Random, range: number): number => {
  if (range > SMALL_RANGE) return random.integer(0, range - 1);
  let product = random.uint32() * range;
  let upper = Math.floor(product / WORDS);
  let lower = product - upper * WORDS;
  if (lower < range) {
    const unfair = WORDS % range;
    while (lower < unfair) {
      product = random.uint32() * range;
      upper = Math.floor(product / WORDS);
      lower = product - upper * WORDS;
    }
  }
  return upper;
};
