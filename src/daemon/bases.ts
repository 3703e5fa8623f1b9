import * as E from 'fp-ts/lib/Either.js';
import type { Bases } from '../../actors/generators/generators.js';
import { type Partition, type PartitionBase, partitionOf } from '../domain/partitions.js';
import type { Micros } from '../domain/time/micros.js';

interface Known extends Pick<PartitionBase, 'now' | 'seed'> {
  readonly count: number;
  /** Partitions that have started on it. */
  readonly used: Set<number>;
  readonly active: Set<number>;
}

/**
 * Bases in memory. A partition that starts joins the base of the others; it draws a new one when none of them is active
 * and it has used the last one.
 */
export const basesInMemory = (given: {
  readonly now: () => Micros;
  readonly drawSeed: () => string;
}): Bases => {
  const known = new Map<string, Known>();

  const baseOf = (id: string, { index, count }: Partition): Known => {
    const last = known.get(id);
    if (last?.count === count && (last.active.size > 0 || !last.used.has(index))) return last;
    const base: Known = {
      now: given.now(),
      seed: given.drawSeed(),
      count,
      used: new Set(),
      active: new Set(),
    };
    known.set(id, base);
    return base;
  };

  return {
    of: async (id, partition) => {
      const base = baseOf(partitionOf(id)?.id ?? id, partition);
      const rejoins = base.used.has(partition.index);
      base.used.add(partition.index);
      base.active.add(partition.index);
      return E.right({ now: base.now, seed: base.seed, rejoins });
    },
    left: (id) => {
      const part = partitionOf(id);
      if (part !== null) known.get(part.id)?.active.delete(part.index);
    },
  };
};
