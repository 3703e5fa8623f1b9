/** A set of events: one bit each. With signs, as V8 computes with whole numbers of 32 bits only when they have one. */
export type Bits = Int32Array;

export const eventSet = (events: number, has: (event: number) => boolean): Bits => {
  const bits = new Int32Array(Math.ceil(events / 32));
  for (let event = 0; event < events; event++)
    if (has(event)) bits[event >>> 5] = (bits[event >>> 5] as number) | (1 << (event & 31));
  return bits;
};

const ones = (word: number): number => {
  let bits = (word - ((word >>> 1) & 0x5555_5555)) | 0;
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
};

export const eventCount = (set: Bits): number => {
  let count = 0;
  for (const word of set) count += ones(word);
  return count;
};

export const commonCount = (a: Bits, b: Bits): number => {
  let count = 0;
  for (let index = 0; index < a.length; index++) count += ones((a[index] as number) & (b[index] as number));
  return count;
};

export const both = (a: Bits, b: Bits): Bits => a.map((word, index) => word & (b[index] as number));

export const butNot = (a: Bits, b: Bits): Bits => a.map((word, index) => word & ~(b[index] as number));
