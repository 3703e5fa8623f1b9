import type { Random } from '../../../../../domain/random.js';

/** Character code of a digit 0 to 15, without a branch: from 10, `a` is 39 above `0` + 10. */
export const hexCode = (digit: number): number => digit + 48 + (((9 - digit) >> 31) & 39);

const hexWord = (word: number): string =>
  String.fromCharCode(
    hexCode(word >>> 28),
    hexCode((word >>> 24) & 15),
    hexCode((word >>> 20) & 15),
    hexCode((word >>> 16) & 15),
    hexCode((word >>> 12) & 15),
    hexCode((word >>> 8) & 15),
    hexCode((word >>> 4) & 15),
    hexCode(word & 15),
  );

/** Eight digits per draw. */
export const hexText = (random: Random, length: number): string => {
  let text = '';
  let left = length;
  for (; left >= 8; left -= 8) text += hexWord(random.uint32());
  return left > 0 ? text + hexWord(random.uint32()).slice(0, left) : text;
};

export const BYTES: readonly string[] = Array.from({ length: 256 }, (_, i) =>
  i.toString(16).padStart(2, '0'),
);
