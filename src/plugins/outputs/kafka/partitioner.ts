import { addedSize, type RecordMessages } from './protocol/recordBatch.js';
import type { TopicPartition } from './protocol/requests.js';

type PartitionerName = 'hash' | 'sticky' | 'round_robin' | 'fixed';

/** Items of each partition, ascending. */
export type Assign = (
  messages: RecordMessages,
  partitions: readonly TopicPartition[],
) => ReadonlyMap<number, readonly number[]>;

interface PartitionerOptions {
  readonly partitioner: PartitionerName;
  /** For `fixed`. */
  readonly partition: number;
  /** Bytes after which `sticky` changes the partition. */
  readonly max_batch_size: number;
}

/** Partitions that can be written now; all when none can. */
const available = (partitions: readonly TopicPartition[]): readonly number[] => {
  const led = partitions.filter(({ leader }) => leader >= 0);
  return (led.length === 0 ? partitions : led).map(({ id }) => id);
};

export const makePartitioner = (options: PartitionerOptions): Assign => {
  const { partitioner, partition, max_batch_size } = options;
  let turn = 0;
  let used = 0;
  return (messages, partitions) => {
    const ids = available(partitions);
    const lanes = new Map<number, number[]>();
    const next = (): number => ids[turn++ % ids.length] as number;
    const sticky = (item: number): number => {
      const size = addedSize(messages, item, 0);
      if (used > 0 && used + size > max_batch_size) {
        turn++;
        used = 0;
      }
      used += size;
      return ids[turn % ids.length] as number;
    };
    const choose = (item: number): number => {
      if (partitioner === 'fixed') return partition;
      if (partitioner === 'round_robin') return next();
      const key = partitioner === 'hash' ? messages.keyOf(item) : null;
      return key === null ? sticky(item) : keyPartition(key, partitions.length);
    };
    for (let item = 0; item < messages.count; item++) {
      const id = choose(item);
      const lane = lanes.get(id);
      if (lane === undefined) lanes.set(id, [item]);
      else lane.push(item);
    }
    return lanes;
  };
};

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
