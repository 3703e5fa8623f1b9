import type { Random } from '../../../../../../domain/random/random.js';

const WORDS = 0x1_0000_0000;
/** Above this share of repeated draws, batching costs more than it saves. */
const MOST_REPEATED = 0.1;

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/**
 * Random strings over k characters. One 32-bit draw gives p characters: a uniform integer below a multiple
 * of k^p has p independent uniform digits in base k. Draws beyond the last multiple are repeated.
 */
export class Alphabet {
  /** All pairs of characters: one look-up each. */
  private readonly pairs: readonly string[];
  private readonly pairCount: number;
  /** Characters per draw, even. */
  private readonly perDraw: number;
  /** Draws from here are repeated. */
  private readonly end: number;

  constructor(private readonly characters: string) {
    const count = characters.length;
    this.pairCount = count * count;
    this.pairs = Array.from(
      { length: this.pairCount },
      (_, i) => characters.charAt(Math.floor(i / count)) + characters.charAt(i % count),
    );
    let perDraw = 2;
    const isGood = (length: number): boolean =>
      count ** length <= WORDS && (WORDS % count ** length) / WORDS <= MOST_REPEATED;
    while (isGood(perDraw + 2)) perDraw += 2;
    this.perDraw = perDraw;
    this.end = WORDS - (WORDS % count ** perDraw);
  }

  draw(random: Random, length: number): string {
    const { pairs, pairCount, perDraw, end } = this;
    let text = '';
    for (let left = length; left > 0; ) {
      let value = random.uint32();
      while (value >= end) value = random.uint32();
      let taken = left < perDraw ? left : perDraw;
      left -= taken;
      for (; taken > 1; taken -= 2) {
        // Unsigned integers throughout: dividing doubles is much slower.
        const rest = ((value >>> 0) / (pairCount >>> 0)) >>> 0;
        text += pairs[value - rest * pairCount] ?? '';
        value = rest;
      }
      if (taken === 1) text += this.characters.charAt((value >>> 0) % (this.characters.length >>> 0));
    }
    return text;
  }
}

export const LOWERCASE = new Alphabet(LOWER);
export const UPPERCASE = new Alphabet(UPPER);
export const LETTERS = new Alphabet(LOWER + UPPER);
export const DECIMAL = new Alphabet(DIGITS);
export const NONZERO = new Alphabet(DIGITS.slice(1));
export const HEX_LOWER = new Alphabet(`${DIGITS}abcdef`);
export const HEX_UPPER = new Alphabet(`${DIGITS}ABCDEF`);
export const ALPHANUMERIC = new Alphabet(LOWER + UPPER + DIGITS);
export const PUNCTUATION = new Alphabet('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');
