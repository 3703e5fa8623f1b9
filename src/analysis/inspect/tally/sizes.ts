/** Distinct sizes that are counted exactly. */
const MAX_SIZES = 65_536;
/** Beyond, sizes are rounded down to this number of significant bits: at most 0.8 % too low. */
const BITS = 7;

export interface SizeBin {
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface TalliedSizes {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  readonly mean: number;
  readonly total: number;
  /** False: median and p95 may be 0.8 % too low. */
  readonly is_exact: boolean;
  readonly bins: readonly SizeBin[];
}

const rounded = (size: number): number => {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(size)) - BITS);
  return Math.floor(size / step) * step;
};

const quantileOf = (sorted: readonly (readonly [number, number])[], rank: number): number => {
  let seen = 0;
  for (const [size, count] of sorted) {
    seen += count;
    if (seen >= rank) return size;
  }
  return 0;
};

const binsOf = (
  sorted: readonly (readonly [number, number])[],
  min: number,
  max: number,
  max_bins: number,
): readonly SizeBin[] => {
  const width = Math.max(1, Math.ceil((max - min + 1) / max_bins));
  const counts = new Array<number>(Math.ceil((max - min + 1) / width)).fill(0);
  for (const [size, count] of sorted) {
    // A rounded size may be below the smallest.
    const index = Math.max(0, Math.floor((size - min) / width));
    counts[index] = (counts[index] as number) + count;
  }
  return counts.map((count, index) => ({
    from: min + index * width,
    to: Math.min(max, min + (index + 1) * width - 1),
    count,
  }));
};

export interface SizeTally {
  readonly add: (size: number) => void;
  /** Returns the sizes that were added, or null when there are none. */
  readonly sizes: (max_bins: number) => TalliedSizes | null;
}

export const sizeTally = (max_sizes = MAX_SIZES): SizeTally => {
  const counts = new Map<number, number>();
  let events = 0;
  let total = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  let isExact = true;
  return {
    add: (size) => {
      events++;
      total += size;
      min = Math.min(min, size);
      max = Math.max(max, size);
      const isCounted = counts.has(size) || counts.size < max_sizes;
      if (!isCounted) isExact = false;
      const key = isCounted ? size : rounded(size);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    sizes: (max_bins) => {
      if (events === 0) return null;
      const sorted = [...counts].sort(([a], [b]) => a - b);
      return {
        min,
        median: quantileOf(sorted, events / 2),
        p95: quantileOf(sorted, events * 0.95),
        max,
        mean: total / events,
        total,
        is_exact: isExact,
        bins: binsOf(sorted, min, max, max_bins),
      };
    },
  };
};

export interface TalliedRange {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

interface RangeTally {
  readonly add: (value: number) => void;
  /** Returns the range of the values, or null when there is none. */
  readonly range: () => TalliedRange | null;
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
