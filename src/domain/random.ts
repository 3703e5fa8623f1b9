/** Random numbers; every draw of a generator comes from one seed tree. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  readonly next: () => number;
  readonly uint32: () => number;
  /** Uniform integer, both ends included; `min <= max`, both safe integers. */
  readonly integer: (min: number, max: number) => number;
  /** An independent stream, determined by the parent's seed and the label. */
  readonly fork: (label: string) => Random;
  readonly snapshot: () => readonly number[];
  readonly restore: (state: readonly number[]) => void;
}

/**
 * Seeded random numbers: sfc32 (Chris Doty-Humphrey, PractRand), one stream per label of the seed tree.
 *
 * Seed hash: the seed and each label become 32-bit words: a tag for the type, the length, then UTF-16 units or the
 * halves of each IEEE 754 double. A key of four words absorbs them; four rounds then spread every bit. A child's key
 * depends on seeds and labels only, never on draws.
 */
export type Seed = string | number | readonly number[];

type Words = Uint32Array;

const TAG = { text: 1, number: 2, numbers: 3, fork: 4 } as const;

/** First fractional words of the square roots of 2, 3, 5 and 7. */
const FIRST_KEY = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a] as const;

const INT32_RANGE = 0x1_0000_0000;
const MANTISSA_RANGE = 0x20_0000_0000_0000;

/** Finalizer of MurmurHash3: 32 bits in, 32 bits out, each of which depends on all. */
export const murmurMix = (word: number): number => {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

const absorb = (key: Words, word: number): void => {
  const [a = 0, b = 0, c = 0, d = 0] = key;
  key[0] = b;
  key[1] = c;
  key[2] = (d + murmurMix(a ^ word)) >>> 0;
  key[3] = murmurMix((a + Math.imul(b, 0x9e3779b1) + word) >>> 0) ^ c;
};

const wordsOfText = (text: string): number[] => [
  text.length,
  ...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
];

const wordsOfNumbers = (numbers: readonly number[]): number[] => {
  const view = new DataView(new ArrayBuffer(8));
  const words = [numbers.length];
  for (const number of numbers) {
    // `+ 0` turns -0 into 0: equal numbers are equal seeds.
    view.setFloat64(0, number + 0);
    words.push(view.getUint32(0), view.getUint32(4));
  }
  return words;
};

const wordsOfSeed = (seed: Seed): number[] => {
  if (typeof seed === 'string') return [TAG.text, ...wordsOfText(seed)];
  if (typeof seed === 'number') return [TAG.number, ...wordsOfNumbers([seed])];
  return [TAG.numbers, ...wordsOfNumbers(seed)];
};

const keyAfter = (key: ArrayLike<number>, words: readonly number[]): Words => {
  const next = Uint32Array.from(key);
  for (const word of words) absorb(next, word);
  for (let round = 0; round < 4; round++) absorb(next, round);
  return next;
};

/** Discarded rounds of sfc32, so that similar keys give unrelated numbers. */
const WARM_UP = 15;

const randomOf = (key: Words): Random => {
  let [a = 0, b = 0, c = 0, counter = 0] = key;

  const uint32 = (): number => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    c |= 0;
    return result >>> 0;
  };
  for (let i = 0; i < WARM_UP; i++) uint32();

  const uint53 = (): number => (uint32() >>> 5) * 0x400_0000 + (uint32() >>> 6);

  /** Uniform integer below `range`; biased draws are repeated. */
  const below = (range: number, drawn: number, draw: () => number): number => {
    const end = drawn - (drawn % range);
    let value = draw();
    while (value >= end) value = draw();
    return value % range;
  };

  const integer = (min: number, max: number): number => {
    const range = max - min + 1;
    if (range <= INT32_RANGE) return min + below(range, INT32_RANGE, uint32);
    if (range <= MANTISSA_RANGE) return min + below(range, MANTISSA_RANGE, uint53);
    // The range does not fit a double: draw among all safe integers until one is inside.
    for (;;) {
      const value = (uint32() & 1) === 0 ? uint53() : -uint53() - 1;
      if (value >= min && value <= max) return value;
    }
  };

  return {
    next: () => uint53() / MANTISSA_RANGE,
    uint32,
    integer,
    fork: (label) => randomOf(keyAfter(key, [TAG.fork, ...wordsOfText(label)])),
    snapshot: () => [a >>> 0, b >>> 0, c >>> 0, counter >>> 0],
    restore: (state) => {
      [a = 0, b = 0, c = 0, counter = 0] = state;
    },
  };
};
/**
 * The root of a seed tree, the same on every machine; `1`, `'1'` and `[1]` are different seeds. `snapshot` holds the
 * position in this stream only: `restore` it into a stream of the same seed and label.
 */
export const seededRandom = (seed: Seed): Random => randomOf(keyAfter(FIRST_KEY, wordsOfSeed(seed)));

/** Two words of a seed tree. */
export type DrawKey = readonly [number, number];

export const drawKey = (random: Random): DrawKey => [random.uint32(), random.uint32()];

/**
 * A number in [0, 1) that depends on the key, a whole number and a purpose only, never on earlier draws: two chained
 * finalizers of MurmurHash3 (32 bit) for each of two words.
 */
export const hashedDraw = ([a, b]: DrawKey, ordinal: number, purpose: number): number => {
  const low = ordinal >>> 0;
  const high = Math.floor(ordinal / INT32_RANGE);
  const salt = (b + Math.imul(purpose + 1, 0x9e3779b1)) | 0;
  const first = murmurMix(murmurMix(low ^ a) ^ (high + salt));
  const second = murmurMix(murmurMix(first ^ low) + (salt ^ a));
  return ((first >>> 5) * 0x400_0000 + (second >>> 6)) / MANTISSA_RANGE;
};
