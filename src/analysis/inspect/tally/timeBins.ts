import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  type Micros,
} from '../../../domain/time/micros.js';

/** Widths of a bin in microseconds; each divides the next, so bins merge exactly. */
const WIDTHS: readonly number[] = [
  ...[1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000].map((ms) => ms * 1_000),
  ...[1, 5, 10, 30].map((minutes) => minutes * MICROS_PER_MINUTE),
  ...[1, 6].map((hours) => hours * MICROS_PER_HOUR),
  ...[1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 100_000].map((days) => days * MICROS_PER_DAY),
];

export const MAX_TIME_BINS = 120;

export interface TimeBin {
  readonly start: Micros;
  readonly count: number;
}

export interface TimeBins {
  readonly width_seconds: number;
  /** In order, without gaps. */
  readonly bins: readonly TimeBin[];
}

/** Counts instants in bins that widen as the instants spread. */
export const timeBins = () => {
  let counts = new Map<number, number>();
  let step = 0;
  let width = WIDTHS[0] as number;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;

  const widen = (): void => {
    const next = WIDTHS[++step] as number;
    const factor = next / width;
    const merged = new Map<number, number>();
    for (const [bin, count] of counts) {
      const wide = Math.floor(bin / factor);
      merged.set(wide, (merged.get(wide) ?? 0) + count);
    }
    counts = merged;
    width = next;
    first = Math.floor(first / factor);
    last = Math.floor(last / factor);
  };

  const fits = (bin: number): boolean => Math.max(last, bin) - Math.min(first, bin) < MAX_TIME_BINS;

  return {
    add: (at: Micros): void => {
      let bin = Math.floor(at / width);
      while (!fits(bin) && step < WIDTHS.length - 1) {
        widen();
        bin = Math.floor(at / width);
      }
      first = Math.min(first, bin);
      last = Math.max(last, bin);
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
    },
    result: (): TimeBins => ({
      width_seconds: width / 1_000_000,
      bins:
        counts.size === 0
          ? []
          : Array.from({ length: last - first + 1 }, (_, index) => ({
              start: (first + index) * width,
              count: counts.get(first + index) ?? 0,
            })),
    }),
  };
};

/** The same counts in at most `max_bins` bins, unless the widest ones are more. */
export const widened = ({ width_seconds, bins }: TimeBins, max_bins: number): TimeBins => {
  const [first] = bins;
  const last = bins.at(-1);
  if (first === undefined || last === undefined || bins.length <= max_bins) return { width_seconds, bins };
  const countAt = (width: number): number =>
    Math.floor(last.start / width) - Math.floor(first.start / width) + 1;
  const width =
    WIDTHS.find((one) => one > width_seconds * 1_000_000 && countAt(one) <= max_bins) ??
    width_seconds * 1_000_000;
  const from = Math.floor(first.start / width);
  const counts = new Array<number>(countAt(width)).fill(0);
  for (const { start, count } of bins) {
    const index = Math.floor(start / width) - from;
    counts[index] = (counts[index] as number) + count;
  }
  return {
    width_seconds: width / 1_000_000,
    bins: counts.map((count, index) => ({ start: (from + index) * width, count })),
  };
};
