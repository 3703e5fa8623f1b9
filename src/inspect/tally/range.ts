export interface Range {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

export interface RangeTally {
  readonly add: (value: number) => void;
  /** Returns the range of the values, or null when there is none. */
  readonly range: () => Range | null;
}

export const rangeTally = (): RangeTally => {
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let mean = 0;
  return {
    add: (value) => {
      count++;
      // A running mean never overflows.
      mean += value / count - mean / count;
      if (value < min) min = value;
      if (value > max) max = value;
    },
    range: () => (count === 0 ? null : { min, mean, max }),
  };
};
