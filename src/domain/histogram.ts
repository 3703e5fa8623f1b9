/**
 * A log-linear histogram of durations in a slice of shared memory: four buckets to each power of two of
 * a microsecond, so a percentile read from it, in whole microseconds, is at most 25 % too high and never
 * too low. One writer, many readers.
 */
const SUB_BITS = 2;
const SUB_COUNT = 1 << SUB_BITS;
/** 36 powers of two of a microsecond: up to 38 hours; longer ones count in the last bucket. */
const POWERS = 36;
export const HISTOGRAM_SLOTS = POWERS * SUB_COUNT;

const bucketOf = (duration: number): number => {
  const micros = Math.ceil(duration);
  if (micros < SUB_COUNT) return Math.max(0, micros);
  const power = Math.floor(Math.log2(micros));
  const sub = Math.floor(micros / 2 ** (power - SUB_BITS)) - SUB_COUNT;
  return Math.min(HISTOGRAM_SLOTS - 1, (power - SUB_BITS + 1) * SUB_COUNT + sub);
};

/** Largest duration in whole microseconds that falls into the bucket. */
const upperBoundOf = (bucket: number): number => {
  if (bucket < SUB_COUNT) return bucket;
  const power = Math.floor(bucket / SUB_COUNT) - 1 + SUB_BITS;
  return (SUB_COUNT + (bucket % SUB_COUNT) + 1) * 2 ** (power - SUB_BITS) - 1;
};

/** Counts `times` durations of `micros` microseconds. */
export const recordDuration = (slots: Float64Array, micros: number, times: number): void => {
  const bucket = bucketOf(micros);
  slots[bucket] = (slots[bucket] as number) + times;
};

/** Upper bound in microseconds of the bucket that holds the quantile (0..1); 0 when nothing was counted. */
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
