import { MICROS_PER_MS } from '../time/micros.js';

/** A log-linear histogram in shared memory: four buckets per power of two, percentiles at most 25 % too high. */
const SUB_BITS = 2;
const SUB_COUNT = 1 << SUB_BITS;
/** Up to 38 hours; longer durations count in the last bucket. */
const POWERS = 36;
export const HISTOGRAM_SLOTS = POWERS * SUB_COUNT;

/** The bucket of a duration in microseconds. */
export const bucketOf = (duration: number): number => {
  const micros = Math.ceil(duration);
  if (micros < SUB_COUNT) return Math.max(0, micros);
  const power = Math.floor(Math.log2(micros));
  const sub = Math.floor(micros / 2 ** (power - SUB_BITS)) - SUB_COUNT;
  return Math.min(HISTOGRAM_SLOTS - 1, (power - SUB_BITS + 1) * SUB_COUNT + sub);
};

/** Largest duration of the bucket, in microseconds. */
export const upperBoundOf = (bucket: number): number => {
  if (bucket < SUB_COUNT) return bucket;
  const power = Math.floor(bucket / SUB_COUNT) - 1 + SUB_BITS;
  return (SUB_COUNT + (bucket % SUB_COUNT) + 1) * 2 ** (power - SUB_BITS) - 1;
};

export const recordDuration = (slots: Float64Array, micros: number, times: number): void => {
  const bucket = bucketOf(micros);
  slots[bucket] = (slots[bucket] as number) + times;
};

/** Upper bound, in microseconds, of the bucket with the quantile (0..1); 0 if empty. */
export const quantile = (slots: Float64Array, share: number): number => {
  let total = 0;
  for (const count of slots) total += count;
  if (total === 0) return 0;
  let seen = 0;
  for (let bucket = 0; bucket < slots.length; bucket++) {
    seen += slots[bucket] as number;
    if (seen >= share * total) return upperBoundOf(bucket);
  }
  return upperBoundOf(slots.length - 1);
};

export interface HistogramBucket {
  /** Largest duration of the bucket, in milliseconds. */
  readonly le_ms: number;
  readonly count: number;
}

/** The buckets that are not empty, ascending. */
export const bucketsOf = (slots: Float64Array): readonly HistogramBucket[] =>
  [...slots].flatMap((count, bucket) =>
    count === 0 ? [] : [{ le_ms: upperBoundOf(bucket) / MICROS_PER_MS, count }],
  );

/** Upper bounds of the buckets in `cumulative`, from a millisecond to nine minutes. */
const STEPS_MICROS = [
  1_023, 5_119, 10_239, 49_151, 98_303, 524_287, 1_048_575, 5_242_879, 10_485_759, 67_108_863, 536_870_911,
] as const;
const STEPS = STEPS_MICROS.map((micros) => ({ micros, bucket: bucketOf(micros) }));

/** Exact counts up to a few ascending durations, each the end of a bucket, and the total. */
export const cumulative = (
  slots: Float64Array,
): {
  readonly steps: readonly { readonly micros: number; readonly count: number }[];
  readonly total: number;
} => {
  let count = 0;
  let bucket = 0;
  const steps = STEPS.map(({ micros, bucket: end }) => {
    for (; bucket <= end; bucket++) count += slots[bucket] as number;
    return { micros, count };
  });
  for (; bucket < slots.length; bucket++) count += slots[bucket] as number;
  return { steps, total: count };
};
