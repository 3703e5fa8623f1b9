import type { Random } from '../../../../../../domain/random.js';

/** Up to this range, the product with 32 random bits is exact in a double. */
const SMALL_RANGE = 0x20_0000;
const WORDS = 0x1_0000_0000;

/**
 * A uniform integer in [0, range). Small ranges need one draw and no division: D. Lemire, Fast Random
 * Integer Generation in an Interval, 2019.
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
