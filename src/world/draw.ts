/**
 * Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2,
 * 3", SC 2011). A draw depends on the seed and on what it is for, never on earlier draws: any moment of a world can be
 * computed first, by any thread, on any machine.
 */

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
/** Golden ratio, and the square root of 3 less 1, as fractions of 2^32. */
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;
const RANGE = 0x1_0000_0000;

/** Upper 32 bits of the product of two unsigned words. */
const high = (a: number, b: number): number => {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = (Math.imul(a1, b0) >>> 0) + (Math.imul(a0, b0) >>> 16);
  const low = (Math.imul(a0, b1) >>> 0) + (middle & 0xffff);
  return (Math.imul(a1, b1) + (middle >>> 16) + (low >>> 16)) >>> 0;
};

/** Replaces the four words of a counter by four random ones. */
export const philox = (words: Uint32Array, key0: number, key1: number): void => {
  let c0 = words[0] as number;
  let c1 = words[1] as number;
  let c2 = words[2] as number;
  let c3 = words[3] as number;
  let k0 = key0;
  let k1 = key1;
  for (let round = 0; round < ROUNDS; round++) {
    const h0 = high(MULTIPLIER_0, c0);
    const h1 = high(MULTIPLIER_1, c2);
    const l0 = Math.imul(MULTIPLIER_0, c0) >>> 0;
    c0 = (h1 ^ c1 ^ k0) >>> 0;
    c1 = Math.imul(MULTIPLIER_1, c2) >>> 0;
    c2 = (h0 ^ c3 ^ k1) >>> 0;
    c3 = l0;
    k0 = (k0 + WEYL_0) >>> 0;
    k1 = (k1 + WEYL_1) >>> 0;
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
};

/** Above this mean a Poisson number is a rounded normal: the error is below a percent. */
const NORMAL_FROM = 60;

/** Draws of a world: `of(who, when, why)` gives the same ones each time. All three are whole numbers. */
export interface DrawSource {
  readonly of: (who: number, when: number, why: number) => KeyedDraws;
}

/** The seed is the key; what is above 32 bits is its second word. */
export const drawSource = (seed: number): DrawSource => {
  const key0 = seed >>> 0;
  const key1 = Math.floor(Math.abs(seed) / RANGE) >>> 0;
  return { of: (who, when, why) => new KeyedDraws(key0, key1, who, when, why) };
};

/** Draws for one thing, at one time, for one purpose. A class, because a minute of a world makes thousands. */
export class KeyedDraws {
  private w0 = 0;
  private w1 = 0;
  private w2 = 0;
  private w3 = 0;
  private used = 4;
  private page = 0;

  constructor(
    private readonly key0: number,
    private readonly key1: number,
    private who: number,
    private when: number,
    private why: number,
  ) {}

  /** The draws of something else from now on, without another object. */
  restart(who: number, when: number, why: number): void {
    this.who = who;
    this.when = when;
    this.why = why;
    this.used = 4;
    this.page = 0;
  }

  /** A whole number below 2^32. */
  word(): number {
    switch (this.used++) {
      case 0:
        return this.w0;
      case 1:
        return this.w1;
      case 2:
        return this.w2;
      case 3:
        return this.w3;
      default: {
        counter[0] = this.who;
        counter[1] = this.when;
        counter[2] = Math.floor(this.when / RANGE);
        counter[3] = (this.why << 16) + this.page++;
        philox(counter, this.key0, this.key1);
        this.w0 = counter[0];
        this.w1 = counter[1];
        this.w2 = counter[2];
        this.w3 = counter[3];
        this.used = 1;
        return this.w0;
      }
    }
  }

  /** Uniform in [0, 1), 32 bits. */
  next(): number {
    return this.word() / RANGE;
  }

  /** Uniform whole number, both ends included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<A>(items: readonly A[]): A {
    return items[Math.floor(this.next() * items.length)] as A;
  }

  /** Standard normal (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.positive())) * Math.cos(2 * Math.PI * this.next());
  }

  /** The median times e to the power of `sigma` normals. */
  lognormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }

  exponential(mean: number): number {
    return -mean * Math.log(this.positive());
  }

  /** Number of events of a Poisson process with this mean. */
  poisson(mean: number): number {
    if (mean > NORMAL_FROM) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.next(); product > limit; product *= this.next()) count++;
    return count;
  }

  /** Lower-case hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.word().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  /** In (0, 1]. */
  private positive(): number {
    return (this.word() + 1) / RANGE;
  }
}

/** One for all draws: each reads it at once. */
const counter = new Uint32Array(4);

/** A number below 2^32 for a text, to draw for it. Two factors give unrelated numbers for the same text. */
export const textNumber = (text: string, factor: number): number => {
  let number = 0;
  for (let index = 0; index < text.length; index++)
    number = (Math.imul(number, factor) + text.charCodeAt(index)) >>> 0;
  return number;
};

/** Picks from a table with weights: `pick` takes a uniform number in [0, 1). */
export const weighted = <A>(
  rows: readonly (readonly [weight: number, item: A])[],
): ((drawn: number) => A) => {
  const ends: number[] = [];
  let total = 0;
  for (const [weight] of rows) {
    total += weight;
    ends.push(total);
  }
  return (drawn) => {
    const at = drawn * total;
    const last = rows.length - 1;
    let index = 0;
    while (index < last && at >= (ends[index] as number)) index++;
    return (rows[index] as readonly [number, A])[1];
  };
};
