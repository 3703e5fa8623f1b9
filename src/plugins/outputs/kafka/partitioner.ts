import { keyPartition } from './protocol/murmur2.js';
import { addedSize, type Messages } from './protocol/recordBatch.js';
import type { TopicPartition } from './protocol/requests.js';

export type PartitionerName = 'hash' | 'sticky' | 'round_robin' | 'fixed';

/** Items of each partition, ascending. */
export type Assign = (
  messages: Messages,
  partitions: readonly TopicPartition[],
) => ReadonlyMap<number, readonly number[]>;

export interface PartitionerOptions {
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
