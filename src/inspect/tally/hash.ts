/** 64 bits of a hash, as two unsigned integers. */
export interface Hash {
  high: number;
  low: number;
}

const finish = (a: number, b: number): number => {
  const mixed = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** Reused by all calls: a hash is read at once. */
const hash: Hash = { high: 0, low: 0 };

/** Hash of a text, for counting: not for secrets. The result is overwritten by the next call. */
export const hashOf = (text: string): Readonly<Hash> => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
    b ^= a >>> 15;
  }
  hash.high = finish(a, b);
  hash.low = finish(b, hash.high);
  return hash;
};
