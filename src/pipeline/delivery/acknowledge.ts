/**
 * The low-water mark: the largest sequence number up to which every batch is done at every output.
 * Batches may finish in any order; the mark moves over the finished ones without a gap.
 */
export interface Acknowledger {
  readonly done: (sequence: number) => void;
  readonly lowWater: () => number;
}

export const acknowledger = (onAdvance: (lowWater: number) => void): Acknowledger => {
  let lowWater = 0;
  const ahead = new Set<number>();
  return {
    done: (sequence) => {
      if (sequence !== lowWater + 1) {
        ahead.add(sequence);
        return;
      }
      lowWater = sequence;
      while (ahead.delete(lowWater + 1)) lowWater++;
      onAdvance(lowWater);
    },
    lowWater: () => lowWater,
  };
};
