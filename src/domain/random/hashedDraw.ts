import type { Random } from './random.js';
import { spread } from './seededRandom.js';

/** Two words of a seed tree. */
export type DrawKey = readonly [number, number];

const WORD = 0x1_0000_0000;
const MANTISSA_RANGE = 0x20_0000_0000_0000;

export const drawKey = (random: Random): DrawKey => [random.uint32(), random.uint32()];

/**
 * A number in [0, 1) that depends on the key, a whole number and a purpose only, never on earlier draws: two chained
 * finalizers of MurmurHash3 (32 bit) for each of two words.
 */
export const hashedDraw = ([a, b]: DrawKey, ordinal: number, purpose: number): number => {
  const low = ordinal >>> 0;
  const high = Math.floor(ordinal / WORD);
  const salt = (b + Math.imul(purpose + 1, 0x9e3779b1)) | 0;
  const first = spread(spread(low ^ a) ^ (high + salt));
  const second = spread(spread(first ^ low) + (salt ^ a));
  return ((first >>> 5) * 0x400_0000 + (second >>> 6)) / MANTISSA_RANGE;
};
