const SEED = 0x9747_b28c;
const M = 0x5bd1_e995;

/** MurmurHash2 as the Java client computes it: signed 32 bits. */
export const murmur2 = (bytes: Uint8Array): number => {
  const { length } = bytes;
  let h = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let k =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    k = Math.imul(k, M);
    k ^= k >>> 24;
    h = Math.imul(h, M) ^ Math.imul(k, M);
  }
  const rest = length - at;
  if (rest > 0) {
    if (rest === 3) h ^= (bytes[at + 2] as number) << 16;
    if (rest >= 2) h ^= (bytes[at + 1] as number) << 8;
    h = Math.imul(h ^ (bytes[at] as number), M);
  }
  h ^= h >>> 13;
  h = Math.imul(h, M);
  return h ^ (h >>> 15);
};

/** Partition of a key, as the default partitioner of the Java client chooses it. */
export const keyPartition = (key: Uint8Array, partitions: number): number =>
  (murmur2(key) & 0x7fff_ffff) % partitions;
